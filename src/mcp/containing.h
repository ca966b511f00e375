// SPDX-License-Identifier: Apache-2.0
//
// Containing: finds a text in others whatever the case, as String.prototype.toLowerCase and
// includes do (of the code points that lower to several, U+0130 alone, the simple mapping counts).
//
// The longest run of the query whose bytes are the same in any case, but for ASCII letters, is
// looked for in the raw bytes; where it occurs the text is lowered and compared. A query without
// such a run (one in Cyrillic, say) has every text lowered.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace loci::mcp {

class Containing {
 public:
  explicit Containing(std::string_view query);

  // text: as it stands. False for no text where the query is empty.
  bool In(std::string_view text) const;

  // Where the run can be in these bytes, from `from` on; npos: nowhere. Every text of them that
  // contains the query has such a place, unless may_be_anywhere().
  size_t Next(std::string_view bytes, size_t from) const;
  bool may_be_anywhere() const { return run_.empty(); }

  const std::string& lowered() const { return lowered_; }

 private:
  std::string lowered_;
  std::string run_;     // lower case
  bool plain_ = false;  // the run is the whole query: where it is, the query is
};

}  // namespace loci::mcp
