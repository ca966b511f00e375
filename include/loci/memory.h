// SPDX-License-Identifier: Apache-2.0
//
// The C++ API of Loci: a memory that learns statements, answers by retrieving them, and forgets.
//
//   auto memory = loci::Memory::Open("world.loci");
//   if (!memory.ok()) return Complain(memory.error().message);
//   (void)memory->Learn({{"paris", "capital_of", loci::Value::Symbol("france"), "atlas"}});
//   auto answers = memory->Ask("capital_of(?city, france)", {.evidence = true});
//   if (answers.ok()) std::puts(answers->rows[0].values[0].text.c_str());
//
// Errors. What can fail returns a Result (loci/result.h). Nothing is printed, aborted or thrown,
// out of memory included (kNoMemory). Callbacks must not throw.
//
// Durability. A call that writes returns when the write is on disk. It is atomic: on failure, and
// after a crash at any moment, the memory holds all of it or nothing.
//
// Threads and processes. A Memory may be used by any number of threads at once, and the same path
// by any number of Memory objects and processes. Each call sees all that was committed before it
// began; readers never wait for writers, writers queue. Move and destroy a Memory only when no
// other thread uses it.
//
// fork. A child process may not use a Memory that was opened before the fork, as it shares the
// parent's locks: its calls fail with kUsage. Open the memory anew in the child.
#pragma once

#include <cstdint>
#include <functional>
#include <initializer_list>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "loci/answers.h"
#include "loci/cancellation.h"
#include "loci/export.h"
#include "loci/recall.h"
#include "loci/result.h"
#include "loci/statements.h"
#include "loci/value.h"

namespace loci {

struct LOCI_API OpenOptions {
  bool create = true;      // make an empty memory where there is none
  bool read_only = false;  // write nothing but counters (docs/manual.md, stats); implies no create
};

// What a write did.
struct LOCI_API LearnReceipt {
  std::uint64_t learned = 0;  // statements that were new
  std::uint64_t known = 0;    // statements that were there already
  std::string digest = {};    // of the memory afterwards, 64 hex digits
};

struct LOCI_API LearnOptions {
  Cancellation cancellation = {};
};

struct LOCI_API LearnFileOptions {
  std::string format = {};  // empty: told by the content; docs/formats.md lists them
  std::string source = {};  // empty: the file's base name
  std::string map = {};     // of CSV alone: which columns make which statements
  bool skip_bad = false;    // leave out malformed records and count them, instead of failing
  // Bytes of statements gathered before the one commit; beyond, the call fails (kNoMemory) and
  // nothing is learned.
  std::uint64_t max_memory = UINT64_MAX;
  Cancellation cancellation = {};
};

struct LOCI_API LearnFileReceipt {
  LearnReceipt write = {};
  std::string format = {};            // as told or given
  std::uint64_t skipped = 0;          // malformed records
  std::vector<std::string> bad = {};  // the first of them: file:line:column: why
};

// What to forget.
struct LOCI_API Selector {
  enum class By : std::uint8_t { kFact, kSubject, kSource, kNaming };
  By by = By::kFact;
  std::string text = {};

