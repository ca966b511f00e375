// SPDX-License-Identifier: Apache-2.0
//
// loci consolidate, digest, check, copy: looking after a memory.
#include <ostream>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "command/open.h"
#include "command/progress.h"
#include "command/verb.h"
#include "render/plural.h"

namespace loci {
namespace {

using Json = nlohmann::ordered_json;

}  // namespace

Result<ExitCode> RunConsolidate(const Invocation& invocation, Io* io) {
  LOCI_ASSIGN(const auto store, OpenMemory(invocation.arguments[0], {}));
  Progress progress(io);
  LOCI_TRY(store->Consolidate(progress.ForStore()));
  progress.Clear();
  LOCI_ASSIGN(const StoreStats stats, store->Stats());
  LOCI_ASSIGN(const auto snapshot, store->Read());
  if (invocation.Has("json")) {
    *io->out << Json{{"statements", snapshot->statements()},
                     {"bytes", stats.LayerBytes()},
                     {"digest", snapshot->digest().Hex()}}
                    .dump()
             << "\n";
  } else {
    *io->out << fmt::format("consolidated {} in {} bytes\n",
                            Plural(snapshot->statements(), "statement"), stats.LayerBytes());
  }
  return ExitCode::kFound;
}

Result<ExitCode> RunDigest(const Invocation& invocation, Io* io) {
  LOCI_ASSIGN(const auto store, OpenToRead(invocation.arguments[0]));
  LOCI_ASSIGN(const auto snapshot, store->Read());
  *io->out << snapshot->digest().Hex() << "\n";
  return ExitCode::kFound;
}

Result<ExitCode> RunCheck(const Invocation& invocation, Io* io) {
  LOCI_ASSIGN(const auto store, OpenToRead(invocation.arguments[0]));
  Progress progress(io);
  LOCI_TRY(store->Check(progress.ForStore()));
  progress.Clear();
  LOCI_ASSIGN(const StoreStats stats, store->Stats());
  LOCI_ASSIGN(const auto snapshot, store->Read());
  *io->out << fmt::format("ok: {} in {}\n", Plural(snapshot->statements(), "statement"),
                          Plural(stats.layers.size() + (stats.tail_statements > 0), "layer"));
  return ExitCode::kFound;
}

Result<ExitCode> RunCopy(const Invocation& invocation, Io* io) {
  const std::string& target = invocation.arguments[1];
  LOCI_TRY(CheckMemoryName(target));
  LOCI_ASSIGN(const auto store, OpenToRead(invocation.arguments[0]));
  Progress progress(io);
  LOCI_TRY(store->Copy(target, progress.ForStore()));
  progress.Clear();
  LOCI_ASSIGN(const auto copy, OpenToRead(target));
  LOCI_ASSIGN(const auto snapshot, copy->Read());
  if (invocation.Has("json")) {
    *io->out
        << Json{{"statements", snapshot->statements()}, {"digest", snapshot->digest().Hex()}}.dump()
        << "\n";
  } else {
    *io->out << fmt::format("copied {} to {}\n", Plural(snapshot->statements(), "statement"),
                            target);
  }
  return ExitCode::kFound;
}

}  // namespace loci
