// SPDX-License-Identifier: Apache-2.0
//
// What is measured of each engine that recalls passages: the same three things (retrieval.cc). Each
// reads the corpus by our reader, which so costs all of them the same, and writes it durably.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace loci::bench {

inline constexpr size_t kHits = 10;  // asked for at each cue, and their names fetched

struct Passage {
  std::string_view id, title, text;
};
// Of a directory of BEIR's layout, in its order.
void ForEachPassage(const std::string& directory, const std::function<void(const Passage&)>& use);

// A cue's words that say something (text/stemmer.h has the list of those that do not), each once:
// the peers would else weigh "the" in every passage, which our own engine does not.
std::vector<std::string> SayingWords(const std::string& cue);

class Engine {
 public:
  virtual ~Engine() = default;
  // From the directory to files at the path, which does not exist yet, durable at the end.
  virtual void Index(const std::string& directory, const std::string& path) = 0;
  virtual void Open(const std::string& path) = 0;
  // How many hits there were, kHits at most.
  virtual size_t Ask(const std::string& cue) = 0;
};

std::unique_ptr<Engine> MakeLoci(bool associate);
std::unique_ptr<Engine> MakeFts5();    // SQLite's, its porter stemmer, titles twice
std::unique_ptr<Engine> MakeXapian();  // its English stemmer, BM25

}  // namespace loci::bench
