// SPDX-License-Identifier: Apache-2.0
//
// Fields: what a relation means to recall. A document, a symbol with all that is said of it, has a
// title and a body; the table of the relations that are something else than body is here.
#pragma once

#include <cstdint>
#include <string_view>

namespace loci {

enum class Field : uint8_t {
  kBody,
  kTitle,   // names the document: counts twice, and its mention elsewhere is a link
  kPartOf,  // what the document is a passage of; that one's name says nothing of this one
  kNone,    // no words: rules
};

// relation: a symbol's name.
Field FieldOf(std::string_view relation);

inline constexpr uint32_t kTitleWeight = 2;
inline constexpr std::string_view kPartOfRelation = "part_of";

}  // namespace loci
