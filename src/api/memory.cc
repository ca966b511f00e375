// SPDX-License-Identifier: Apache-2.0
//
// The public API over the engine. Each method is a short translation: values in, the engine's call,
// values out; Guarded keeps what the standard library throws inside.
#include "loci/memory.h"

#include <fmt/format.h>

#include "api/convert.h"
#include "api/fork.h"
#include "api/guarded.h"
#include "api/query.h"
#include "api/recall.h"
#include "api/statements.h"
#include "formats/export.h"
#include "formats/format.h"
#include "memory/counts.h"
#include "query/rule.h"
#include "query/selection.h"
#include "store/store.h"

namespace loci {
namespace {

constexpr size_t kBadRecordsTold = 20;
constexpr size_t kStatementsPerLook = 4096;  // at a token, some milliseconds apart

ProgressFn Watch(const Cancellation& token) {
  return [token](const char*, uint64_t, uint64_t) { return !token.cancelled(); };
}

// Work that is short, or has written nothing yet, looks at its token only here.
Result<void> NotYet(const Cancellation& token) {
  if (!token.cancelled()) return {};
  return Error{ErrorKind::kCancelled, "cancelled before anything was changed"};
}

LearnReceipt ToLearnReceipt(const Receipt& receipt) {
  return {receipt.learned, receipt.known, receipt.digest_after.Hex()};
}

// Gathers a file's statements, up to a limit of bytes.
class GatheringSink : public StatementSink {
 public:
  GatheringSink(Batch* batch, uint64_t max_bytes)
      : batch_(*batch), loader_(batch), max_bytes_(max_bytes) {}

  Result<void> Add(const StatementView& statement) override {
    loader_.Learn(statement);
    // What a term takes besides its bytes: its entry, and two slots of the table.
    const uint64_t bytes =
        batch_.name_bytes() + batch_.size() * sizeof(Batch::Row) + uint64_t{batch_.terms()} * 32;
    if (bytes <= max_bytes_) return {};
    return Error{ErrorKind::kNoMemory,
                 fmt::format("the statements of one commit take more than max_memory, {} bytes; "
                             "nothing was learned. Raise it, or split the file",
                             max_bytes_)};
  }
  void Flush() { loader_.Flush(); }

 private:
  const Batch& batch_;
  BatchLoader loader_;
  const uint64_t max_bytes_;
};

Result<query::Selector> ToEngine(const Selector& what) {
  query::Selector selector;
  switch (what.by) {
    case Selector::By::kFact:
      return query::SelectorFromFact(what.text);
    case Selector::By::kSubject:
      selector.by = query::Selector::By::kSubject;
      break;
    case Selector::By::kSource:
      selector.by = query::Selector::By::kSource;
      break;
    case Selector::By::kNaming:
      selector.by = query::Selector::By::kNaming;
      break;
  }
  LOCI_ASSIGN(selector.name, MakeSymbol(what.text));
  return selector;
}

}  // namespace

struct Memory::State {
  std::string path;
  std::shared_ptr<Store> store;
  std::shared_ptr<const Snapshot> frozen;  // of Freeze
  uint64_t fork_generation = ForkGeneration();

