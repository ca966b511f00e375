// SPDX-License-Identifier: Apache-2.0
//
// CsvMap: which columns of a CSV file make which statements, as a person says it:
//
//   subject=id,relation='is_a',object=class             a statement for each row
//   subject=1,relation=2,object:number=3,source=4       columns by number, of a file without header
//   subject=id,*                                        the wide form: id, and for each other
//   column subject=id,*,age:number,born:date,note:text@en      a statement whose relation is its
//   header subject=id,name,age:number                          the same, of these columns only
//
//   map    := part { "," part }
//   part   := role [ ":" kind ] "=" value               role: subject, relation, object, source
//           | ( "*" | column ) [ ":" kind ]             the wide form
//           | "header" "=" ( "yes" | "no" )             default: no where all columns are numbers
//   value  := column | 'the same for each row'          ' is doubled within
//   column := a header | "any header" | its number from 1
//   kind   := symbol | text | text@LANGUAGE | number | date
//
// A field without a kind is what it would be without a map: a symbol, or in the notation of TSV
// <a name>, "a text", "5"^^number. A field with a kind is its characters as they stand. An empty
// field says nothing: in the wide form no statement is made of it, elsewhere it is a fault.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "loci/result.h"

namespace loci {

inline constexpr size_t kMostColumns = 4096;

enum class CellKind : uint8_t { kField, kSymbol, kText, kNumber, kDate };

struct CellForm {
  CellKind kind = CellKind::kField;
  std::string language;  // of a text; may be empty
};

// Where a cell comes from.
struct CsvCell {
  enum class From : uint8_t { kHeader, kNumber, kLiteral } from = From::kHeader;
  std::string text;   // the header or the literal
  size_t number = 0;  // from 1
  CellForm form;
};

struct CsvMap {
  std::optional<CsvCell> subject, relation, object, source;
  std::vector<CsvCell> columns;      // wide: those that are named, in the order given
  std::optional<CellForm> the_rest;  // wide: "*", the form of all columns not named elsewhere
  bool has_header = false;

  bool wide() const { return the_rest || !columns.empty(); }
};

Result<CsvMap> ParseCsvMap(std::string_view text);

}  // namespace loci
