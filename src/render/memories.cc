// SPDX-License-Identifier: Apache-2.0
#include "render/memories.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/unicode.h"
#include "query/cut_text.h"
#include "query/facts.h"
#include "render/evidence.h"
#include "render/score.h"

namespace loci {
namespace {

using Json = nlohmann::ordered_json;
using query::Recollected;

constexpr size_t kLeastText = 40;  // less of a longer one is not worth showing
constexpr size_t kMostAdded = 5;   // words of the second cue that are told
constexpr std::string_view kBold = "\x1b[1m", kPlain = "\x1b[0m";

std::string Dump(const Json& json) {
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

// A piece of text in one line: white space is one space, what a terminal would obey is left out.
void AppendFlowing(std::string_view piece, std::string* out) {
  for (size_t at = 0; at < piece.size();) {
    const CodePoint point = FirstCodePoint(piece.substr(at));
    if (IsControl(point.value) || point.value == ' ') {
      if (!out->empty() && out->back() != ' ') *out += ' ';
    } else {
      *out += piece.substr(at, point.length);
    }
    at += point.length;
  }
}

class Renderer {
 public:
  Renderer(const query::Recollection& recollection, const MemoryStyle& style)
      : all_(recollection), snapshot_(*recollection.snapshot), style_(style) {}

  RenderedMemories Run() {
    RenderedMemories out;
    const size_t n = all_.memories.size();
    // The end has the number of what was shown in it: as long as it can get.
    const size_t frame = style_.form == MemoryForm::kJson ? Begin().size() + End(n).size() + 24 : 0;
    if (frame > style_.max_bytes) return out;
    uint64_t left = style_.max_bytes - frame;
    std::string body;
    for (; out.shown < n; ++out.shown) {
      const Recollected& memory = all_.memories[out.shown];
      const size_t before = body.size();
      if (!Fit(memory, out.shown, left / (n - out.shown), &body) &&
          !Fit(memory, out.shown, left, &body)) {
        break;
      }
      left -= body.size() - before;
    }
    if (style_.form == MemoryForm::kJson) {
      if (out.shown > 0) body += '\n';
      body = Begin() + body + End(out.shown);
    }
    out.text = std::move(body);
    return out;
  }

 private:
  // Adds a memory in at most so many bytes, if that can be.
  bool Fit(const Recollected& memory, size_t place, uint64_t room, std::string* body) const {
    size_t most = style_.most_text;
    while (true) {
      const std::string block = Render(memory, place, most);
      if (block.size() <= room) {
        *body += block;
        return true;
      }
      const size_t shown = std::min(most, memory.text.size());
      const size_t excess = block.size() - room;
      if (shown < kLeastText + excess) return false;
      most = shown - excess;
    }
  }

  std::string Render(const Recollected& memory, size_t place, size_t most) const {
    switch (style_.form) {
      case MemoryForm::kJson:
        return (place == 0 ? "\n" : ",\n") + Dump(ToJson(memory, most));
      case MemoryForm::kJsonl:
        return Dump(ToJson(memory, most)) + '\n';
      case MemoryForm::kText:
        break;
    }
    return (place == 0 ? "" : "\n") + ToText(memory, most);
  }

  static std::string Begin() { return "{\"memories\":["; }
  std::string End(size_t shown) const {
    const uint64_t next = style_.offset + shown;
    return fmt::format("],\"found\":{},\"offset\":{},\"next\":{}}}\n", all_.found, style_.offset,
                       next < all_.found ? std::to_string(next) : "null");
  }

  Json ToJson(const Recollected& memory, size_t most) const {
    const recall::Span part = query::CutText(memory.text, memory.spans, most);
    Json json = {{"name", ToPlain(snapshot_.Name(memory.item))},
                 {"score", ScoreNumber(memory.score)},
                 {"title", memory.title},
                 {"text", memory.text.substr(part.begin, part.end - part.begin)},
                 {"begin", part.begin},
                 {"bytes", memory.text.size()},
                 {"spans", Json::array()},
                 {"words", Json::array()},
                 {"links", memory.links},
                 {"sources", Json::array()},
                 {"addresses", Json::array()}};
    for (const recall::Span& span : memory.spans) {
      if (span.begin < part.begin || span.end > part.end) continue;
      json["spans"].push_back({span.begin - part.begin, span.end - part.begin});
    }
    for (const recall::MatchedWord& word : memory.words) {
      json["words"].push_back({{"word", word.cue}, {"weight", ScoreNumber(word.weight)}});
    }
    for (const TermId source : memory.shown.sources) {
      json["sources"].push_back(ToPlain(snapshot_.Name(source)));
      json["addresses"].push_back(query::StatementAddress(snapshot_, memory.shown.fact, source));
    }
    if (!memory.facts.empty()) json["facts"] = FactTexts(memory);
    if (style_.evidence) {
      json["evidence"] = Json::array();
      for (const query::Evidence& one : memory.evidence) {
        json["evidence"].push_back(EvidenceJson(snapshot_, one));
      }
    }
    return json;
  }

  std::vector<std::string> FactTexts(const Recollected& memory) const {
    std::vector<std::string> texts;
    for (const Fact& fact : memory.facts) texts.push_back(query::FactNotation(snapshot_, fact));
    return texts;
  }

  std::string ToText(const Recollected& memory, size_t most) const {
    std::string out = fmt::format("{}  {:.3f}", ToNotation(snapshot_.Name(memory.item)),
                                  ScoreNumber(memory.score));
    if (!memory.title.empty()) {
      out += "  ";
      AppendFlowing(memory.title, &out);
    }
    out += '\n';
    if (!memory.text.empty()) out += "  " + Passage(memory, most) + '\n';
    for (const std::string& fact : FactTexts(memory)) out += "  " + fact + '\n';
    if (style_.why) AppendWhy(memory, &out);
    if (style_.evidence) {
      for (const query::Evidence& one : memory.evidence) {
        out += "  " + EvidenceLine(snapshot_, one) + '\n';
      }
    }
    std::string said;
    for (const TermId source : memory.shown.sources) {
      said += said.empty() ? "  from " : ", ";
      said += ToNotation(snapshot_.Name(source)) + ' ' +
              query::StatementAddress(snapshot_, memory.shown.fact, source);
    }
    if (!said.empty()) out += said + '\n';
    return out;
  }

  // The part of the text that there is room for, with "..." where it was cut.
  std::string Passage(const Recollected& memory, size_t most) const {
    const recall::Span part = query::CutText(memory.text, memory.spans, most);
    std::string out = part.begin > 0 ? "... " : "";
    size_t at = part.begin;
    const auto flow = [&](size_t to) {
      AppendFlowing(memory.text.substr(at, to - at), &out);
      at = to;
    };
    for (const recall::Span& span : memory.spans) {
      if (!style_.bold || !style_.why || span.begin < at || span.end > part.end) continue;
      flow(span.begin);
      out += kBold;
      flow(span.end);
      out += kPlain;
    }
    flow(part.end);
    if (part.end < memory.text.size()) out += " ...";
    return out;
  }

  void AppendWhy(const Recollected& memory, std::string* out) const {
    std::string words;
    size_t added = 0;
    for (const recall::MatchedWord& word : memory.words) {
      if (word.added && ++added > kMostAdded) continue;
      words += words.empty() ? "  by " : ", ";
      AppendFlowing(word.cue, &words);
      words += fmt::format(" {:.3g}", ScoreNumber(word.weight));
    }
    if (added > kMostAdded) words += fmt::format(", and {} more", added - kMostAdded);
    if (!words.empty()) *out += words + '\n';
    for (const std::string& link : memory.links) *out += "  as " + link + '\n';
  }

  const query::Recollection& all_;
  const Snapshot& snapshot_;
  const MemoryStyle& style_;
};

}  // namespace

RenderedMemories RenderMemories(const query::Recollection& recollection, const MemoryStyle& style) {
  return Renderer(recollection, style).Run();
}

}  // namespace loci
