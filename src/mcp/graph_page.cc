// SPDX-License-Identifier: Apache-2.0
//
// What a thing will take is known before it is put in: the sums below are those of the printer
// (ToText with an indent of 2), rounded up. So the budget holds without printing twice.
#include "mcp/graph_page.h"

#include <charconv>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "base/unicode.h"

namespace loci::mcp {
namespace {

constexpr uint64_t kFrameBytes = 100;  // braces, the two keys
constexpr uint64_t kEntityBytes = 96;  // an entity's keys, commas, margins
constexpr uint64_t kObservationBytes = 12;
constexpr uint64_t kRelationBytes = 72;
constexpr uint64_t kLeftOutBytes = 600;
constexpr std::string_view kCut = " [...]";

class Page {
 public:
  Page(const Graph& graph, std::span<const TermId> subjects, const PageRequest& request)
      : graph_(graph), subjects_(subjects), request_(request), room_(request.max_bytes) {
    room_ -= kFrameBytes + kLeftOutBytes;
    if (!request.incoming) return;
    for (size_t i = 0; i < subjects.size(); ++i) place_.emplace(subjects[i], i);
  }

  Result<void> Fill(const ToolContext& context) {
    unit_ = request_.unit;
    for (subject_ = request_.subject; subject_ < subjects_.size(); ++subject_, unit_ = 0) {
      if (subject_ % 256 == 0 && !context.KeepGoing()) {
        return Error{ErrorKind::kCancelled, "cancelled"};
      }
      if (!FillSubject(subjects_[subject_])) break;
    }
    return {};
  }

  ToolResult Finish() {
    Json left_out;
    if (subject_ < subjects_.size() || !note_.empty()) {
      left_out["shown"] = subject_ - request_.subject;
      left_out["of"] = subjects_.size();
      if (subject_ < subjects_.size()) {
        left_out["next_cursor"] = fmt::format("{}.{}", subject_, unit_);
        left_out["how"] =
            "call again with cursor = next_cursor; or names_only, more max_bytes, "
            "search_nodes, recall";
      }
      if (!note_.empty()) left_out["note"] = note_;
    }
    ToolResult result;
    result.structured = {{"entities", std::move(entities_)}, {"relations", std::move(relations_)}};
    if (!left_out.is_null()) result.structured["left_out"] = std::move(left_out);
    result.text = ToText(result.structured, 2);
    return result;
  }

 private:
  bool empty() const { return entities_.empty() && relations_.empty(); }

  bool Take(uint64_t bytes) {
    if (bytes > room_) return false;
    room_ -= bytes;
    return true;
  }

  // False: the page is full; unit_ is where to go on.
  bool FillSubject(TermId id) {
    const bool is_entity = graph_.IsEntity(id);
    std::vector<TermId> observations;
    if (is_entity && !request_.names_only) observations = graph_.Observations(id);
    if (is_entity && (unit_ == 0 || unit_ < observations.size())) {
      if (!FillEntity(id, observations)) return false;
    }
    unit_ = std::max(unit_, observations.size());
    return request_.names_only || FillRelations(id, observations.size());
  }

  bool FillEntity(TermId id, const std::vector<TermId>& observations) {
    const std::string_view name = graph_.Plain(id), type = graph_.TypeOf(id);
    const uint64_t bytes = kEntityBytes + TextBytes(name) + TextBytes(type);
    if (!Take(bytes)) {
      if (!empty()) return false;
      PassOver(name, bytes);
      unit_ = observations.size();
      return true;
    }
    const bool first = empty();
    Json texts = Json::array();
    bool whole = true;
    for (; unit_ < observations.size(); ++unit_) {
      const std::string_view text = graph_.Plain(observations[unit_]);
      if (Take(kObservationBytes + TextBytes(text))) {
        texts.push_back(std::string(text));
        continue;
      }
      whole = false;
      if (first && texts.empty()) texts.push_back(Cut(text));
      break;
    }
    if (whole || !texts.empty()) {
      entities_.push_back({{"name", std::string(name)},
                           {"entityType", std::string(type)},
                           {"observations", std::move(texts)}});
    } else {
      room_ += bytes;  // an entity without any of its observations would look as if it had none
    }
    return whole;
  }

