// SPDX-License-Identifier: Apache-2.0
//
// loci consolidate, stats, digest, check: looking after a memory.
#include <algorithm>
#include <ostream>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "command/open.h"
#include "command/plural.h"
#include "command/progress.h"
#include "command/table.h"
#include "command/verb.h"
#include "memory/counts.h"

namespace loci {
namespace {

using Json = nlohmann::ordered_json;

Result<std::unique_ptr<Store>> OpenToRead(const Invocation& invocation) {
  StoreOptions options;
  options.read_only = true;
  return OpenMemory(invocation.arguments[0], options);
}

uint64_t LayerBytes(const StoreStats& stats) {
  uint64_t bytes = 0;
  for (const StoreStats::File& layer : stats.layers) bytes += layer.bytes;
  return bytes;
}

// What a memory knows and where it lies, as names and values in the order of printing.
Json StatsJson(const StoreStats& stats, const Snapshot& snapshot) {
  const Counts counts = CountMemory(snapshot);
  Json json = {{"facts", counts.facts},
               {"statements", counts.statements},
               {"symbols", counts.symbols},
               {"texts", counts.texts},
               {"numbers", counts.numbers},
               {"dates", counts.dates},
               {"relations", counts.relations},
               {"sources", counts.sources},
               {"digest", snapshot.digest().Hex()},
               {"generation", stats.generation},
               {"layer_bytes", LayerBytes(stats)},
               {"tail_statements", stats.tail_statements},
               {"tail_bytes", stats.tail_bytes}};
  json["layers"] = Json::array();
  for (const StoreStats::File& layer : stats.layers) {
    json["layers"].push_back({{"name", layer.name},
                              {"bytes", layer.bytes},
                              {"statements", layer.statements},
                              {"removed", layer.removed}});
  }
  json["settings"] = Json::object();
  std::string_view settings = stats.settings;
  while (!settings.empty()) {
    const size_t end = std::min(settings.find('\n'), settings.size());
    const std::string_view line = settings.substr(0, end);
    const size_t space = std::min(line.find(' '), line.size());
    if (!line.empty()) {
      json["settings"][std::string(line.substr(0, space))] =
          std::string(line.substr(std::min(space + 1, line.size())));
    }
    settings.remove_prefix(std::min(end + 1, settings.size()));
  }
  return json;
}

// The same as rows: a name and a value each, lists and objects spread out.
std::vector<TableRow> StatsRows(const Json& json) {
  std::vector<TableRow> rows;
  for (const auto& [key, value] : json.items()) {
    if (key == "layers") {
      for (const Json& layer : value) {
        rows.push_back(
            {"layer " + layer["name"].get<std::string>(),
             fmt::format("{} bytes, {} statements, {} removed", layer["bytes"].get<uint64_t>(),
                         layer["statements"].get<uint64_t>(), layer["removed"].get<uint64_t>())});
      }
    } else if (value.is_object()) {
      for (const auto& [name, setting] : value.items()) {
        rows.push_back({"setting " + name, setting.get<std::string>()});
      }
    } else {
      rows.push_back({key, value.is_string() ? value.get<std::string>() : value.dump()});
    }
  }
  return rows;
}

}  // namespace

Result<ExitCode> RunConsolidate(const Invocation& invocation, Io* io) {
  LOCI_ASSIGN(const auto store, OpenMemory(invocation.arguments[0], {}));
  Progress progress(io);
  LOCI_TRY(store->Consolidate([&](const char* step, uint64_t done, uint64_t total) {
    return progress.Update(step, done, total);
  }));
  progress.Clear();
  LOCI_ASSIGN(const StoreStats stats, store->Stats());
  LOCI_ASSIGN(const auto snapshot, store->Read());
  if (invocation.Has("json")) {
    *io->out << Json{{"statements", snapshot->statements()},
                     {"bytes", LayerBytes(stats)},
                     {"digest", snapshot->digest().Hex()}}
                    .dump()
             << "\n";
  } else {
    *io->out << fmt::format("consolidated {} in {} bytes\n",
                            Plural(snapshot->statements(), "statement"), LayerBytes(stats));
  }
  return ExitCode::kFound;
}

Result<ExitCode> RunStats(const Invocation& invocation, Io* io) {
  LOCI_ASSIGN(const auto store, OpenToRead(invocation));
  LOCI_ASSIGN(const auto snapshot, store->Read());
  LOCI_ASSIGN(const StoreStats stats, store->Stats());
  const Json json = StatsJson(stats, *snapshot);
  LOCI_TRY(snapshot->damage());
  if (invocation.Has("json")) {
    *io->out << json.dump(-1, ' ', false, Json::error_handler_t::replace) << "\n";
  } else {
    const std::vector<TableRow> rows = StatsRows(json);
    std::string text;
    if (io->out_is_terminal) {
      text = AlignedTable(rows);
    } else {
      for (const TableRow& row : rows) AppendTsv(row, &text);
    }
    *io->out << text;
  }
  return ExitCode::kFound;
}

Result<ExitCode> RunDigest(const Invocation& invocation, Io* io) {
  LOCI_ASSIGN(const auto store, OpenToRead(invocation));
  LOCI_ASSIGN(const auto snapshot, store->Read());
  *io->out << snapshot->digest().Hex() << "\n";
  return ExitCode::kFound;
}

Result<ExitCode> RunCheck(const Invocation& invocation, Io* io) {
  LOCI_ASSIGN(const auto store, OpenToRead(invocation));
  Progress progress(io);
  LOCI_TRY(store->Check([&](const char* step, uint64_t done, uint64_t total) {
    return progress.Update(step, done, total);
  }));
  progress.Clear();
  LOCI_ASSIGN(const StoreStats stats, store->Stats());
  LOCI_ASSIGN(const auto snapshot, store->Read());
  *io->out << fmt::format("ok: {} in {}\n", Plural(snapshot->statements(), "statement"),
                          Plural(stats.layers.size() + (stats.tail_statements > 0), "layer"));
  return ExitCode::kFound;
}

}  // namespace loci
