// SPDX-License-Identifier: Apache-2.0
#include "formats/json_line.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/unicode.h"

namespace loci {

bool IsJsonNumber(std::string_view s) {
  const auto digits = [&] {
    size_t n = 0;
    while (n < s.size() && s[n] >= '0' && s[n] <= '9') ++n;
    s.remove_prefix(n);
    return n;
  };
  if (s.starts_with('-')) s.remove_prefix(1);
  const bool zero = s.starts_with('0');
  const size_t whole = digits();
  if (whole == 0 || (zero && whole > 1)) return false;
  if (s.starts_with('.')) {
    s.remove_prefix(1);
    if (digits() == 0) return false;
  }
  if (s.starts_with('e') || s.starts_with('E')) {
    s.remove_prefix(1);
    if (s.starts_with('+') || s.starts_with('-')) s.remove_prefix(1);
    if (digits() == 0) return false;
  }
  return s.empty();
}

bool JsonLine::Open(std::string_view line, std::string_view form, Object* object) {
  padded_.assign(line);
  padded_.resize(line.size() + simdjson::SIMDJSON_PADDING, ' ');
  size_ = line.size();
  simdjson::error_code error =
      parser_.iterate(padded_.data(), size_, padded_.size()).get(document_);
  if (error != simdjson::SUCCESS) {
    // There is no document yet to ask for the place.
    return Fail(FindInvalidUtf8(line),
                error == simdjson::UTF8_ERROR
                    ? "not UTF-8 here; convert the input, e.g. with iconv"
                    : fmt::format("\"{}\" is not JSON: {}", Excerpt(line), error_message(error)));
  }
  if (line[line.find_first_not_of(" \t\r")] != '{') {
    return Fail(0, fmt::format("\"{}\" is not a JSON object; {}", Excerpt(line, 40), form));
  }
  if (size_t last = line.find_last_not_of(" \t\r"); line[last] != '}') {
    while (last > 0 && (line[last] & 0xC0) == 0x80) --last;  // the beginning of the character
    return Fail(last, fmt::format("\"{}\" where the object's closing }} ends the line",
                                  Excerpt(line.substr(last))));
  }
  error = document_.get_object().get(*object);
  return error == simdjson::SUCCESS || Syntax(error);
}

bool JsonLine::Close() {
  const char* rest = nullptr;
  if (document_.current_location().get(rest) != simdjson::SUCCESS) return true;
  const std::string_view line(padded_.data(), size_);
  return Fail(Offset(rest), fmt::format("unexpected \"{}\" after the object; one object a line",
                                        Excerpt(line.substr(std::min(size_, Offset(rest))), 20)));
}

std::string_view JsonLine::Token(Value* value) const {
  const std::string_view token = value->raw_json_token();
  const size_t last = token.find_last_not_of(" \t\r\n");
  return token.substr(0, last == std::string_view::npos ? 0 : last + 1);
}

bool JsonLine::Type(Value* value, simdjson::ondemand::json_type* type) {
  const auto error = value->type().get(*type);
  return error == simdjson::SUCCESS || Syntax(error);
}

bool JsonLine::String(Value* value, Part* part) {
  const std::string_view token = Token(value);
  part->offset = Offset(token.data());
  const auto error = value->get_string().get(part->text);
  if (error == simdjson::SUCCESS) return true;
  return Fail(part->offset,
              fmt::format("the string {} is not valid: {} (an escape, or a lone surrogate)",
                          Excerpt(token, 40), simdjson::error_message(error)));
}

bool JsonLine::Syntax(simdjson::error_code error) {
  const char* at = nullptr;
  std::optional<size_t> offset;
  if (document_.current_location().get(at) == simdjson::SUCCESS && Offset(at) <= size_) {
    offset = Offset(at);
  }
  const std::string_view near = std::string_view(padded_.data(), size_).substr(offset.value_or(0));
  return Fail(offset, fmt::format("not JSON at \"{}\": {}", Excerpt(near, 30),
                                  simdjson::error_message(error)));
}

}  // namespace loci
