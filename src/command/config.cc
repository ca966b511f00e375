// SPDX-License-Identifier: Apache-2.0
//
// loci config: the settings of a memory, listed, read and set.
#include <ostream>

#include <fmt/format.h>

#include "base/unicode.h"
#include "command/open.h"
#include "command/progress.h"
#include "command/settings_json.h"
#include "command/verb.h"
#include "render/nearest.h"
#include "render/table.h"
#include "store/settings.h"

namespace loci {
namespace {

Error UnknownSetting(const std::string& key) {
  std::vector<std::string_view> keys;
  for (const SettingInfo& info : KnownSettings()) keys.push_back(info.key);
  const std::string_view nearest = Nearest(key, keys);
  return {
      ErrorKind::kUsage,
      fmt::format("config: there is no setting '{}';{} 'loci help config' lists them", Excerpt(key),
                  nearest.empty() ? "" : fmt::format(" did you mean '{}'?", nearest))};
}

void PrintAll(const Settings& settings, bool json, Io* io) {
  if (json) {
    *io->out << SettingsJson(settings).dump() << "\n";
    return;
  }
  std::vector<TableRow> rows;
  for (const auto& [key, value] : settings) {
    const SettingInfo* const info = FindSetting(key);
    rows.push_back(
        {key, value, std::string(info == nullptr ? "of a newer program" : info->meaning)});
  }
  std::string text;
  if (io->out_is_terminal) {
    text = AlignedTable(rows);
  } else {
    for (const TableRow& row : rows) AppendTsv(row, &text);
  }
  *io->out << text;
}

}  // namespace

Result<ExitCode> RunConfig(const Invocation& invocation, Io* io) {
  const size_t given = invocation.arguments.size();
  if (given > 1 && FindSetting(invocation.arguments[1]) == nullptr) {
    return UnknownSetting(invocation.arguments[1]);
  }
  const bool set = given > 2;
  StoreOptions options;
  options.read_only = !set;
  LOCI_ASSIGN(const auto store, OpenMemory(invocation.arguments[0], options));
  if (set) {
    Progress progress(io);
    LOCI_TRY(
        store->Configure(invocation.arguments[1], invocation.arguments[2], progress.ForStore()));
    return ExitCode::kFound;
  }
  LOCI_ASSIGN(const StoreStats stats, store->Stats());
  if (given == 1) {
    PrintAll(stats.settings, invocation.Has("json"), io);
    return ExitCode::kFound;
  }
  const auto found = stats.settings.find(invocation.arguments[1]);
  if (found == stats.settings.end()) return ExitCode::kNothing;
  *io->out << found->second << "\n";
  return ExitCode::kFound;
}

}  // namespace loci
