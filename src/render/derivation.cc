// SPDX-License-Identifier: Apache-2.0
#include "render/derivation.h"

#include <vector>

#include <fmt/format.h>

#include "base/fixed.h"
#include "query/facts.h"
#include "render/score.h"

namespace loci {
namespace {

using Json = nlohmann::ordered_json;
using query::Derivation;

// Which node is the last of those that stand below the same one: no later node of its level comes
// before one of a lower level.
std::vector<bool> FindLast(const Derivation& derivation) {
  const auto& nodes = derivation.nodes;
  std::vector<bool> last(nodes.size());
  std::vector<bool> open;  // by level: a sibling follows
  for (size_t i = nodes.size(); i-- > 0;) {
    const uint32_t level = nodes[i].level;
    open.resize(level + 1, false);
    last[i] = !open[level];
    open[level] = true;
  }
  return last;
}

std::string SourcesText(const Snapshot& snapshot, const Derivation::Node& node) {
  std::string out;
  for (TermId source : node.sources) {
    out += out.empty() ? "  from " : ", ";
    out += ToNotation(snapshot.Name(source));
    out += ' ' + query::StatementAddress(snapshot, node.fact, source);
  }
  return out;
}

// What is certain needs no number.
std::string ScoreText(const Derivation::Node& node) {
  return node.score == kScoreOne ? "" : fmt::format("  score {}", ScoreNumber(node.score));
}

// "  by jaws 0.31, directed 0.2"
std::string WordsText(const Derivation::Node& node) {
  std::string out;
  for (const recall::MatchedWord& word : node.words) {
    out += out.empty() ? "  by " : ", ";
    out += fmt::format("{} {:.3g}", word.cue, ScoreNumber(word.weight));
  }
  return out;
}

std::string NodeText(const Snapshot& snapshot, const Derivation::Node& node, bool is_leaf) {
  switch (node.kind) {
    case Derivation::Kind::kStatement:
      return node.clause + SourcesText(snapshot, node);
    case Derivation::Kind::kRule:
      return "rule " + node.clause + SourcesText(snapshot, node);
    case Derivation::Kind::kDerived:
    case Derivation::Kind::kOr:
      return node.clause + ScoreText(node);
    case Derivation::Kind::kAgain:
      return node.clause + ScoreText(node) + "  as above";
    case Derivation::Kind::kPath:
      return node.clause + ScoreText(node) + (is_leaf ? "  the walk of no step" : "");
    case Derivation::Kind::kNot:
      return "nothing is known of: " + node.clause;
    case Derivation::Kind::kCompare:
      return node.clause + "  holds";
    case Derivation::Kind::kMore:
      return "... " + node.clause;
    case Derivation::Kind::kLike:
      return node.clause + ScoreText(node) + WordsText(node);
    case Derivation::Kind::kLink:
      return node.clause;
  }
  return {};
}

const char* KindName(Derivation::Kind kind) {
  switch (kind) {
    case Derivation::Kind::kStatement:
      return "statement";
    case Derivation::Kind::kDerived:
      return "derived";
    case Derivation::Kind::kRule:
      return "rule";
    case Derivation::Kind::kAgain:
      return "again";
    case Derivation::Kind::kPath:
      return "path";
    case Derivation::Kind::kOr:
      return "or";
    case Derivation::Kind::kNot:
      return "not";
    case Derivation::Kind::kCompare:
      return "compare";
    case Derivation::Kind::kMore:
      return "more";
    case Derivation::Kind::kLike:
      return "like";
    case Derivation::Kind::kLink:
      return "link";
  }
  return "";
}

}  // namespace

Json NodeJson(const Snapshot& snapshot, const Derivation::Node& node) {
  Json json = {{"kind", KindName(node.kind)}, {"clause", node.clause}};
  if (node.score != kScoreOne || node.kind == Derivation::Kind::kDerived) {
    json["score"] = ScoreNumber(node.score);
  }
  for (const recall::MatchedWord& word : node.words) {
    json["words"].push_back({{"word", word.cue}, {"weight", ScoreNumber(word.weight)}});
  }
  if (!node.sources.empty()) {
    json["sources"] = Json::array();
    json["addresses"] = Json::array();
  }
  for (TermId source : node.sources) {
    json["sources"].push_back(ToPlain(snapshot.Name(source)));
    json["addresses"].push_back(query::StatementAddress(snapshot, node.fact, source));
  }
  return json;
}

std::vector<std::string> DerivationLines(const Snapshot& snapshot, const Derivation& derivation,
                                         bool below_answer) {
  const auto& nodes = derivation.nodes;
  const std::vector<bool> last = FindLast(derivation);
  const size_t margin = below_answer ? 0 : 1;  // levels without branches
  std::vector<std::string> lines;
  std::vector<bool> ended;  // by level: the node at hand is below the last of that level
  for (size_t i = 0; i < nodes.size(); ++i) {
    const uint32_t level = nodes[i].level;
    ended.resize(level);
    std::string& out = lines.emplace_back();
    for (size_t above = margin; above < level; ++above) out += ended[above] ? "   " : "│  ";
    if (level >= margin) out += last[i] ? "└─ " : "├─ ";
    const bool is_leaf = i + 1 == nodes.size() || nodes[i + 1].level <= level;
    out += NodeText(snapshot, nodes[i], is_leaf);
    ended.push_back(last[i]);
  }
  return lines;
}

std::string DerivationText(const Snapshot& snapshot, const Derivation& derivation,
                           bool below_answer) {
  std::string out;
  for (const std::string& line : DerivationLines(snapshot, derivation, below_answer)) {
    out += line + '\n';
  }
  return out;
}

Json DerivationJson(const Snapshot& snapshot, const Derivation& derivation) {
  Json root = Json::array();
  // The list that each level at hand adds to; below a node it appears with the first one there.
  std::vector<Json*> lists = {&root};
  for (const Derivation::Node& node : derivation.nodes) {
    if (node.level + 1 < lists.size()) lists.resize(node.level + 1);
    if (node.level == lists.size()) {
      Json& above = lists.back()->back();
      above["below"] = Json::array();
      lists.push_back(&above["below"]);
    }
    lists.back()->push_back(NodeJson(snapshot, node));
  }
  return root;
}

}  // namespace loci
