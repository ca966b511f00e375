// SPDX-License-Identifier: Apache-2.0
//
// Shape: what one pass over a text says of the JSON that it may be, before anything is built of it.
// nlohmann's parser has a callback that could watch depth and members, but then looks through all
// earlier siblings whenever an object ends: 16 MB of `{},{},...` took hours. And of a message that
// cannot be parsed the id is still found, so that its sender need not wait for an answer in vain.
//
// Strings and brackets are told apart, nothing else is checked: of JSON all of it is true, of other
// text it is a guess that only chooses the words of an error.
#pragma once

#include <cstddef>
#include <string_view>

namespace loci::mcp {

struct Shape {
  size_t depth = 0;    // of arrays and objects, one in another
  size_t members = 0;  // of the object that has most, as deep as kWatchedDepth
  size_t values = 0;   // at least as many as there are, but one for each container that is empty
  // The text of the member "id" of the object that the text is; empty where there is none, or where
  // brackets are left open. Of several the last, as a parser has it.
  std::string_view id = {};
};

inline constexpr size_t kWatchedDepth = 64;

Shape ShapeOf(std::string_view text);

// The shape's id of a text of which only the end is there, where "id" is the last member.
std::string_view IdAtEnd(std::string_view end);

}  // namespace loci::mcp
