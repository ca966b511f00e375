// SPDX-License-Identifier: Apache-2.0
//
// For tests of readers: the statements of some bytes as lines of text, the error or the bad
// records.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "formats/format.h"

namespace loci {

struct Collected {
  std::vector<std::string> statements;  // subject TAB relation TAB object TAB source, by ToField
  std::vector<std::string> bad;         // where skip was asked for
  std::string error;
  ErrorKind kind{};
  ReadReport report;
};

class CollectingSink : public StatementSink {
 public:
  Result<void> Add(const StatementView& s) override {
    statements.push_back(ToField(s.subject) + "\t" + ToField(s.relation) + "\t" +
                         ToField(s.object) + "\t" + ToField(s.source));
    return {};
  }
  std::vector<std::string> statements;
};

// Reads by the given function, which takes the options and the sink.
template <class Read>
Collected CollectBy(ReadOptions options, bool skip, Read read) {
  Collected all;
  if (skip) {
    options.on_bad = [&](const BadRecord& bad) {
      all.bad.push_back(bad.ToString());
      return true;
    };
  }
  CollectingSink sink;
  auto result = read(options, &sink);
  all.statements = std::move(sink.statements);
  if (result.ok()) {
    all.report = result.take();
  } else {
    all.error = result.error().message;
    all.kind = result.error().kind;
  }
  return all;
}

inline Collected Collect(std::string_view bytes, const std::string& format, bool skip = false,
                         const std::string& name = "in", size_t block_bytes = 1 << 20) {
  ReadOptions options;
  options.format = format;
  options.block_bytes = block_bytes;
  return CollectBy(options, skip, [&](const ReadOptions& o, StatementSink* sink) {
    return ReadStatementsFromBytes(bytes, name, o, sink);
  });
}

}  // namespace loci
