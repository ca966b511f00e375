// SPDX-License-Identifier: Apache-2.0
#include "formats/reading.h"

#include <fmt/format.h>

#include "base/bytes.h"
#include "base/unicode.h"

namespace loci {
namespace {

// Whether all bytes are from 1 to 127: then a field is its own normal form.
bool IsPlainAscii(std::string_view s) {
  constexpr uint64_t kHigh = 0x8080808080808080, kOnes = 0x0101010101010101;
  size_t i = 0;
  for (; i + 8 <= s.size(); i += 8) {
    const auto word = Load<uint64_t>(s.data() + i);
    // In the absence of high bits, subtracting one from a byte borrows exactly where it is zero.
    if (((word | (word - kOnes)) & kHigh) != 0) return false;
  }
  for (; i < s.size(); ++i) {
    if (static_cast<signed char>(s[i]) <= 0) return false;
  }
  return true;
}

constexpr std::string_view kFieldNames[] = {"subject", "relation", "object", "source"};

}  // namespace

std::string BadRecord::ToString() const {
  if (line == 0) return fmt::format("{}: {}", file, reason);
  if (column == 0) return fmt::format("{}:{}: {}", file, line, reason);
  return fmt::format("{}:{}:{}: {}", file, line, column, reason);
}

Result<void> Reading::Bad(uint64_t line, uint64_t column, std::string reason) {
  if (converted_) line = column = 0;
  const BadRecord record{file_, line, column, std::move(reason)};
  if (options_.on_bad && options_.on_bad(record)) {
    ++report_.skipped;
    return {};
  }
  return Error{ErrorKind::kBadInput, record.ToString()};
}

Result<void> Reading::BadAt(uint64_t line, std::string_view text, size_t offset,
                            std::string reason) {
  return Bad(line, CountCodePoints(text.substr(0, offset)) + 1, std::move(reason));
}

bool FieldTerm::Parse(std::string_view field, TermView* term) {
  if (!field.empty() && field[0] != '<' && field[0] != '"' && field.size() <= kMaxNameBytes &&
      IsPlainAscii(field)) {
    *term = {Kind::kSymbol, field};
    return true;
  }
  return ParseSlowly(field, term);
}

bool FieldTerm::ParseSlowly(std::string_view field, TermView* term) {
  if (const size_t nul = field.find('\0'); nul != std::string_view::npos) {
    why_ = fmt::format(
        "a NUL byte after \"{}\": not a text file, or UTF-16 (convert it); in a name "
        "write <\\u0000>",
        Excerpt(field.substr(0, nul), 30));
    offset_ = nul;
    return false;
  }
  auto parsed = ParseNotation(field, true, &offset_);
  if (!parsed.ok()) {
    why_ = fmt::format("\"{}\": {}", Excerpt(field, 40), parsed.error().message);
    return false;
  }
  term_ = parsed.take();
  *term = term_;
  return true;
}

bool StatementFields::Add(const std::string_view* fields, int count, Fault* fault,
                          Result<void>* added) {
  TermView terms[4];
  terms[3] = reading_->source();
  for (int i = 0; i < count; ++i) {
    if (fields[i].empty()) {
      *fault = {i, 0, fmt::format("the {} is empty; give it a name", kFieldNames[i])};
      return false;
    }
    if (!terms_[i].Parse(fields[i], &terms[i])) {
      *fault = {i, terms_[i].offset(), terms_[i].why()};
      return false;
    }
    if (i != 2 && terms[i].kind != Kind::kSymbol) {
      *fault = {i, 0,
                fmt::format("the {} {} is not a name; only an object may be a text, number or "
                            "date",
                            kFieldNames[i], Excerpt(fields[i], 40))};
      return false;
    }
  }
  *added = reading_->Add(terms[0], terms[1], terms[2], terms[3]);
  return true;
}

}  // namespace loci
