// SPDX-License-Identifier: Apache-2.0
//
// Export without loss. Each line of the input is a term in the notation of fields, or a symbol or a
// text as it stands; the terms become statements of a memory. Whatever they are, each lossless
// format writes a file that is learned as the same statements, also where its format is detected,
// and writes the same bytes again.
#include <memory>
#include <vector>

#include "formats/export.h"
#include "formats/format.h"
#include "harness.h"
#include "memory/build.h"
#include "memory/snapshot.h"

namespace loci {
namespace {

using fuzz::Require;
using fuzz::Value;

std::shared_ptr<const Snapshot> SnapshotOf(const Batch& batch) {
  std::vector<std::shared_ptr<const Image>> layers;
  layers.push_back(Value(BuildImage(batch, Words::kLastCounts, ""), "any terms make an image"));
  return std::make_shared<const Snapshot>(std::move(layers));
}

class StringOut : public ExportSink {
 public:
  Result<void> Write(std::string_view more) override {
    bytes.append(more);
    return {};
  }
  std::string bytes;
};

class BatchSink : public StatementSink {
 public:
  Result<void> Add(const StatementView& s) override {
    batch.Add(s, false);
    return {};
  }
  Batch batch;
};

std::string Export(const Snapshot& snapshot, std::string_view format) {
  StringOut out;
  ExportOptions options;
  options.format = format;
  const uint64_t written = Value(ExportStatements(snapshot, options, &out), "a memory is exported");
  Require(written <= snapshot.statements(), "no more is written than there is");
  return std::move(out.bytes);
}

void Check(const Batch& batch) {
  const auto snapshot = SnapshotOf(batch);
  for (const ExportFormat& format : ExportFormats()) {
    const std::string bytes = Export(*snapshot, format.name);
    Require(!FindInvalidUtf8(bytes), "what is exported is UTF-8", bytes);
    for (const bool named : {true, false}) {
      ReadOptions options;
      options.block_bytes = 1 << 12;
      if (named) options.format = format.name;
      BatchSink sink;
      const auto read =
          ReadStatementsFromBytes(bytes, "export" + std::string(format.extension), options, &sink);
      if (!read.ok()) Require(false, "what is exported is learned", read.error().message + bytes);
      Require(read->format == format.name, "what is exported is known again", bytes);
      if (!format.has_sources) continue;
      const auto again = SnapshotOf(sink.batch);
      Require(again->digest() == snapshot->digest(), "an export loses nothing", bytes);
      Require(Export(*again, format.name) == bytes, "equal memories are exported alike", bytes);
    }
  }
}

}  // namespace
}  // namespace loci

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace loci;
  std::string_view input = AsChars({data, size});
  std::vector<Term> symbols, objects;
  while (!input.empty() && objects.size() < 20) {
    const std::string_view line = input.substr(0, input.find('\n'));
    input.remove_prefix(std::min(input.size(), line.size() + 1));
    for (auto made : {ParseNotation(line, true, nullptr), MakeSymbol(line), MakeText(line)}) {
      if (!made.ok()) continue;
      if (made->kind == Kind::kSymbol) symbols.push_back(*made);
      objects.push_back(made.take());
    }
  }
  if (symbols.empty()) return 0;
  Batch batch;
  for (size_t i = 0; i < objects.size(); ++i) {
    const auto symbol = [&](size_t step) -> const Term& {
      return symbols[i * step % symbols.size()];
    };
    batch.Add(StatementView{symbol(1), symbol(2), objects[i], symbol(3)}, false);
  }
  Check(batch);
  return 0;
}
