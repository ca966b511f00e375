// SPDX-License-Identifier: Apache-2.0
//
// make_passages N BEIR OUT: a corpus of N passages from those of a smaller one, for what happens at
// a million. The questions and judgements of BEIR are copied.
//
// A new passage is about something new: its title is the first half of one passage's title and the
// second half of another's, which is what names are like (Edward | Baring). It says what the first
// says, under the new title, then one sentence of a third passage, in which the title of any of the
// N stands for its own. So words keep their distribution, while names are as many, and are as often
// named, as in a corpus of that size. Seeded: the same N and BEIR, the same bytes.
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "engine.h"
#include "must.h"

namespace {

using namespace loci::bench;

struct Source {
  std::string title, text;
};

// splitmix64, of the passage and of what is drawn for it.
uint64_t Draw(uint64_t passage, uint64_t what) {
  uint64_t x = (passage * 8 + what + 1) * 0x9E3779B97F4A7C15u;
  x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9u;
  x = (x ^ (x >> 27)) * 0x94D049BB133111EBu;
  return x ^ (x >> 31);
}

std::string Half(const std::string& title, bool first) {
  size_t middle = title.find(' ', title.size() / 2);
  if (middle == std::string::npos) middle = title.rfind(' ');
  if (middle == std::string::npos) return title;
  return first ? title.substr(0, middle) : title.substr(middle + 1);
}

std::string Replaced(std::string text, const std::string& from, const std::string& to) {
  if (from.empty()) return text;
  for (size_t at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size())) {
    text.replace(at, from.size(), to);
  }
  return text;
}

std::string Escaped(const std::string& text) {
  std::string json;
  for (const char c : text) {
    if (c == '"' || c == '\\') json += '\\';
    json += static_cast<unsigned char>(c) < 0x20 ? ' ' : c;
  }
  return json;
}

class Generator {
 public:
  Generator(uint64_t count, const std::string& beir) : count_(count) {
    ForEachPassage(beir, [&](const Passage& p) {
      if (!p.title.empty()) sources_.push_back({std::string(p.title), std::string(p.text)});
    });
    if (sources_.empty()) Fail("make_passages: no passage of " + beir + " has a title");
  }

  // The first are the originals, so that the questions have their answers.
  std::string Title(uint64_t n) const {
    if (n < sources_.size()) return sources_[n].title;
    return Half(Any(n, 0).title, true) + " " + Half(Any(n, 1).title, false);
  }

  std::string Text(uint64_t n) const {
    if (n < sources_.size()) return sources_[n].text;
    const Source& first = Any(n, 0);
    const Source& other = Any(n, 2);
    const size_t end = other.text.find(". ");
    const std::string sentence = other.text.substr(0, end == std::string::npos ? end : end + 1);
    return Replaced(first.text, first.title, Title(n)) + " " +
           Replaced(sentence, other.title, Title(Draw(n, 3) % count_));
  }

 private:
  const Source& Any(uint64_t n, uint64_t what) const {
    return sources_[Draw(n, what) % sources_.size()];
  }

  uint64_t count_;
  std::vector<Source> sources_;
};

}  // namespace

int main(int argc, char** argv) {
  if (argc != 4) {
    std::fprintf(stderr, "usage: make_passages N BEIR OUT\n");
    return 2;
  }
  namespace fs = std::filesystem;
  const uint64_t count = std::stoull(argv[1]);
  const Generator generator(count, argv[2]);
  const fs::path beir = argv[2], out = argv[3];
  fs::create_directories(out / "qrels");
  std::ofstream corpus(out / "corpus.jsonl", std::ios::binary);
  for (uint64_t n = 0; n < count; ++n) {
    corpus << "{\"_id\":\"p" << n << "\",\"title\":\"" << Escaped(generator.Title(n))
           << "\",\"text\":\"" << Escaped(generator.Text(n)) << "\"}\n";
  }
  if (!corpus.flush()) Fail("make_passages: cannot write the corpus");
  const auto copy = fs::copy_options::overwrite_existing;
  fs::copy_file(beir / "queries.jsonl", out / "queries.jsonl", copy);
  fs::copy_file(beir / "qrels/test.tsv", out / "qrels/test.tsv", copy);
  return 0;
}
