// SPDX-License-Identifier: Apache-2.0
#include "formats/passages.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/unicode.h"

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
  open_ = false;
  text_.clear();
  // A passage of a hundred megabytes is rare: its memory is not kept for the next.
  if (text_.capacity() > (1 << 20)) text_.shrink_to_fit();
}

Result<void> Passages::Close(std::string_view title) {
  if (!open_) return {};
  ++count_;
  auto done = Emit(title);
  Drop();
  return done;
}

Result<void> Passages::Emit(std::string_view title) {
  const size_t nul = text_.find('\0');
  const auto invalid = FindInvalidUtf8(text_);
  if (nul != std::string::npos || invalid) {
    const size_t at = std::min(nul, invalid.value_or(std::string::npos));
    const size_t line_start =
        text_.rfind('\n', at) == std::string::npos ? 0 : text_.rfind('\n', at) + 1;
    const auto breaks =
        std::count(text_.begin(), text_.begin() + static_cast<ptrdiff_t>(line_start), '\n');
    return reading_->BadAt(
        first_line_ + static_cast<uint64_t>(breaks), std::string_view(text_).substr(line_start),
        at - line_start,
        fmt::format(
            "{} after \"{}\"; {}", at == nul ? "a NUL byte" : "not UTF-8",
            Excerpt(std::string_view(text_).substr(std::max(line_start, at > 30 ? at - 30 : 0),
                                                   std::min<size_t>(at - line_start, 30))),
            at == nul ? "is this a text file?" : "convert the input, e.g. with iconv"));
  }
  const std::string& name = reading_->base();
  const auto document = MakeSymbol(name);
  const auto passage = MakeSymbol(fmt::format("{}#{:06}", name, count_));
  if (!passage.ok()) return reading_->Bad(first_line_, 0, passage.error().message);
  const auto text = MakeText(text_);
  if (!text.ok()) return reading_->Bad(first_line_, 0, text.error().message);
  constexpr TermView kText{Kind::kSymbol, "text"}, kPartOf{Kind::kSymbol, "part_of"},
      kTitle{Kind::kSymbol, "title"};
  LOCI_TRY(reading_->Add(*passage, kText, *text));
  LOCI_TRY(reading_->Add(*passage, kPartOf, *document));
  if (title.empty()) return {};
  const auto title_text = MakeText(title);
  if (!title_text.ok()) return reading_->Bad(first_line_, 0, title_text.error().message);
  return reading_->Add(*passage, kTitle, *title_text);
}

}  // namespace loci
