// SPDX-License-Identifier: Apache-2.0
#include "recall/neighbours.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <unordered_map>

#include "text/fields.h"

namespace loci::recall {
namespace {

constexpr int kReach = 4;
constexpr uint64_t kNear[kReach + 1] = {100, 50, 40, 32, 26};  // hundredths
constexpr uint64_t kBehindQuestion = 80;

// What is looked at of a passage, once.
struct Passage {
  std::vector<uint32_t> gains;
  bool asks = false;
};

class Neighbourhood {
 public:
  Neighbourhood(const Snapshot& snapshot, const Collection& collection, const Cue& cue)
      : snapshot_(snapshot), collection_(collection), cue_(cue) {
    if (const auto id = snapshot.Find({Kind::kSymbol, kPartOfRelation})) part_of_ = *id;
  }

  bool any() const { return part_of_ != kNone; }

  std::vector<TermId> WholesOf(TermId item) const {
    std::vector<TermId> wholes;
    snapshot_.Objects(item, part_of_, &wholes);
    return wholes;
  }

  // The passage so many places away, of one of these wholes; kNoDocument: there is none.
  DocumentId At(std::string_view name, int64_t step, const std::vector<TermId>& wholes) const {
    const std::string other = NumberedName(name, step);
    if (other.empty()) return kNoDocument;
    const auto item = snapshot_.Find({Kind::kSymbol, other});
    if (!item) return kNoDocument;
    for (const TermId whole : wholes) {
      if (snapshot_.Has({*item, part_of_, whole})) return collection_.DocumentOf(*item);
    }
    return kNoDocument;
  }

  const Passage& Look(DocumentId document) {
    const auto [at, is_new] = passages_.try_emplace(document);
    if (is_new) {
      GainsOf(collection_, cue_, document, &at->second.gains);
      at->second.asks = Asks(collection_.ItemOf(document));
    }
    return at->second;
  }

 private:
  static constexpr TermId kNone = ~TermId{0};

  bool Asks(TermId item) const {
    std::vector<Edge> edges;
    snapshot_.EdgesFrom(item, &edges);
    for (const Edge& edge : edges) {
      const TermView object = snapshot_.Name(edge.other);
      if (object.kind != Kind::kText) continue;
      std::string_view text = SplitText(object.bytes).text;
      while (text.ends_with(' ') || text.ends_with('\n')) text.remove_suffix(1);
      for (const char* mark : {"?", "\xEF\xBC\x9F", "\xD8\x9F"}) {
        if (text.ends_with(mark)) return true;
      }
    }
    return false;
  }

  const Snapshot& snapshot_;
  const Collection& collection_;
  const Cue& cue_;
  TermId part_of_ = kNone;
  std::unordered_map<DocumentId, Passage> passages_;
};

}  // namespace

bool HasPassages(const Snapshot& snapshot) {
  return snapshot.Find({Kind::kSymbol, kPartOfRelation}).has_value();
}

std::string NumberedName(std::string_view name, int64_t step) {
  size_t begin = name.size();
  while (begin > 0 && name[begin - 1] >= '0' && name[begin - 1] <= '9') --begin;
  const size_t digits = name.size() - begin;
  if (digits == 0 || digits > 18) return {};
  int64_t number = 0;
  std::from_chars(name.data() + begin, name.data() + name.size(), number);
  number += step;
  if (number < 0) return {};
  const bool padded = digits > 1 && name[begin] == '0';
  std::string other(name.substr(0, begin));
  other += padded ? fmt::format("{:0{}}", number, digits) : fmt::format("{}", number);
  return other;
}

std::vector<Raised> RaiseByNeighbours(const Snapshot& snapshot, const Collection& collection,
                                      const Cue& cue, const std::vector<DocumentId>& documents) {
  std::vector<Raised> all;
  Neighbourhood around(snapshot, collection, cue);
  if (!around.any()) return all;
  std::vector<DocumentId> passages;
  for (const DocumentId document : documents) {
    const std::string_view name = collection.NameOf(document);
    if (NumberedName(name, 0).empty()) continue;
    const auto wholes = around.WholesOf(collection.ItemOf(document));
    if (wholes.empty()) continue;
    passages.push_back(document);
    for (int step = 1; step <= kReach; ++step) {
      for (const int64_t way : {-step, step}) {
        const DocumentId other = around.At(name, way, wholes);
        if (other != kNoDocument) passages.push_back(other);
      }
    }
  }
  std::ranges::sort(passages);
  passages.erase(std::unique(passages.begin(), passages.end()), passages.end());
  for (const DocumentId document : passages) {
    const std::string_view name = collection.NameOf(document);
    const auto wholes = around.WholesOf(collection.ItemOf(document));
    std::vector<uint64_t> best(cue.words.size(), 0);
    const Passage own = around.Look(document);
    for (size_t w = 0; w < best.size(); ++w) best[w] = own.gains[w];
    Raised raised{document, 0, own.asks, kNoDocument};
    uint64_t most = 0;
    for (int step = 1; step <= kReach; ++step) {
      for (const int64_t way : {-step, step}) {
        const DocumentId other = around.At(name, way, wholes);
        if (other == kNoDocument) continue;
        const Passage& there = around.Look(other);
        const uint64_t near = way == -1 && there.asks ? kBehindQuestion : kNear[step];
        uint64_t gained = 0;
        for (size_t w = 0; w < best.size(); ++w) {
          const uint64_t gain = there.gains[w] * near / 100;
          if (gain <= best[w]) continue;
          gained += gain - best[w];
          best[w] = gain;
        }
        raised.more += gained;
        if (gained > most) {
          most = gained;
          raised.from = other;
        }
      }
    }
    all.push_back(raised);
  }
  return all;
}

}  // namespace loci::recall