  // As much of a text that is larger than a page as goes into one; the next page goes on after it.
  std::string Cut(std::string_view text) {
    size_t size = std::min<size_t>(text.size(), room_);
    const auto fits = [&] {
      return kObservationBytes + TextBytes(text.substr(0, size)) + kCut.size() <= room_;
    };
    while (size > 0 && (!fits() || (size < text.size() && (text[size] & 0xC0) == 0x80))) {
      size -= fits() ? 1 : std::max<size_t>(1, size / 8);
    }
    note_ = fmt::format("an observation of {} bytes is cut; max_bytes of {} or more shows it whole",
                        text.size(), TextBytes(text) + kLeastMaxBytes);
    room_ = 0;
    ++unit_;
    return std::string(text.substr(0, size)) + std::string(kCut);
  }

  bool FillRelations(TermId id, size_t before) {
    std::vector<Fact> facts = graph_.RelationsFrom(id);
    if (request_.incoming) {
      std::erase_if(facts, [&](const Fact& fact) { return ShownBefore(fact.object); });
      for (const Fact& fact : graph_.RelationsTo(id)) {
        if (fact.subject != id && !ShownBefore(fact.subject)) facts.push_back(fact);
      }
    }
    for (; unit_ - before < facts.size(); ++unit_) {
      const Fact& fact = facts[unit_ - before];
      const std::string_view from = graph_.Plain(fact.subject), to = graph_.Plain(fact.object),
                             type = graph_.Plain(fact.relation);
      const uint64_t bytes = kRelationBytes + TextBytes(from) + TextBytes(to) + TextBytes(type);
      if (Take(bytes)) {
        relations_.push_back({{"from", std::string(from)},
                              {"to", std::string(to)},
                              {"relationType", std::string(type)}});
      } else if (!empty()) {
        return false;
      } else {
        PassOver(from, bytes);
      }
    }
    return true;
  }

  // Whether another subject, earlier in the order, has shown what it and this one share.
  bool ShownBefore(TermId other) const {
    const auto found = place_.find(other);
    return found != place_.end() && found->second < subject_;
  }

  void PassOver(std::string_view name, uint64_t bytes) {
    note_ = fmt::format("passed over, larger than a page: {}; max_bytes of {} or more shows it",
                        Excerpt(name), bytes + kLeastMaxBytes);
  }

  const Graph& graph_;
  const std::span<const TermId> subjects_;
  const PageRequest& request_;
  uint64_t room_;
  std::unordered_map<TermId, size_t> place_;  // looked up, never walked
  size_t subject_ = 0, unit_ = 0;
  Json entities_ = Json::array(), relations_ = Json::array();
  std::string note_;
};

}  // namespace

Result<PageRequest> RequestOf(const Json& arguments, const ToolContext& context) {
  PageRequest request;
  request.max_bytes = MaxBytesOf(arguments, context);
  request.names_only = arguments.value("names_only", false);
  const std::string cursor = arguments.value("cursor", std::string());
  if (cursor.empty()) return request;
  const char* const end = cursor.data() + cursor.size();
  const auto [dot, fault] = std::from_chars(cursor.data(), end, request.subject);
  if (fault == std::errc() && dot != end && *dot == '.') {
    const auto [last, other_fault] = std::from_chars(dot + 1, end, request.unit);
    if (other_fault == std::errc() && last == end) return request;
  }
  return Error{ErrorKind::kUsage,
               fmt::format("the cursor '{}' is none; give the next_cursor of a result as it is",
                           Excerpt(cursor))};
}

Result<ToolResult> ShowPage(const Graph& graph, std::span<const TermId> subjects,
                            const PageRequest& request, const ToolContext& context) {
  Page page(graph, subjects, request);
  LOCI_TRY(page.Fill(context));
  LOCI_TRY(graph.snapshot().damage());
  return page.Finish();
}

}  // namespace loci::mcp
