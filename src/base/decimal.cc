// SPDX-License-Identifier: Apache-2.0
#include "base/decimal.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <optional>

#include "base/unicode.h"

namespace loci {
namespace {

constexpr char kZero = '\x80', kPositive = '\x81', kNegative = '\x7F';
constexpr size_t kMostDigits = 34;
constexpr int64_t kLeastExponent = -6143, kMostExponent = 6144;
constexpr int kLeastPlain = -7, kMostPlain = 33;  // exponents written in plain digits

struct Decimal {
  bool negative = false;
  int exponent = 0;    // of the leading digit
  std::string digits;  // empty: zero; no zero at either end
};

bool IsDigit(char c) {
  return c >= '0' && c <= '9';
}

Error NotANumber(std::string_view text, std::string_view why) {
  return Error{ErrorKind::kBadInput, fmt::format("\"{}\" is not a number: {}", Excerpt(text), why)};
}

void Complement(std::string* bytes, size_t from) {
  for (size_t i = from; i < bytes->size(); ++i) (*bytes)[i] = static_cast<char>(~(*bytes)[i]);
}

std::string Encode(const Decimal& d) {
  if (d.digits.empty()) return {kZero};
  const int biased = d.exponent + 0x8000;
  std::string out = {d.negative ? kNegative : kPositive, static_cast<char>(biased >> 8),
                     static_cast<char>(biased & 0xFF)};
  PackDigits(d.digits, &out);
  if (d.negative) Complement(&out, 1);
  return out;
}

std::optional<Decimal> Decode(std::string_view bytes) {
  Decimal d;
  if (bytes.size() == 1 && bytes[0] == kZero) return d;
  if (bytes.size() < 5 || (bytes[0] != kPositive && bytes[0] != kNegative)) return std::nullopt;
  d.negative = bytes[0] == kNegative;
  std::string positive(bytes.substr(1));
  if (d.negative) Complement(&positive, 0);
  d.exponent =
      (static_cast<uint8_t>(positive[0]) << 8 | static_cast<uint8_t>(positive[1])) - 0x8000;
  std::string_view packed = std::string_view(positive).substr(2);
  if (!UnpackDigits(&packed, &d.digits) || !packed.empty()) return std::nullopt;
  if (d.digits.empty() || d.digits.front() == '0' || d.digits.size() > kMostDigits ||
      d.exponent < kLeastExponent || d.exponent > kMostExponent) {
    return std::nullopt;
  }
  return d;
}

}  // namespace

void PackDigits(std::string_view digits, std::string* out) {
  for (size_t i = 0; i < digits.size(); i += 2) {
    const int a = digits[i] - '0', b = i + 1 < digits.size() ? digits[i + 1] - '0' : 0;
    out->push_back(static_cast<char>(10 * a + b + 1));
  }
  out->push_back('\0');
}

bool UnpackDigits(std::string_view* packed, std::string* digits) {
  digits->clear();
  while (!packed->empty()) {
    const auto pair = static_cast<uint8_t>(packed->front());
    packed->remove_prefix(1);
    if (pair == 0) {
      if (digits->empty()) return true;
      if (digits->back() == '0') digits->pop_back();
      return digits->back() != '0';
    }
    if (pair > 100) return false;
    digits->push_back(static_cast<char>('0' + (pair - 1) / 10));
    digits->push_back(static_cast<char>('0' + (pair - 1) % 10));
  }
  return false;
}

Result<std::string> DecimalFromText(std::string_view text) {
  Decimal d;
  std::string_view rest = text;
  if (!rest.empty() && (rest[0] == '+' || rest[0] == '-')) {
    d.negative = rest[0] == '-';
    rest.remove_prefix(1);
  }
  // Of the digits only the significant ones are kept, so that a long run of zeros costs nothing.
  bool any = false, past_point = false;
  int64_t exponent = -1;  // of the leading digit, before an explicit exponent
  size_t zeros = 0;       // seen since the last other digit
  for (; !rest.empty(); rest.remove_prefix(1)) {
    const char c = rest[0];
    if (c == '.' && !past_point) {
      past_point = true;
      continue;
    }
    if (!IsDigit(c)) break;
    any = true;
    if (d.digits.empty() && c == '0') {
      exponent -= past_point;
      continue;
    }
    exponent += !past_point;
    if (c == '0') {
      ++zeros;
      continue;
    }
    if (d.digits.size() + zeros + 1 > kMostDigits) {
      return NotANumber(text, fmt::format("it has more than {} significant digits; round it, or "
                                          "keep it as a text",
                                          kMostDigits));
    }
    d.digits.append(zeros, '0').push_back(c);
    zeros = 0;
  }
  if (!any)
    return NotANumber(text, "write digits as in -12.5 or 3e8 (NaN and infinities are not kept)");
  if (!rest.empty() && (rest[0] == 'e' || rest[0] == 'E')) {
    rest.remove_prefix(1);
    const bool minus = !rest.empty() && rest[0] == '-';
    if (!rest.empty() && (rest[0] == '+' || rest[0] == '-')) rest.remove_prefix(1);
    if (rest.empty()) return NotANumber(text, "digits must follow the exponent's e, as in 3e8");
    int64_t given = 0;
    for (; !rest.empty() && IsDigit(rest[0]); rest.remove_prefix(1)) {
      given = std::min<int64_t>(given * 10 + (rest[0] - '0'), int64_t{1} << 50);
    }
    exponent += minus ? -given : given;
  }
  if (!rest.empty()) {
    return NotANumber(text,
                      fmt::format("unexpected \"{}\" after the digits; write it as in -12.5e3",
                                  Excerpt(rest, 20)));
  }
  if (!d.digits.empty() && (exponent < kLeastExponent || exponent > kMostExponent)) {
    return NotANumber(text, fmt::format("its power of ten is outside {} to {}; keep it as a text",
                                        kLeastExponent, kMostExponent));
  }
  if (!d.digits.empty()) d.exponent = static_cast<int>(exponent);
  return Encode(d);
}

std::string DecimalToText(std::string_view bytes) {
  const std::optional<Decimal> d = Decode(bytes);
  if (!d) return {};
  if (d->digits.empty()) return "0";
  std::string out = d->negative ? "-" : "";
  const std::string& digits = d->digits;
  if (d->exponent < kLeastPlain || d->exponent > kMostPlain) {
    out += digits[0];
    if (digits.size() > 1) out.append(".").append(digits, 1);
    return out + fmt::format("e{}", d->exponent);
  }
  if (d->exponent < 0) return out.append("0.").append(-d->exponent - 1, '0').append(digits);
  const auto whole = static_cast<size_t>(d->exponent) + 1;
  if (digits.size() <= whole) return out.append(digits).append(whole - digits.size(), '0');
  return out.append(digits, 0, whole).append(".").append(digits, whole);
}

bool IsDecimal(std::string_view bytes) {
  return Decode(bytes).has_value();
}

}  // namespace loci
