// SPDX-License-Identifier: Apache-2.0
#include "formats/csv_map.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "base/unicode.h"
#include "image/term.h"

namespace loci {
namespace {

constexpr std::string_view kForm =
    "write subject=COLUMN,relation=COLUMN or 'name',object=COLUMN[,source=COLUMN], or "
    "subject=COLUMN,*";

class MapParser {
 public:
  explicit MapParser(std::string_view text) : text_(text) {}

  Result<CsvMap> Parse() {
    LOCI_TRY(CheckUtf8());
    do {
      LOCI_TRY(Part());
    } while (Take(','));
    if (at_ != text_.size()) return Unexpected("\",\" or the end");
    LOCI_TRY(Finish());
    return std::move(map_);
  }

 private:
  // A header, a number or a literal as it is written; or "*".
  struct Word {
    enum class Quotes : uint8_t { kNone, kSingle, kDouble } quotes = Quotes::kNone;
    std::string text;
    size_t at = 0;
  };

  Error Bad(size_t at, std::string_view why) const {
    return {ErrorKind::kUsage, fmt::format("--map \"{}\", character {}: {}", Excerpt(text_, 200),
                                           CountCodePoints(text_.substr(0, at)) + 1, why)};
  }
  Error Unexpected(std::string_view expected) const {
    const std::string found =
        at_ == text_.size() ? "the end" : fmt::format("\"{}\"", Excerpt(text_.substr(at_), 20));
    return Bad(at_, fmt::format("found {}, expected {}; {}", found, expected, kForm));
  }

  Result<void> CheckUtf8() const {
    const auto fault = FindInvalidUtf8(text_);
    if (!fault) return {};
    return Bad(*fault, "not UTF-8 here");
  }

  void SkipSpaces() {
    while (at_ < text_.size() && text_[at_] == ' ') ++at_;
  }
  bool Take(char c) {
    SkipSpaces();
    if (at_ == text_.size() || text_[at_] != c) return false;
    ++at_;
    return true;
  }

  Result<Word> TakeWord(std::string_view expected) {
    SkipSpaces();
    Word word;
    word.at = at_;
    const char quote = at_ < text_.size() ? text_[at_] : '\0';
    if (quote != '\'' && quote != '"') {
      const size_t end = std::min(text_.find_first_of(",=:'\"", at_), text_.size());
      word.text = text_.substr(at_, end - at_);
      word.text.erase(word.text.find_last_not_of(' ') + 1);
      if (word.text.empty()) return Unexpected(expected);
      at_ = end;
      return word;
    }
    word.quotes = quote == '"' ? Word::Quotes::kDouble : Word::Quotes::kSingle;
    for (++at_;; ++at_) {
      const size_t close = text_.find(quote, at_);
      if (close == std::string_view::npos) {
        return Bad(word.at, fmt::format("the {} is not closed; end it with another", quote));
      }
      word.text.append(text_, at_, close - at_);
      at_ = close + 1;
      if (at_ == text_.size() || text_[at_] != quote) break;
      word.text += quote;
    }
    return word;
  }

  Result<CellForm> TakeForm() {
    if (!Take(':')) return CellForm{};
    LOCI_ASSIGN(const Word word, TakeWord("symbol, text, text@LANGUAGE, number or date"));
    if (word.quotes == Word::Quotes::kNone) {
      if (word.text == "symbol") return CellForm{CellKind::kSymbol, {}};
      if (word.text == "text") return CellForm{CellKind::kText, {}};
      if (word.text == "number") return CellForm{CellKind::kNumber, {}};
      if (word.text == "date") return CellForm{CellKind::kDate, {}};
      if (word.text.starts_with("text@")) {
        CellForm form{CellKind::kText, word.text.substr(5)};
        const auto tagged = MakeTaggedText("", '@', form.language);
        if (!tagged.ok()) return Bad(word.at + 5, tagged.error().message);
        return form;
      }
    }
    return Bad(word.at, fmt::format("\"{}\" is no kind of field; write symbol, text, "
                                    "text@LANGUAGE, number or date (a header that holds a colon is "
                                    "written in double quotes)",
                                    Excerpt(word.text, 30)));
  }

