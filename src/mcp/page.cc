// SPDX-License-Identifier: Apache-2.0
#include "mcp/page.h"

#include <algorithm>

#include <fmt/format.h>

#include "base/unicode.h"

namespace loci::mcp {
namespace {

// A value is shown up to this share of the room: one long text does not take all of a page.
constexpr uint64_t kShareOfValue = 4;
constexpr size_t kLeastValue = 16;

}  // namespace

std::string Cut(std::string_view text, size_t most) {
  if (text.size() <= most) return std::string(text);
  const std::string note = fmt::format("...(+{} bytes)", text.size());  // as long as it can get
  const bool told = note.size() < most;
  const size_t room = told ? most - note.size() : most;
  size_t end = 0;
  while (end < text.size()) {
    const size_t next = end + FirstCodePoint(text.substr(end)).length;
    if (next > room) break;
    end = next;
  }
  std::string out(text.substr(0, end));
  if (told) out += fmt::format("...(+{} bytes)", text.size() - end);
  return out;
}

Page::Page(uint64_t max_bytes) : room_(max_bytes - kFrame) {}

bool Page::Add(PageItem item) {
  const uint64_t json = ToText(item.json).size() + 1;
  if (text_.size() + item.text.size() > room_ || json_bytes_ + json > room_) return false;
  text_ += item.text;
  json_bytes_ += json;
  items_.push_back(std::move(item.json));
  ++size_;
  return true;
}

bool Page::AddFitting(const std::function<PageItem(size_t most)>& render, Json empty) {
  for (size_t most = room_ / kShareOfValue; most >= kLeastValue; most /= 2) {
    if (Add(render(most))) return true;
    if (size_ > 0) return false;
  }
  return Add(
      {"(one item is larger than this page; raise max_bytes to see it)\n", std::move(empty)});
}

}  // namespace loci::mcp
