// SPDX-License-Identifier: Apache-2.0
//
// What a cue recalled (query/recollect.h), in the forms that `recall` prints.
//
//   text    kit  0.417  Kit the hound
//             ... a dog used for hunting ...
//             from words 1a2b3c4d5e6f7a8b
//           one block a memory, a blank line between; with `why` the words and links before the
//           last line, and where `bold` the words so in the text
//   JSON    {"memories":[M,...],"found":12,"offset":0,"next":10}, one memory a line inside, where M
//           is {"name":"kit","score":0.417,"title":"Kit the hound","text":"...","begin":0,
//               "bytes":700,"spans":[[4,9]],"words":[{"word":"hound","weight":0.2}],"links":[],
//               "sources":["words"],"addresses":["1a2b3c4d5e6f7a8b"]}
//           text is the part of the whole (so many bytes) that begins at that byte, spans are bytes
//           of it, "next" is null where there is no more
//   JSONL   one M a line
//
// Of a memory without a text its first facts are shown.
#pragma once

#include <cstdint>
#include <string>

#include "query/recollect.h"

namespace loci {

enum class MemoryForm { kText, kJson, kJsonl };

struct MemoryStyle {
  MemoryForm form = MemoryForm::kText;
  bool why = false;
  bool evidence = false;
  bool bold = false;
  uint64_t max_bytes = UINT64_MAX;  // of all that is rendered
  size_t most_text = 2000;          // bytes of one text, where there is room
  uint64_t offset = 0;              // what was asked for, for "next"
};

struct RenderedMemories {
  std::string text;  // never longer than max_bytes
  size_t shown = 0;  // memories; the first so many
};

// Where room is short each memory has an equal share of what is left, and long texts are cut.
RenderedMemories RenderMemories(const query::Recollection& recollection, const MemoryStyle& style);

}  // namespace loci
