// SPDX-License-Identifier: Apache-2.0
//
// JsonLine: one line that is one JSON object (RFC 8259), taken apart on demand by simdjson, with
// the place of what is wrong with it. The formats of one object a line share it.
//
//   json::object object;
//   if (!line.Open(text, form, &object)) return false;    // fault() says why
//   for (auto item : object) { if (!line.Key(item, &key, &value)) ... }
//   if (!line.Close(form)) ...
#pragma once

#include <simdjson.h>

#include <optional>
#include <string>
#include <string_view>

#include "formats/reading.h"

namespace loci {

// What JSON calls a number; the decimals of ours also allow 01, +1, .5 and 5.
bool IsJsonNumber(std::string_view characters);

class JsonLine {
 public:
  using Object = simdjson::ondemand::object;
  using Value = simdjson::ondemand::value;

  // A member's value and where it is. A view into this JsonLine, until the next Open.
  struct Part {
    bool present = false;
    std::string_view text;
    size_t offset = 0;
  };

  // The line is neither empty nor blank. form: what should have been written, for messages.
  bool Open(std::string_view line, std::string_view form, Object* object);
  // After all members: nothing may follow.
  bool Close();

  // The key of a member, at *offset, and its value.
  template <class Item>
  bool Key(Item&& item, std::string_view* key, size_t* offset, Value* value) {
    simdjson::ondemand::field field;
    if (const auto error = std::move(item).get(field)) return Syntax(error);
    *offset = Offset(field.key().raw()) - 1;
    if (const auto error = field.unescaped_key().get(*key)) return Syntax(error);
    *value = field.value();
    return true;
  }

  // A value's characters as they stand, without what is around them.
  std::string_view Token(Value* value) const;
  bool Type(Value* value, simdjson::ondemand::json_type* type);
  // The value, known to be a string, unescaped.
  bool String(Value* value, Part* part);

  bool Syntax(simdjson::error_code error);
  bool Fail(std::optional<size_t> offset, std::string reason) {
    fault_ = {offset, std::move(reason)};
    return false;
  }
  const LineFault& fault() const { return fault_; }
  size_t Offset(const char* at) const { return static_cast<size_t>(at - padded_.data()); }

 private:
  simdjson::ondemand::parser parser_;
  simdjson::ondemand::document document_;
  std::string padded_;
  size_t size_ = 0;
  LineFault fault_;
};

}  // namespace loci
