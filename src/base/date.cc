// SPDX-License-Identifier: Apache-2.0
#include "base/date.h"

#include <fmt/format.h>

#include <cstdint>
#include <optional>

#include "base/decimal.h"
#include "base/unicode.h"

namespace loci {
namespace {

constexpr int kMostYear = 999'999;
constexpr uint32_t kYearBias = 0x80000000;
constexpr size_t kMostFraction = 9;
constexpr char kUtc = 1, kLocal = 2;

struct Date {
  int year = 0;
  // Present as far as given: a part is present only if those before it are. Hour and minute are
  // present together.
  std::optional<int> month, day, hour, minute, second;
  std::string fraction;  // digits without trailing zeros
  char zone = 0;         // kUtc or kLocal where there is an hour
};

int DaysIn(int year, int month) {
  constexpr int kDays[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
  const bool leap = (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;
  return month == 2 && leap ? 29 : kDays[month - 1];
}

// Why the parts are not a point of the calendar, or null.
const char* Fault(const Date& d) {
  if (d.year < -kMostYear || d.year > kMostYear) return "the year must be from -999999 to 999999";
  if (d.month && (*d.month < 1 || *d.month > 12)) return "the month must be from 01 to 12";
  if (d.day && (*d.day < 1 || *d.day > DaysIn(d.year, *d.month))) {
    return "the month has no such day";
  }
  if (d.hour && (*d.hour > 23 || *d.hour < 0)) {
    return "the hour must be from 00 to 23; write 24:00 as 00:00 of the next day";
  }
  if (d.minute && (*d.minute > 59 || *d.minute < 0)) return "the minute must be from 00 to 59";
  if (!d.second || (*d.second >= 0 && *d.second < 60)) return nullptr;
  const bool leap_second =
      *d.second == 60 && (d.zone == kUtc ? *d.hour == 23 && *d.minute == 59 : *d.minute % 15 == 14);
  return leap_second ? nullptr : "the second must be from 00 to 59 (60 only as a leap second)";
}

void AddDays(Date* d, int days) {
  *d->day += days;
  if (*d->day < 1) {
    if (--*d->month < 1) {
      d->month = 12;
      --d->year;
    }
    *d->day += DaysIn(d->year, *d->month);
  } else if (const int in_month = DaysIn(d->year, *d->month); *d->day > in_month) {
    *d->day -= in_month;
    if (++*d->month > 12) {
      d->month = 1;
      ++d->year;
    }
  }
}

std::string Encode(const Date& d) {
  const uint32_t year = static_cast<uint32_t>(d.year) + kYearBias;
  std::string out;
  for (int shift = 24; shift >= 0; shift -= 8) out.push_back(static_cast<char>(year >> shift));
  for (const auto& part : {d.month, d.day, d.hour, d.minute, d.second}) {
    if (part) out.push_back(static_cast<char>(*part + 1));
  }
  if (!d.hour) return out;
  PackDigits(d.fraction, &out);
  out.push_back(d.zone);
  return out;
}

std::optional<Date> Decode(std::string_view bytes) {
  if (bytes.size() < 4) return std::nullopt;
  Date d;
  uint32_t year = 0;
  for (int i = 0; i < 4; ++i) year = year << 8 | static_cast<uint8_t>(bytes[i]);
  d.year = static_cast<int>(year - kYearBias);
  bytes.remove_prefix(4);
  const size_t length = bytes.size();
  for (auto* part : {&d.month, &d.day, &d.hour, &d.minute, &d.second}) {
    if (bytes.empty() || bytes[0] == 0) break;
    *part = static_cast<uint8_t>(bytes[0]) - 1;
    bytes.remove_prefix(1);
  }
  if (d.hour) {
    if (!d.minute || !UnpackDigits(&bytes, &d.fraction)) return std::nullopt;
    if (d.fraction.size() > kMostFraction || (!d.second && !d.fraction.empty()))
      return std::nullopt;
    if (bytes.size() != 1 || (bytes[0] != kUtc && bytes[0] != kLocal)) return std::nullopt;
    d.zone = bytes[0];
  } else if (length > 2 || !bytes.empty()) {
    return std::nullopt;
  }
  if (Fault(d) != nullptr) return std::nullopt;
  return d;
}

// Reads the text forward; every step says whether it found what it looked for.
class Scanner {
 public:
  explicit Scanner(std::string_view text) : rest_(text) {}

  bool AtEnd() const { return rest_.empty(); }
  bool Skip(char c) {
    if (rest_.empty() || rest_[0] != c) return false;
    rest_.remove_prefix(1);
    return true;
  }
  std::string_view Digits() {
    size_t n = 0;
    while (n < rest_.size() && rest_[n] >= '0' && rest_[n] <= '9') ++n;
    const std::string_view digits = rest_.substr(0, n);
    rest_.remove_prefix(n);
    return digits;
  }
  template <class Part>
  bool TwoDigits(Part* part) {
    const std::string_view digits = Digits();
    if (digits.size() != 2) return false;
    *part = (digits[0] - '0') * 10 + (digits[1] - '0');
    return true;
  }

 private:
  std::string_view rest_;
};

bool ScanYear(Scanner* in, int* year) {
  const bool minus = in->Skip('-');
  if (!minus) in->Skip('+');
  const std::string_view digits = in->Digits();
  if (digits.size() < 4 || digits.size() > 6 || (digits.size() > 4 && digits[0] == '0'))
    return false;
  *year = 0;
  for (char c : digits) *year = *year * 10 + (c - '0');
  if (minus && *year == 0) return false;
  if (minus) *year = -*year;
  return true;
}

// *offset is in minutes east of Greenwich.
bool ScanZone(Scanner* in, Date* d, int* offset) {
  d->zone = kLocal;
  *offset = 0;
  if (in->AtEnd()) return true;
  d->zone = kUtc;
  if (in->Skip('Z')) return true;
  const bool west = in->Skip('-');
  if (!west && !in->Skip('+')) return false;
  int hours = 0, minutes = 0;
  if (!in->TwoDigits(&hours)) return false;
  if (in->Skip(':') && !in->TwoDigits(&minutes)) return false;
  if (hours > 23 || minutes > 59) return false;
  *offset = (hours * 60 + minutes) * (west ? -1 : 1);
  return true;
}

bool Scan(Scanner* in, Date* d, int* offset) {
  if (!ScanYear(in, &d->year)) return false;
  if (in->AtEnd()) return true;
  if (!in->Skip('-') || !in->TwoDigits(&d->month)) return false;
  if (in->AtEnd()) return true;
  if (!in->Skip('-') || !in->TwoDigits(&d->day)) return false;
  if (in->AtEnd()) return true;
  if (!in->Skip('T') || !in->TwoDigits(&d->hour)) return false;
  if (!in->Skip(':') || !in->TwoDigits(&d->minute)) return false;
  if (in->Skip(':')) {
    if (!in->TwoDigits(&d->second)) return false;
    if (in->Skip('.')) {
      d->fraction = in->Digits();
      if (d->fraction.empty()) return false;
      while (!d->fraction.empty() && d->fraction.back() == '0') d->fraction.pop_back();
      if (d->fraction.size() > kMostFraction) return false;
    }
  }
  return ScanZone(in, d, offset);
}

}  // namespace

Result<std::string> DateFromText(std::string_view text) {
  const auto bad = [&](std::string_view why) {
    return Error{ErrorKind::kBadInput, fmt::format("\"{}\" is not a date: {}", Excerpt(text), why)};
  };
  Scanner in(text);
  Date d;
  int offset = 0;
  if (!Scan(&in, &d, &offset) || !in.AtEnd()) {
    return bad(
        "write it as 2024, 2024-05, 2024-05-17 or 2024-05-17T08:30:00.25+02:00 (fraction of "
        "at most 9 digits, zone optional)");
  }
  // A second of 60 is judged after the zone: it is 23:59 UTC that matters.
  Date given = d;
  given.second.reset();
  if (const char* fault = Fault(given)) return bad(fault);
  if (offset != 0) {
    const int minutes = *d.hour * 60 + *d.minute - offset;
    const int days = minutes < 0 ? -1 : minutes / 1440;
    d.hour = (minutes - days * 1440) / 60;
    d.minute = (minutes - days * 1440) % 60;
    AddDays(&d, days);
  }
  if (const char* fault = Fault(d)) return bad(fault);
  return Encode(d);
}

std::string DateToText(std::string_view bytes) {
  const std::optional<Date> d = Decode(bytes);
  if (!d) return {};
  std::string out = fmt::format("{}{:04}", d->year < 0 ? "-" : "", std::abs(d->year));
  if (d->month) out += fmt::format("-{:02}", *d->month);
  if (d->day) out += fmt::format("-{:02}", *d->day);
  if (!d->hour) return out;
  out += fmt::format("T{:02}:{:02}", *d->hour, *d->minute);
  if (d->second) out += fmt::format(":{:02}", *d->second);
  if (!d->fraction.empty()) out.append(".").append(d->fraction);
  if (d->zone == kUtc) out += 'Z';
  return out;
}

bool IsDate(std::string_view bytes) {
  return Decode(bytes).has_value();
}

}  // namespace loci
