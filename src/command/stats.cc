// SPDX-License-Identifier: Apache-2.0
//
// loci stats: what a memory knows, where it lies, its settings, and what was done with it.
#include <ostream>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "command/open.h"
#include "command/settings_json.h"
#include "command/verb.h"
#include "memory/counts.h"
#include "render/table.h"

namespace loci {
namespace {

using Json = nlohmann::ordered_json;

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
               {"layer_bytes", stats.LayerBytes()},
               {"tail_statements", stats.tail_statements},
               {"tail_bytes", stats.tail_bytes}};
  json["layers"] = Json::array();
  for (const StoreStats::File& layer : stats.layers) {
    json["layers"].push_back({{"name", layer.name},
                              {"bytes", layer.bytes},
                              {"statements", layer.statements},
                              {"removed", layer.removed}});
  }
  json["settings"] = SettingsJson(stats.settings);
  json["counters"] = {{"opens", stats.done.opens},
                      {"reads", stats.done.reads},
                      {"writes", stats.done.writes},
                      {"merges", stats.done.merges},
                      {"folds", stats.done.folds},
                      {"fsyncs", stats.done.syncs},
                      {"fsync_us", stats.done.sync_nanos / 1000},
                      {"longest_fsync_us", stats.done.longest_sync / 1000},
                      {"queries", stats.done.queries},
                      {"slow_queries", stats.done.slow_queries}};
  return json;
}

std::string TextOf(const Json& value) {
  return value.is_string() ? value.get<std::string>() : value.dump();
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
    } else if (value.is_object()) {  // settings, counters
      for (const auto& [name, member] : value.items()) {
        rows.push_back({key.substr(0, key.size() - 1) + " " + name, TextOf(member)});
      }
    } else {
      rows.push_back({key, TextOf(value)});
    }
  }
  return rows;
}

}  // namespace

Result<ExitCode> RunStats(const Invocation& invocation, Io* io) {
  LOCI_ASSIGN(const auto store, OpenToRead(invocation.arguments[0]));
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

}  // namespace loci