  // "relation(subject, object)", alone or with " from source"; or a statement's address, 16 hex
  // digits, as evidence cites it.
  static Selector Fact(std::string_view fact);
  // All that is said about a name; all that a source said; all that holds the name in any place.
  // Names are plain: no notation.
  static Selector Subject(std::string_view name);
  static Selector Source(std::string_view name);
  static Selector Naming(std::string_view name);
};

struct LOCI_API ForgetOptions {
  bool dry_run = false;          // choose and count, but remove nothing
  bool list_statements = false;  // tell what was removed
  Cancellation cancellation = {};
};

// The receipt of an erasure. It holds no digest from before: the difference of the two would be the
// hash of what was erased.
struct LOCI_API ForgetReceipt {
  std::uint64_t forgotten = 0;             // statements
  std::uint64_t facts_gone = 0;            // facts that nobody says any more
  std::uint64_t facts_kept = 0;            // facts that other sources still say
  std::uint64_t still_named = 0;           // of Subject: facts that name it as object or relation
  std::uint64_t still_source = 0;          // of Subject: statements whose source it is
  std::vector<Statement> statements = {};  // in canonical order, where asked for
  std::string digest = {};                 // of the memory afterwards
};

struct LOCI_API MemoryStats {
  std::uint64_t statements = 0, facts = 0;
  std::uint64_t symbols = 0, texts = 0, numbers = 0, dates = 0, relations = 0, sources = 0;
  std::uint64_t bytes = 0;  // of its files
};

class LOCI_API Memory {
 public:
  // path: a directory of this machine's own disk, made where options say so.
  static Result<Memory> Open(const std::string& path, const OpenOptions& options = {});
  ~Memory();
  Memory(Memory&&) noexcept;
  Memory& operator=(Memory&&) noexcept;

  // This memory as it is at the moment: reads of it repeat whatever others write; it cannot be
  // written. It costs little, but holds the space of what is forgotten meanwhile.
  Result<Memory> Freeze() const;

  // --- learning ---

  Result<LearnReceipt> Learn(std::span<const Statement> statements,
                             const LearnOptions& options = {});
  Result<LearnReceipt> Learn(std::initializer_list<Statement> statements,
                             const LearnOptions& options = {});
  // A file, plain or .gz or .zst, or WordNet's folder, as one atomic write.
  Result<LearnFileReceipt> LearnFile(const std::string& path, const LearnFileOptions& options = {});

  // Rules, "head(?x, ?y) <- body [conf 0.9];", by which further facts hold
  // (docs/query-language.md). Each becomes a statement about its head, to be asked and forgotten
  // like others. All or none: one that is malformed, or that goes round in a circle through `not`,
  // is refused.
  Result<LearnReceipt> LearnRules(std::string_view rules, std::string_view source = {});

  // --- forgetting ---

  // Gone from answers and digest at once; from the bytes of the files with the next Consolidate.
  Result<ForgetReceipt> Forget(const Selector& what, const ForgetOptions& options = {});

  // --- asking ---

  Result<Answers> Ask(std::string_view query, const AskOptions& options = {}) const;
  Result<Answers> Ask(const Query& query, std::span<const Parameter> parameters,
                      const AskOptions& options = {}) const;
  Result<Answers> Ask(const Query& query, std::initializer_list<Parameter> parameters,
                      const AskOptions& options = {}) const;

  // Why a fact holds, in preorder: "relation(subject, object)", alone or with " from source", or a
  // statement's address. Empty where it does not hold.
  Result<std::vector<Step>> Why(std::string_view fact, const AskOptions& options = {}) const;

  // What a cue brings to mind, as memories to be read; Ask has the same as a clause, like(?x, cue).
  Result<Recollection> Recall(std::string_view cue, const RecallOptions& options = {}) const;

  // --- the whole ---

  // A function of the statements alone: 64 hex digits, equal for equal memories anywhere.
  Result<std::string> Digest() const;
  Result<MemoryStats> Stats() const;
  // Every statement in canonical order.
  Result<Statements> All() const;
  // The same in blocks of bytes of a format ("tsv", "jsonl", "nquads",
  // "ntriples"); write returns false to stop. Returns the number of records.
  Result<std::uint64_t> Export(std::string_view format,
                               const std::function<bool(std::string_view)>& write,
                               const Cancellation& cancellation = {}) const;
  // Folds everything into one canonical image, without what was forgotten.
  Result<void> Consolidate(const Cancellation& cancellation = {});
  // Verifies every checksum and invariant; the error names what is wrong.
  Result<void> Check(const Cancellation& cancellation = {}) const;

 private:
  struct State;
  explicit Memory(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

}  // namespace loci
