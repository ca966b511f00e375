// SPDX-License-Identifier: Apache-2.0
#include "query/period.h"

#include <fmt/format.h>

#include <cstdlib>
#include <string>

namespace loci::query {
namespace {

int DaysOf(long year, long month) {
  constexpr int kDays[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
  const bool leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
  return kDays[month - 1] + (leap && month == 2);
}

}  // namespace

std::optional<Term> EndOfPeriod(TermView date) {
  const std::string text = ToPlain(date);
  if (text.find('T') != std::string::npos) return std::nullopt;
  char* rest = nullptr;
  long year = std::strtol(text.c_str(), &rest, 10), month = 0, day = 0;
  if (*rest == '-') month = std::strtol(rest + 1, &rest, 10);
  if (*rest == '-') day = std::strtol(rest + 1, &rest, 10);
  const bool has_month = month > 0, has_day = day > 0;
  if (has_day && ++day > DaysOf(year, month)) day = 1;
  if (has_month && (!has_day || day == 1) && ++month > 12) month = 1;
  if ((!has_month || month == 1) && (!has_day || day == 1)) ++year;
  std::string end = fmt::format("{}{:04}", year < 0 ? "-" : "", std::labs(year));
  if (has_month) end += fmt::format("-{:02}", month);
  if (has_day) end += fmt::format("-{:02}", day);
  auto term = MakeDate(end);
  return term.ok() ? std::optional(term.take()) : std::nullopt;
}

}  // namespace loci::query