  Result<void> InThisProcess() const {
    if (ForkGeneration() == fork_generation) return {};
    return Error{ErrorKind::kUsage,
                 fmt::format("{} was opened before this process was forked and may not be used in "
                             "it; open it anew after fork",
                             path)};
  }
  Result<std::shared_ptr<const Snapshot>> Read() const {
    LOCI_TRY(InThisProcess());
    if (frozen) return frozen;
    return store->Read();
  }
  Result<Store*> ToWrite() const {
    LOCI_TRY(InThisProcess());
    if (!frozen) return store.get();
    return Error{ErrorKind::kUsage,
                 fmt::format("{} was frozen and cannot be written; write to the memory that Freeze "
                             "was called on",
                             path)};
  }
};

Memory::Memory(std::unique_ptr<State> state) : state_(std::move(state)) {}
Memory::~Memory() = default;
Memory::Memory(Memory&&) noexcept = default;
Memory& Memory::operator=(Memory&&) noexcept = default;

Result<Memory> Memory::Open(const std::string& path, const OpenOptions& options) {
  return Guarded([&]() -> Result<Memory> {
    auto state = std::make_unique<State>();
    state->path = path;
    StoreOptions store;
    store.create = options.create && !options.read_only;
    store.read_only = options.read_only;
    LOCI_ASSIGN(state->store, Store::Open(path, store));
    return Memory(std::move(state));
  });
}

Result<Memory> Memory::Freeze() const {
  return Guarded([&]() -> Result<Memory> {
    auto state = std::make_unique<State>();
    LOCI_ASSIGN(state->frozen, state_->Read());
    state->path = state_->path;
    state->store = state_->store;
    return Memory(std::move(state));
  });
}

// --- learning ---

Result<LearnReceipt> Memory::Learn(std::span<const Statement> statements,
                                   const LearnOptions& options) {
  return Guarded([&]() -> Result<LearnReceipt> {
    LOCI_ASSIGN(Store* const store, state_->ToWrite());
    Batch batch;
    BatchLoader loader(&batch);
    for (size_t i = 0; i < statements.size(); ++i) {
      if (i % kStatementsPerLook == 0) LOCI_TRY(NotYet(options.cancellation));
      if (const auto added = AddStatement(statements[i], &loader); !added.ok()) {
        return Error{added.error().kind, fmt::format("statement {}: {}", i, added.error().message)};
      }
    }
    loader.Flush();
    LOCI_ASSIGN(const Receipt receipt, store->Apply(batch, Watch(options.cancellation)));
    return ToLearnReceipt(receipt);
  });
}

Result<LearnReceipt> Memory::Learn(std::initializer_list<Statement> statements,
                                   const LearnOptions& options) {
  return Learn(std::span(statements.begin(), statements.size()), options);
}

Result<LearnFileReceipt> Memory::LearnFile(const std::string& path,
                                           const LearnFileOptions& options) {
  return Guarded([&]() -> Result<LearnFileReceipt> {
    LOCI_ASSIGN(Store* const store, state_->ToWrite());
    LOCI_TRY(NotYet(options.cancellation));
    LearnFileReceipt receipt;
    ReadOptions read;
    read.format = options.format;
    read.source = options.source;
    read.map = options.map;
    if (options.skip_bad) {
      read.on_bad = [&](const BadRecord& record) {
        if (receipt.bad.size() < kBadRecordsTold) receipt.bad.push_back(record.ToString());
        return true;
      };
    }
    read.on_progress = [&](uint64_t, uint64_t) { return !options.cancellation.cancelled(); };
    Batch batch;
    GatheringSink sink(&batch, options.max_memory);
    LOCI_ASSIGN(const ReadReport report, ReadStatements(path, read, &sink));
    sink.Flush();
    LOCI_ASSIGN(const Receipt written, store->Apply(batch, Watch(options.cancellation)));
    receipt.write = ToLearnReceipt(written);
    receipt.format = report.format;
    receipt.skipped = report.skipped;
    return receipt;
  });
}

Result<LearnReceipt> Memory::LearnRules(std::string_view text, std::string_view source) {
  return Guarded([&]() -> Result<LearnReceipt> {
    LOCI_ASSIGN(Store* const store, state_->ToWrite());
    LOCI_ASSIGN(const auto rules, query::ReadRules(text));
    LOCI_ASSIGN(const Term said_by, MakeSymbol(source.empty() ? kDefaultSource : source));
    LOCI_ASSIGN(const Receipt receipt, store->Apply([&](const Snapshot& snapshot, Batch* batch) {
      return query::AddRules(snapshot, rules, said_by, batch);
    }));
    return ToLearnReceipt(receipt);
  });
}

// --- forgetting ---

Selector Selector::Fact(std::string_view fact) {
  return {By::kFact, std::string(fact)};
}
Selector Selector::Subject(std::string_view name) {
  return {By::kSubject, std::string(name)};
}
Selector Selector::Source(std::string_view name) {
  return {By::kSource, std::string(name)};
}
Selector Selector::Naming(std::string_view name) {
  return {By::kNaming, std::string(name)};
}

Result<ForgetReceipt> Memory::Forget(const Selector& what, const ForgetOptions& options) {
  return Guarded([&]() -> Result<ForgetReceipt> {
    LOCI_ASSIGN(Store* const store, state_->ToWrite());
    LOCI_ASSIGN(const query::Selector selector, ToEngine(what));
    LOCI_TRY(NotYet(options.cancellation));
    ForgetReceipt receipt;
    const auto choose = [&](const Snapshot& snapshot, Batch* batch) -> Result<void> {
      LOCI_ASSIGN(query::Selection chosen, query::Select(snapshot, selector, [&] {
                    return options.cancellation.cancelled();
                  }));
      receipt.forgotten = chosen.statements.size();
      receipt.facts_gone = chosen.facts_gone;
      receipt.facts_kept = chosen.facts_kept;
      receipt.still_named = chosen.still_named;
      receipt.still_source = chosen.still_source;
      if (options.list_statements) {
        query::Sort(snapshot, &chosen);
        for (const auto& [fact, source] : chosen.statements) {
          receipt.statements.push_back(ToStatement(snapshot, fact, source));
        }
      }
      query::Remove(snapshot, chosen, batch);
      return {};
    };
    if (options.dry_run) {
      LOCI_ASSIGN(const auto snapshot, store->Read());
      Batch unused;
      LOCI_TRY(choose(*snapshot, &unused));
      receipt.digest = snapshot->digest().Hex();
      return receipt;
    }
    LOCI_ASSIGN(const Receipt written, store->Apply(choose));
    receipt.digest = written.digest_after.Hex();
    return receipt;
  });
}

// --- asking ---

Result<Answers> Memory::Ask(const Query& query, std::span<const Parameter> parameters,
                            const AskOptions& options) const {
  return Guarded([&]() -> Result<Answers> {
    LOCI_ASSIGN(const auto snapshot, state_->Read());
    return AskSnapshot(query.state_->query, snapshot, parameters, options);
  });
}

Result<Answers> Memory::Ask(const Query& query, std::initializer_list<Parameter> parameters,
                            const AskOptions& options) const {
  return Ask(query, std::span(parameters.begin(), parameters.size()), options);
}

Result<Answers> Memory::Ask(std::string_view text, const AskOptions& options) const {
  LOCI_ASSIGN(const Query query, Query::Prepare(text));
  return Ask(query, std::span<const Parameter>(), options);
}

Result<std::vector<Step>> Memory::Why(std::string_view fact, const AskOptions& options) const {
  return Guarded([&]() -> Result<std::vector<Step>> {
    LOCI_ASSIGN(const auto snapshot, state_->Read());
    return WhyInSnapshot(fact, snapshot, options);
  });
}

Result<Recollection> Memory::Recall(std::string_view cue, const RecallOptions& options) const {
  return Guarded([&]() -> Result<Recollection> {
    LOCI_ASSIGN(const auto snapshot, state_->Read());
    return RecallFrom(snapshot, cue, options);
  });
}

// --- the whole ---

Result<std::string> Memory::Digest() const {
  return Guarded([&]() -> Result<std::string> {
    LOCI_ASSIGN(const auto snapshot, state_->Read());
    return snapshot->digest().Hex();
  });
}

Result<MemoryStats> Memory::Stats() const {
  return Guarded([&]() -> Result<MemoryStats> {
    LOCI_ASSIGN(const auto snapshot, state_->Read());
    const Counts counts = CountMemory(*snapshot);
    MemoryStats stats;
    stats.statements = counts.statements;
    stats.facts = counts.facts;
    stats.symbols = counts.symbols;
    stats.texts = counts.texts;
    stats.numbers = counts.numbers;
    stats.dates = counts.dates;
    stats.relations = counts.relations;
    stats.sources = counts.sources;
    for (const auto& layer : snapshot->layers()) stats.bytes += layer->bytes().size();
    LOCI_TRY(snapshot->damage());
    return stats;
  });
}

Result<Statements> Memory::All() const {
  return Guarded([&]() -> Result<Statements> {
    LOCI_ASSIGN(auto snapshot, state_->Read());
    return Statements(std::make_unique<Statements::State>(std::move(snapshot)));
  });
}

Result<std::uint64_t> Memory::Export(std::string_view format,
                                     const std::function<bool(std::string_view)>& write,
                                     const Cancellation& cancellation) const {
  class Sink : public ExportSink {
   public:
    explicit Sink(const std::function<bool(std::string_view)>& to) : to_(to) {}
    Result<void> Write(std::string_view bytes) override {
      if (to_(bytes)) return {};
      return Error{ErrorKind::kCancelled, "the export was stopped by its caller"};
    }

   private:
    const std::function<bool(std::string_view)>& to_;
  };
  return Guarded([&]() -> Result<std::uint64_t> {
    LOCI_ASSIGN(const auto snapshot, state_->Read());
    LOCI_TRY(NotYet(cancellation));
    ExportOptions options;
    options.format = format;
    options.on_progress = [&](uint64_t, uint64_t) { return !cancellation.cancelled(); };
    Sink sink(write);
    return ExportStatements(*snapshot, options, &sink);
  });
}

Result<void> Memory::Consolidate(const Cancellation& cancellation) {
  return Guarded([&]() -> Result<void> {
    LOCI_ASSIGN(Store* const store, state_->ToWrite());
    LOCI_TRY(NotYet(cancellation));
    return store->Consolidate(Watch(cancellation));
  });
}

Result<void> Memory::Check(const Cancellation& cancellation) const {
  return Guarded([&]() -> Result<void> {
    LOCI_TRY(state_->InThisProcess());
    LOCI_TRY(NotYet(cancellation));
    return state_->store->Check(Watch(cancellation));
  });
}

}  // namespace loci
