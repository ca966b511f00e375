// SPDX-License-Identifier: Apache-2.0
#include "formats/rdf_datatypes.h"

#include <algorithm>
#include <vector>

#include "base/date.h"
#include "base/decimal.h"

namespace loci::rdf {
namespace {

constexpr std::string_view kXsd = "http://www.w3.org/2001/XMLSchema#";
constexpr std::string_view kLangString = "http://www.w3.org/1999/02/22-rdf-syntax-ns#langString";

bool IsDigit(char c) {
  return c >= '0' && c <= '9';
}

// A type derived from xsd:integer: its least and largest value, as normal bytes (which compare as
// values do); empty where there is no bound.
struct IntegerType {
  std::string_view name;
  std::string least, most;
};

const std::vector<IntegerType>& IntegerTypes() {
  static const std::vector<IntegerType> types = [] {
    const auto bound = [](std::string_view digits) {
      auto bytes = DecimalFromText(digits);
      return bytes.ok() ? bytes.take() : std::string();
    };
    const struct {
      std::string_view name, least, most;
    } rows[] = {{"integer", "", ""},
                {"nonNegativeInteger", "0", ""},
                {"positiveInteger", "1", ""},
                {"nonPositiveInteger", "", "0"},
                {"negativeInteger", "", "-1"},
                {"long", "-9223372036854775808", "9223372036854775807"},
                {"int", "-2147483648", "2147483647"},
                {"short", "-32768", "32767"},
                {"byte", "-128", "127"},
                {"unsignedLong", "0", "18446744073709551615"},
                {"unsignedInt", "0", "4294967295"},
                {"unsignedShort", "0", "65535"},
                {"unsignedByte", "0", "255"}};
    std::vector<IntegerType> all;
    for (const auto& row : rows) {
      all.push_back({row.name, row.least.empty() ? std::string() : bound(row.least),
                     row.most.empty() ? std::string() : bound(row.most)});
    }
    return all;
  }();
  return types;
}

std::optional<Term> Number(std::string_view text, std::string_view type) {
  std::string_view digits = text;
  if (digits.starts_with('-') || digits.starts_with('+')) digits.remove_prefix(1);
  const bool decimal = type == "decimal";
  const auto dots = decimal ? std::ranges::count(digits, '.') : 0;
  if (std::ranges::count_if(digits, IsDigit) + dots != std::ssize(digits)) return std::nullopt;
  auto bytes = DecimalFromText(text);
  if (!bytes.ok()) return std::nullopt;
  if (!decimal) {
    const auto row = std::ranges::find(IntegerTypes(), type, &IntegerType::name);
    if (!row->least.empty() && *bytes < row->least) return std::nullopt;
    if (!row->most.empty() && *bytes > row->most) return std::nullopt;
  }
  return Term{Kind::kNumber, bytes.take()};
}

// What XML Schema asks of a date beyond what ours do: no plus sign before the year, a second where
// there is a time and none that leaps, a zone of both hours and minutes. The type follows from how
// much of the date there is.
std::string_view TypeOfDate(std::string_view text) {
  if (text.starts_with('+')) return {};
  const size_t time = text.find('T');
  if (time == std::string_view::npos) {
    const auto hyphens = std::ranges::count(text.substr(1), '-');
    return hyphens == 0 ? "gYear" : hyphens == 1 ? "gYearMonth" : "date";
  }
  const std::string_view clock = text.substr(time + 1);
  if (clock.size() < 8 || clock[5] != ':' || clock[6] == '6') return {};
  const size_t zone = clock.find_first_of("+-Z");
  if (zone == std::string_view::npos || clock[zone] == 'Z') return "dateTime";
  return clock.size() - zone == 6 ? "dateTime" : std::string_view();
}

std::optional<Term> DateOf(std::string_view text, std::string_view type) {
  if (text.empty() || TypeOfDate(text) != type) return std::nullopt;
  auto bytes = DateFromText(text);
  if (!bytes.ok()) return std::nullopt;
  return Term{Kind::kDate, bytes.take()};
}

bool IsNumber(std::string_view type) {
  return type == "decimal" ||
         std::ranges::find(IntegerTypes(), type, &IntegerType::name) != IntegerTypes().end();
}

bool IsDateType(std::string_view type) {
  return type == "date" || type == "dateTime" || type == "gYear" || type == "gYearMonth";
}

}  // namespace

std::optional<Result<Term>> TermOfDatatype(std::string_view text, std::string_view datatype) {
  if (!datatype.starts_with(kXsd)) return std::nullopt;
  const std::string_view type = datatype.substr(kXsd.size());
  if (type == "string") return MakeText(text);
  std::optional<Term> term;
  if (IsNumber(type)) term = Number(text, type);
  if (IsDateType(type)) term = DateOf(text, type);
  if (!term) return std::nullopt;
  return Result<Term>(*std::move(term));
}

bool MeansMoreThanText(std::string_view text, std::string_view datatype) {
  return datatype == kLangString || TermOfDatatype(text, datatype).has_value();
}

std::optional<std::string_view> DatatypeOfDate(std::string_view date) {
  constexpr std::string_view kTypes[] = {
      "http://www.w3.org/2001/XMLSchema#gYear", "http://www.w3.org/2001/XMLSchema#gYearMonth",
      "http://www.w3.org/2001/XMLSchema#date", "http://www.w3.org/2001/XMLSchema#dateTime"};
  const std::string_view type = TypeOfDate(date);
  for (const std::string_view known : kTypes) {
    if (known.substr(kXsd.size()) == type) return known;
  }
  return std::nullopt;
}

}  // namespace loci::rdf
