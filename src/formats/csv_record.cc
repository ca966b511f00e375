// SPDX-License-Identifier: Apache-2.0
#include "formats/csv_record.h"

#include <algorithm>

namespace loci {

CsvRecord::State CsvRecord::Parse(std::string_view text) {
  fields_.clear();
  starts_.clear();
  // Fields point into these strings, so that they must not move while a record is parsed.
  unquoted_.resize(
      std::max<size_t>(unquoted_.size(), static_cast<size_t>(std::ranges::count(text, ',')) + 1));
  used_ = 0;
  for (size_t at = 0;; ++at) {
    if (at < text.size() && text[at] == '"') {
      State state = State::kWhole;
      if (!Quoted(text, &at, &state)) return state;
    } else {
      const size_t stop = std::min(text.find_first_of(",\"", at), text.size());
      if (stop < text.size() && text[stop] == '"') {
        fault_ = stop;
        return State::kFault;
      }
      fields_.push_back(text.substr(at, stop - at));
      starts_.push_back(at);
      at = stop;
    }
    if (at == text.size()) return State::kWhole;
    if (text[at] != ',') {
      fault_ = at;
      return State::kFault;
    }
  }
}

// The quoted field that opens at *at; *at becomes the offset after its closing quote.
bool CsvRecord::Quoted(std::string_view text, size_t* at, State* state) {
  const size_t open = *at;
  std::string* copy = nullptr;
  for (size_t from = open + 1, segment = from;;) {
    const size_t quote = text.find('"', from);
    if (quote == std::string_view::npos) {
      fault_ = open;
      *state = State::kOpen;
      return false;
    }
    if (quote + 1 < text.size() && text[quote + 1] == '"') {
      if (copy == nullptr) {
        copy = &unquoted_[used_++];
        copy->clear();
      }
      copy->append(text, segment, quote + 1 - segment);
      from = segment = quote + 2;
      continue;
    }
    if (copy != nullptr) {
      copy->append(text, segment, quote - segment);
      fields_.push_back(*copy);
    } else {
      fields_.push_back(text.substr(segment, quote - segment));
    }
    starts_.push_back(open + 1);
    *at = quote + 1;
    return true;
  }
}

size_t CsvRecord::Place(std::string_view text, size_t field, size_t offset) const {
  size_t at = starts_[field];
  const bool quoted = at > 0 && text[at - 1] == '"';
  for (; offset > 0 && at < text.size(); --offset) at += quoted && text[at] == '"' ? 2 : 1;
  return at;
}

}  // namespace loci
