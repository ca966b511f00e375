// SPDX-License-Identifier: Apache-2.0
#include "query/strata.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "base/unicode.h"

namespace loci::query {

void Strata::Add(const std::string& relation, const Body& body,
                 const std::vector<Term>& constants) {
  const auto [at, is_new] = numbers_.try_emplace(relation, static_cast<uint32_t>(names_.size()));
  if (is_new) {
    names_.push_back(relation);
    needs_.emplace_back();
  }
  std::vector<Need>& needs = needs_[at->second];
  EachRelation(body, false, [&](uint32_t needed, bool negated) {
    needs.push_back({needed == kAnyRelation ? std::string() : constants[needed].bytes, negated});
  });
}

std::optional<uint32_t> Strata::NumberOf(const std::string& relation) const {
  const auto at = numbers_.find(relation);
  return at == numbers_.end() ? std::nullopt : std::optional(at->second);
}

void Strata::Link() {
  edges_.assign(names_.size(), {});
  for (uint32_t i = 0; i < names_.size(); ++i) {
    for (const Need& need : needs_[i]) {
      if (need.relation.empty()) {
        for (uint32_t to = 0; to < names_.size(); ++to) edges_[i].push_back({to, need.negated});
      } else if (const auto to = NumberOf(need.relation)) {
        edges_[i].push_back({*to, need.negated});
      }
    }
  }
}

// Strongly connected components (Tarjan 1972), with a stack of its own. They come out callee first.
void Strata::FindGroups() {
  const auto n = static_cast<uint32_t>(names_.size());
  constexpr uint32_t kUnseen = UINT32_MAX;
  std::vector<uint32_t> index(n, kUnseen), low(n, 0), open;
  std::vector<size_t> next(n, 0);
  std::vector<uint8_t> is_open(n, 0);
  group_of_.assign(n, 0);
  uint32_t counter = 0;
  for (uint32_t root = 0; root < n; ++root) {
    if (index[root] != kUnseen) continue;
    std::vector<uint32_t> path = {root};
    while (!path.empty()) {
      const uint32_t at = path.back();
      if (next[at] == 0) {
        index[at] = low[at] = counter++;
        open.push_back(at);
        is_open[at] = 1;
      }
      if (next[at] < edges_[at].size()) {
        const uint32_t to = edges_[at][next[at]++].to;
        if (index[to] == kUnseen) {
          path.push_back(to);
        } else if (is_open[to]) {
          low[at] = std::min(low[at], index[to]);
        }
        continue;
      }
      next[at] = edges_[at].size() + 1;
      path.pop_back();
      if (!path.empty()) low[path.back()] = std::min(low[path.back()], low[at]);
      if (low[at] != index[at]) continue;
      std::vector<uint32_t>& group = groups_.emplace_back();
      do {
        group.push_back(open.back());
        is_open[open.back()] = 0;
        group_of_[open.back()] = static_cast<uint32_t>(groups_.size() - 1);
        open.pop_back();
      } while (group.back() != at);
      std::sort(group.begin(), group.end());
    }
  }
}

Result<void> Strata::Arrange() {
  Link();
  groups_.clear();
  FindGroups();
  recursive_.assign(groups_.size(), 0);
  for (uint32_t from = 0; from < names_.size(); ++from) {
    for (const Edge& edge : edges_[from]) {
      if (group_of_[edge.to] != group_of_[from]) continue;
      recursive_[group_of_[from]] = 1;
      if (edge.negated) return Circle(from, edge);
    }
  }
  return {};
}

// The shortest way back from what is negated.
Error Strata::Circle(uint32_t from, const Edge& edge) const {
  std::vector<uint32_t> came(names_.size(), UINT32_MAX), level = {edge.to};
  came[edge.to] = edge.to;
  for (size_t i = 0; i < level.size() && came[from] == UINT32_MAX; ++i) {
    for (const Edge& next : edges_[level[i]]) {
      if (came[next.to] != UINT32_MAX) continue;
      came[next.to] = level[i];
      level.push_back(next.to);
    }
  }
  std::vector<uint32_t> way;
  for (uint32_t at = from; at != edge.to; at = came[at]) way.push_back(at);
  const auto name = [this](uint32_t i) {
    return Excerpt(ToNotation(TermView{Kind::kSymbol, names_[i]}));
  };
  std::string circle = fmt::format("{} needs \"not {}\"", name(from), name(edge.to));
  uint32_t at = edge.to;
  for (auto next = way.rbegin(); next != way.rend(); at = *next++) {
    circle += fmt::format(", {} needs {}", name(at), name(*next));
  }
  return {ErrorKind::kUsage,
          fmt::format("the rules go round in a circle through \"not\": {}; what is negated must be "
                      "known without it",
                      circle)};
}

}  // namespace loci::query
