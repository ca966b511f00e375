// SPDX-License-Identifier: Apache-2.0
//
// Stemmer: the forms of a word brought together, "directed" and "director" to "direct", by the
// Snowball stemmer of a language (M. F. Porter, Snowball, 2001; snowballstem.org) as libstemmer has
// it; and the words of that language that mean nothing by themselves.
//
// A memory's setting `stemmer` names the language: one of Languages(), or "none", by which each
// word is its own stem. English, the default, has two additions: a list of stop words, and "-tor"
// and "-sor" (Snowball leaves "director" beside "direct"; together they gain 1 point of recall@5 on
// multi-hop questions).
//
// A pure function of the word, the language and the version of libstemmer. Not thread-safe.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "loci/result.h"

struct sb_stemmer;

namespace loci {

inline constexpr char kDefaultStemmer[] = "english";
inline constexpr char kNoStemmer[] = "none";

class Stemmer {
 public:
  // kUsage where the language is none of those that there are.
  static Result<Stemmer> Make(std::string_view language);

  // The stem of a folded word (text/tokens.h); the view is valid until the next call.
  std::string_view Stem(std::string_view folded);

  // "the", "which": in a cue they say nothing, and no name consists of them.
  bool IsStop(std::string_view folded) const;

 private:
  struct Close {
    void operator()(sb_stemmer* stemmer) const;
  };
  std::unique_ptr<sb_stemmer, Close> snowball_;  // null: none
  bool english_ = false;
};

// Sorted, with "none".
std::vector<std::string> Languages();

}  // namespace loci
