// SPDX-License-Identifier: Apache-2.0
//
// CSV by a map (csv_map.h): the map is bound to the columns that the first row shows, then every
// row makes its statements. A row is learned whole or, where a field of it is bad, not at all.
#include <fmt/format.h>

#include <algorithm>
#include <deque>
#include <utility>

#include "base/unicode.h"
#include "formats/csv_map.h"
#include "formats/csv_reader.h"
#include "formats/readers.h"

namespace loci {
namespace {

constexpr size_t kLiteral = SIZE_MAX;

// A cell of the map, bound: its column from 0, how messages call it, and its term in the row at
// hand.
struct Bound {
  size_t column = kLiteral;
  CellForm form;
  bool is_name = false;
  std::string what;  // the object (column 3, "age")
  Term relation;     // wide: the header
  Term owned;
  FieldTerm field_term;
  TermView term;
};

class Mapper {
 public:
  Mapper(CsvMap map, CsvReader* csv, Reading* reading)
      : map_(std::move(map)), csv_(*csv), reading_(reading) {}

  // By the first row, which is the header where the map says that there is one.
  Result<void> Bind() {
    width_ = csv_.fields().size();
    if (map_.has_header) {
      for (const std::string_view field : csv_.fields()) headers_.emplace_back(field);
    }
    for (const auto& [cell, name] :
         {std::pair(&map_.subject, "subject"), std::pair(&map_.relation, "relation"),
          std::pair(&map_.object, "object"), std::pair(&map_.source, "source")}) {
      if (*cell) LOCI_TRY(BindCell(**cell, name));
    }
    roles_ = cells_.size();
    for (const CsvCell& column : map_.columns) {
      LOCI_TRY(BindCell(column, ""));
      LOCI_TRY(BindRelation(&cells_.back()));
    }
    if (map_.the_rest) LOCI_TRY(BindTheRest());
    csv_.SetMostFields(width_);
    return {};
  }

  Result<void> Row() {
    if (csv_.fields().size() != width_) {
      const std::string reason =
          fmt::format("\"{}\" has {} fields, the first row has {}; a row has as many",
                      Excerpt(csv_.text()), csv_.fields().size(), width_);
      return csv_.fields().size() < width_ ? csv_.BadAt(csv_.text().size(), reason)
                                           : csv_.BadField(width_, 0, reason);
    }
    for (size_t i = 0; i < cells_.size(); ++i) {
      Bound& cell = cells_[i];
      if (cell.column == kLiteral) continue;
      const std::string_view field = csv_.fields()[cell.column];
      cell.term = {};
      if (field.empty() && i >= roles_) continue;
      size_t offset = 0;
      std::string why;
      if (!Parse(&cell, field, &offset, &why)) {
        return csv_.BadField(cell.column, offset, fmt::format("{}: {}", cell.what, why));
      }
    }
    return Add();
  }

 private:
  Result<void> Add() {
    const TermView subject = cells_[0].term;
    const TermView source = map_.source ? cells_[roles_ - 1].term : reading_->source();
    if (!map_.wide()) return reading_->Add(subject, cells_[1].term, cells_[2].term, source);
    for (size_t i = roles_; i < cells_.size(); ++i) {
      const Bound& cell = cells_[i];
      if (csv_.fields()[cell.column].empty()) continue;
      LOCI_TRY(reading_->Add(subject, cell.relation, cell.term, source));
    }
    return {};
  }

  // False: *why, and the *offset in the field.
  static bool Parse(Bound* cell, std::string_view field, size_t* offset, std::string* why) {
    if (field.empty()) {
      *why = "the field is empty; give it a value";
      return false;
    }
    if (cell->form.kind == CellKind::kField) {
      if (!cell->field_term.Parse(field, &cell->term)) {
        *offset = cell->field_term.offset();
        *why = cell->field_term.why();
        return false;
      }
      if (!cell->is_name || cell->term.kind == Kind::kSymbol) return true;
      *why = fmt::format("{} is not a name; only an object may be a text, number or date",
                         Excerpt(field, 40));
      return false;
    }
    auto made = Make(cell->form, field);
    if (!made.ok()) {
      *offset = FindInvalidUtf8(field).value_or(0);
      *why = made.error().message;
      return false;
    }
    cell->owned = made.take();
    cell->term = cell->owned;
    return true;
  }

