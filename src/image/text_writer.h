// SPDX-License-Identifier: Apache-2.0
//
// The sections of text of an image: docs/image-format.md. They follow from the facts and the
// setting `stemmer` alone.
#pragma once

#include <string_view>

#include "image/section_writer.h"
#include "image/writer.h"
#include "loci/result.h"

namespace loci {

Result<void> WriteText(const ImageDraft& draft, SectionWriter* out);

// The language that "key value\n" lines set, or the default.
std::string_view StemmerOfSettings(std::string_view settings);

}  // namespace loci
