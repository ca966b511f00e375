// SPDX-License-Identifier: Apache-2.0
//
// In each layer the symbols stand in the order of their bytes: those with one beginning are a
// range, found by bisection, so that Tab is as quick in a memory of millions.
#include "command/shell_names.h"

#include <algorithm>
#include <map>

#include "base/unicode.h"
#include "image/term.h"

namespace loci {
namespace {

constexpr size_t kMostCandidates = 500;
constexpr size_t kMostLooked = 20000;  // names looked at, of which some may be forgotten

bool IsUsed(const Snapshot& snapshot, TermId id, bool only_relations) {
  if (only_relations) return snapshot.IsRelation(id);
  return snapshot.IsSubject(id) || snapshot.IsObject(id) || snapshot.IsRelation(id);
}

// Whether the character may stand in a bare name, not counting those that hold only inside.
bool InBareName(uint32_t point) {
  return IsLetterDigitOrMark(point) || point == '_' || point == '.' || point == ':' ||
         point == '-' || point == '@' || point == '#';
}

}  // namespace

std::vector<std::string> NamesWith(const Snapshot& snapshot, std::string_view prefix,
                                   bool only_relations, size_t most) {
  std::map<std::string, TermId> found;  // of several layers, by name
  for (const auto& layer : snapshot.layers()) {
    LocalId low = layer->first_symbol(), high = layer->terms();
    while (low < high) {
      const LocalId middle = low + (high - low) / 2;
      layer->Name(middle).bytes < prefix ? void(low = middle + 1) : void(high = middle);
    }
    size_t taken = 0;
    for (size_t looked = 0; low < layer->terms() && looked < kMostLooked; ++low, ++looked) {
      const std::string_view name = layer->Name(low).bytes;
      if (!name.starts_with(prefix) || taken == most) break;
      const auto id = snapshot.Find({Kind::kSymbol, name});
      if (!id || !IsUsed(snapshot, *id, only_relations)) continue;
      found.emplace(name, *id);
      ++taken;
    }
  }
  std::vector<std::string> names;
  for (const auto& [name, id] : found) {
    if (names.size() == most) break;
    names.push_back(ToNotation({Kind::kSymbol, name}));
  }
  return names;
}

Completion CompleteQuery(const Snapshot& snapshot, std::string_view line) {
  // Where the last name begins, and how deep in parentheses; <names> and "texts" are passed over.
  size_t begin = line.size(), depth = 0;
  bool bracketed = false;
  for (size_t at = 0; at < line.size();) {
    const char c = line[at];
    if (c == '<' || c == '"') {
      const char close = c == '<' ? '>' : '"';
      size_t end = at + 1;
      while (end < line.size() && line[end] != close) end += line[end] == '\\' ? 2 : 1;
      if (end >= line.size()) {
        if (c == '"') return {};  // within a text there is nothing to complete
        begin = at;
        bracketed = true;
        break;
      }
      at = end + 1;
      begin = line.size();
      continue;
    }
    const CodePoint point = FirstCodePoint(line.substr(at));
    depth += c == '(';
    depth -= c == ')' && depth > 0;
    if (!InBareName(point.value)) {
      begin = line.size();
      if (c == '?') {  // a variable is nobody's name
        for (++at; at < line.size() && InBareName(FirstCodePoint(line.substr(at)).value);) {
          at += FirstCodePoint(line.substr(at)).length;
        }
        if (at >= line.size()) return {};
        continue;
      }
    } else if (begin == line.size()) {
      begin = at;
    }
    at += point.length;
  }
  Completion completion;
  completion.begin = begin;
  const std::string_view begun = line.substr(begin + (bracketed ? 1 : 0));
  // A path in parentheses, (r|s)+, is a relation too; but a term is what nearly always stands
  // there.
  const bool relation = depth == 0;
  // Names that need brackets are offered where one was opened, or where no other begins like this.
  std::vector<std::string> bare, in_brackets;
  for (std::string& name : NamesWith(snapshot, begun, relation, kMostCandidates)) {
    if (name.starts_with('<')) {
      in_brackets.push_back(std::move(name));
    } else if (bracketed) {
      in_brackets.push_back('<' + name + '>');
    } else {
      bare.push_back(std::move(name));
    }
  }
  completion.candidates = bare.empty() ? std::move(in_brackets) : std::move(bare);
  if (relation) {
    for (std::string& candidate : completion.candidates) candidate += '(';
  }
  return completion;
}

}  // namespace loci