  static Result<Term> Make(const CellForm& form, std::string_view field) {
    switch (form.kind) {
      case CellKind::kText:
        return form.language.empty() ? MakeText(field) : MakeTaggedText(field, '@', form.language);
      case CellKind::kNumber:
        return MakeNumber(field);
      case CellKind::kDate:
        return MakeDate(field);
      case CellKind::kField:
      case CellKind::kSymbol:
        break;
    }
    return MakeSymbol(field);
  }

  // A fault of the map, or of a header that it needs.
  Error Bad(std::string_view reason) const {
    return {ErrorKind::kUsage, fmt::format("{}: --map: {}", reading_->file(), reason)};
  }

  std::string Describe(size_t column, std::string_view role) const {
    const std::string header =
        map_.has_header ? fmt::format(", \"{}\"", Excerpt(headers_[column], 40)) : "";
    if (role.empty()) return fmt::format("column {}{}", column + 1, header);
    return fmt::format("the {} (column {}{})", role, column + 1, header);
  }

  Result<size_t> ColumnOf(const CsvCell& cell) const {
    if (cell.from == CsvCell::From::kNumber) {
      if (cell.number <= width_) return cell.number - 1;
      return Bad(fmt::format("there is no column {}; the first row has {}", cell.number, width_));
    }
    const auto found = std::ranges::find(headers_, cell.text);
    if (found == headers_.end()) {
      std::string all;
      for (const std::string& header : headers_) all += (all.empty() ? "" : ", ") + header;
      return Bad(fmt::format("no column is called \"{}\"; the header has {}",
                             Excerpt(cell.text, 40), Excerpt(all, 300)));
    }
    if (std::find(found + 1, headers_.end(), cell.text) != headers_.end()) {
      return Bad(fmt::format("several columns are called \"{}\"; say which by its number",
                             Excerpt(cell.text, 40)));
    }
    return static_cast<size_t>(found - headers_.begin());
  }

  Result<void> BindCell(const CsvCell& cell, std::string_view role) {
    Bound& bound = cells_.emplace_back();
    bound.form = cell.form;
    bound.is_name = !role.empty() && role != "object";
    if (cell.from != CsvCell::From::kLiteral) {
      LOCI_ASSIGN(bound.column, ColumnOf(cell));
      bound.what = Describe(bound.column, role);
    } else {
      size_t offset = 0;
      std::string why;
      literals_.push_back(cell.text);
      if (!Parse(&bound, literals_.back(), &offset, &why)) {
        return Bad(fmt::format("the {} '{}': {}", role, Excerpt(cell.text, 40), why));
      }
    }
    return {};
  }

  Result<void> BindRelation(Bound* bound) {
    auto relation = MakeSymbol(headers_[bound->column]);
    if (!relation.ok()) {
      return Bad(fmt::format("column {} makes no relation: {}; name the columns that do",
                             bound->column + 1, relation.error().message));
    }
    bound->relation = relation.take();
    return {};
  }

  Result<void> BindTheRest() {
    const size_t named = cells_.size();
    for (size_t column = 0; column < width_; ++column) {
      const auto uses = [column](const Bound& b) { return b.column == column; };
      if (std::any_of(cells_.begin(), cells_.begin() + named, uses)) continue;
      Bound& bound = cells_.emplace_back();
      bound.column = column;
      bound.form = *map_.the_rest;
      bound.what = Describe(column, "");
      LOCI_TRY(BindRelation(&bound));
    }
    return {};
  }

  CsvMap map_;
  CsvReader& csv_;
  Reading* reading_;
  size_t width_ = 0;
  std::vector<std::string> headers_;
  // Roles in the order of a statement's fields, as far as they are given, then columns of the wide
  // form. Deques, for terms are views into what they hold.
  std::deque<Bound> cells_;
  std::deque<std::string> literals_;
  size_t roles_ = 0;
};

}  // namespace

Result<void> ReadMappedCsv(LineReader* lines, Reading* reading) {
  LOCI_ASSIGN(CsvMap map, ParseCsvMap(reading->options().map));
  const bool has_header = map.has_header;
  CsvReader csv(lines, reading, kMostColumns);
  Mapper mapper(std::move(map), &csv, reading);
  bool bound = false;
  while (csv.Next()) {
    const bool is_header = !bound && has_header;
    if (!bound) LOCI_TRY(mapper.Bind());
    bound = true;
    if (!is_header) LOCI_TRY(mapper.Row());
  }
  return csv.status();
}

}  // namespace loci