  // What a word says of where a cell comes from.
  Result<CsvCell> CellOf(const Word& word, CellForm form) const {
    CsvCell cell{CsvCell::From::kHeader, word.text, 0, std::move(form)};
    if (word.quotes == Word::Quotes::kSingle) cell.from = CsvCell::From::kLiteral;
    const bool digits = std::ranges::all_of(word.text, [](char c) { return c >= '0' && c <= '9'; });
    if (word.quotes != Word::Quotes::kNone || !digits) return cell;
    cell.from = CsvCell::From::kNumber;
    const char* const end = word.text.data() + word.text.size();
    const auto parsed = std::from_chars(word.text.data(), end, cell.number);
    if (parsed.ec == std::errc() && cell.number >= 1 && cell.number <= kMostColumns) return cell;
    return Bad(word.at, fmt::format("\"{}\" is not the number of a column; they count from 1 to {} "
                                    "(a header of digits is written in double quotes)",
                                    Excerpt(word.text, 30), kMostColumns));
  }

  std::optional<CsvCell>* RoleOf(const Word& word) {
    if (word.quotes != Word::Quotes::kNone) return nullptr;
    if (word.text == "subject") return &map_.subject;
    if (word.text == "relation") return &map_.relation;
    if (word.text == "object") return &map_.object;
    if (word.text == "source") return &map_.source;
    return nullptr;
  }

  Result<void> Part() {
    LOCI_ASSIGN(const Word word, TakeWord("a role or a column"));
    LOCI_ASSIGN(CellForm form, TakeForm());
    if (!Take('=')) return WideColumn(word, std::move(form));
    if (word.quotes == Word::Quotes::kNone && word.text == "header") return Header(word, form);
    std::optional<CsvCell>* const role = RoleOf(word);
    if (role == nullptr) {
      return Bad(word.at, fmt::format("\"{}\" is no part of a statement; write subject, relation, "
                                      "object, source or header before the =",
                                      Excerpt(word.text, 30)));
    }
    if (role->has_value()) {
      return Bad(word.at, fmt::format("the {} is given twice; give it once", word.text));
    }
    if (role != &map_.object && form.kind != CellKind::kField && form.kind != CellKind::kSymbol) {
      return Bad(word.at, fmt::format("a {} is a symbol; only an object may be a text, number or "
                                      "date",
                                      word.text));
    }
    LOCI_ASSIGN(const Word value, TakeWord("a column or a 'literal'"));
    LOCI_ASSIGN(*role, CellOf(value, std::move(form)));
    return {};
  }

  Result<void> WideColumn(const Word& word, CellForm form) {
    if (word.quotes == Word::Quotes::kNone && word.text == "*") {
      if (map_.the_rest) return Bad(word.at, "* is given twice; give it once");
      map_.the_rest = std::move(form);
      return {};
    }
    LOCI_ASSIGN(map_.columns.emplace_back(), CellOf(word, std::move(form)));
    if (map_.columns.back().from != CsvCell::From::kLiteral) return {};
    return Bad(word.at, fmt::format("'{}' is no column; a header is written as it is, or in double "
                                    "quotes",
                                    Excerpt(word.text, 30)));
  }

  Result<void> Header(const Word& word, const CellForm& form) {
    LOCI_ASSIGN(const Word value, TakeWord("yes or no"));
    if (header_ || form.kind != CellKind::kField) {
      return Bad(word.at, "write header=yes or header=no, once");
    }
    if (value.text != "yes" && value.text != "no") return Bad(value.at, "write yes or no");
    header_ = value.text == "yes";
    return {};
  }

  bool UsesHeader() const {
    const auto named = [](const std::optional<CsvCell>& cell) {
      return cell && cell->from == CsvCell::From::kHeader;
    };
    return map_.wide() || named(map_.subject) || named(map_.relation) || named(map_.object) ||
           named(map_.source);
  }

  Result<void> Finish() {
    const size_t end = text_.size();
    if (!map_.subject) return Bad(end, fmt::format("there is no subject; {}", kForm));
    if (map_.wide() && (map_.relation || map_.object)) {
      return Bad(end,
                 "columns of their own are relations, which leaves no place for relation= and "
                 "object=; drop these or those");
    }
    if (!map_.wide() && (!map_.relation || !map_.object)) {
      return Bad(end,
                 fmt::format("there is no {}; {}", map_.relation ? "object" : "relation", kForm));
    }
    const bool needs = UsesHeader();
    if (needs && header_ == false) {
      return Bad(end, "header=no, but columns are named by their headers; number them");
    }
    map_.has_header = header_.value_or(needs);
    return {};
  }

  std::string_view text_;
  size_t at_ = 0;
  CsvMap map_;
  std::optional<bool> header_;
};

}  // namespace

Result<CsvMap> ParseCsvMap(std::string_view text) {
  return MapParser(text).Parse();
}

}  // namespace loci
