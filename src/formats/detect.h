// SPDX-License-Identifier: Apache-2.0
//
// Detection: what format an input is of, from its first bytes (decompressed), and from its name
// only where the bytes leave a choice.
//
// Each format says how well the bytes fit. The best fit is taken, but
//   - a name's extension (of a format of ours) beats anything less than certain, so that a bad line
//     in facts.tsv is reported as a bad line of TSV, while train.txt full of triples is TSV
//   - of two that fit equally well, where one reads all that the other does (N-Quads, N-Triples),
//     that one is taken: what comes after the first bytes may need it
//   - two others that fit equally well are an error that names both
#pragma once

#include <string_view>
#include <vector>

#include "loci/result.h"

namespace loci {

inline constexpr size_t kSampleBytes = 64 << 10;

enum class Fit : unsigned char {
  kNone,      // cannot be
  kPossible,  // nothing speaks against it
  kLikely,    // several signs of it
  kCertain,   // no other format looks like this
};

// The sample as formats look at it.
struct Sample {
  std::string_view bytes;  // without a byte order mark, whole lines where there are any
  std::vector<std::string_view> lines;  // not blank, without CR, at most kMostLines
  bool is_text = false;                 // valid UTF-8 without NUL
};
inline constexpr size_t kMostLines = 1000;

// whole: the bytes are all of the input, else their last line may be cut.
Sample MakeSample(std::string_view bytes, bool whole);

Fit FitsTsv(const Sample& sample);
Fit FitsCsv(const Sample& sample);
Fit FitsJsonl(const Sample& sample);
Fit FitsPassageRecords(const Sample& sample);
Fit FitsMcp(const Sample& sample);
Fit FitsNtriples(const Sample& sample);  // which is N-Quads as well
Fit FitsNquads(const Sample& sample);
Fit FitsTurtle(const Sample& sample);
Fit FitsRdfXml(const Sample& sample);
Fit FitsMarkdown(const Sample& sample);
Fit FitsHtml(const Sample& sample);
Fit FitsPdf(const Sample& sample);
Fit FitsText(const Sample& sample);

}  // namespace loci
