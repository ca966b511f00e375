// SPDX-License-Identifier: Apache-2.0
#include "formats/passages.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/unicode.h"
#include "formats/split.h"

namespace loci {

void Passages::AddLine(std::string_view line, uint64_t number) {
  if (open_) {
    text_ += '\n';
  } else {
    open_ = true;
    first_line_ = number;
  }
  text_ += line;
}

void Passages::Drop() {
  open_ = whole_ = false;
  text_.clear();
  // A passage of a hundred megabytes is rare: its memory is not kept for the next.
  if (text_.capacity() > (1 << 20)) text_.shrink_to_fit();
}

Result<void> Passages::Close(std::string_view title) {
  if (!open_) return {};
  LOCI_ASSIGN(const bool good, IsText(text_, first_line_));
  if (!good || whole_) {
    ++count_;
    if (good) LOCI_TRY(Emit(text_, title));
  } else {
    for (const std::string_view part : SplitPassage(text_)) {
      ++count_;
      LOCI_TRY(Emit(part, title));
    }
  }
  Drop();
  return {};
}

Result<bool> Passages::IsText(std::string_view text, uint64_t first_line) {
  const size_t nul = text.find('\0');
  const auto invalid = FindInvalidUtf8(text);
  if (nul == std::string::npos && !invalid) return true;
  const size_t at = std::min(nul, invalid.value_or(std::string::npos));
  const size_t line_start = text.rfind('\n', at) + 1;  // 0 where there is none
  const auto breaks = std::ranges::count(text.substr(0, line_start), '\n');
  LOCI_TRY(reading_->BadAt(
      first_line + static_cast<uint64_t>(breaks), text.substr(line_start), at - line_start,
      fmt::format("{} after \"{}\"; {}", at == nul ? "a NUL byte" : "not UTF-8",
                  Excerpt(text.substr(std::max(line_start, at > 30 ? at - 30 : 0),
                                      std::min<size_t>(at - line_start, 30))),
                  at == nul ? "is this a text file?" : "convert the input, e.g. with iconv")));
  return false;
}

Result<void> Passages::Emit(std::string_view part, std::string_view title) {
  const std::string& name = reading_->base();
  const auto document = MakeSymbol(name);
  const auto passage = MakeSymbol(fmt::format("{}#{:06}", name, count_));
  if (!passage.ok()) return reading_->Bad(first_line_, 0, passage.error().message);
  const auto text = MakeText(part);
  if (!text.ok()) return reading_->Bad(first_line_, 0, text.error().message);
  constexpr TermView kText{Kind::kSymbol, "text"}, kPartOf{Kind::kSymbol, "part_of"},
      kTitle{Kind::kSymbol, "title"}, kPage{Kind::kSymbol, "page"};
  LOCI_TRY(reading_->Add(*passage, kText, *text));
  LOCI_TRY(reading_->Add(*passage, kPartOf, *document));
  if (page_ != 0) {
    LOCI_ASSIGN(const Term page, MakeNumber(std::to_string(page_)));
    LOCI_TRY(reading_->Add(*passage, kPage, page));
  }
  if (title.empty()) return {};
  const auto title_text = MakeText(title);
  if (!title_text.ok()) return reading_->Bad(first_line_, 0, title_text.error().message);
  return reading_->Add(*passage, kTitle, *title_text);
}

}  // namespace loci
