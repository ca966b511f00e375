// SPDX-License-Identifier: Apache-2.0
//
// loci upgrade: brings a memory to this program's formats and Unicode, and tells what that changed.
#include <algorithm>
#include <ostream>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "command/open.h"
#include "command/progress.h"
#include "command/verb.h"
#include "image/layout.h"
#include "render/plural.h"
#include "store/current.h"

namespace loci {
namespace {

using Json = nlohmann::ordered_json;

constexpr size_t kNamesShown = 20;  // --json has all

std::string ReportText(const UpgradeReport& report) {
  static_assert(kDirectoryVersion == 1 && kImageVersion == 2, "tell what an upgrade made of which");
  if (!report.changed()) {
    return fmt::format("nothing to do: images of format {} and Unicode {}, as this program has\n",
                       report.format_to, report.to);
  }
  std::string out;
  if (report.format_from != report.format_to) {
    out = fmt::format("upgraded images of format {} to {}, with an index of all texts\n",
                      report.format_from, report.format_to);
  }
  if (report.from == report.to) return out;
  out += fmt::format("upgraded from Unicode {} to {}: {} written anew\n",
                     report.from.empty() ? "unknown" : report.from, report.to,
                     report.renamed.empty() ? "no name is"
                     : report.renamed.size() == 1
                         ? "1 name is"
                         : fmt::format("{} names are", report.renamed.size()));
  for (size_t i = 0; i < std::min(report.renamed.size(), kNamesShown); ++i) {
    const auto& [before, after] = report.renamed[i];
    out += fmt::format("{} -> {}\n", ToNotation(before), ToNotation(after));
  }
  if (report.renamed.size() > kNamesShown) {
    out += fmt::format("... and {}\n", Plural(report.renamed.size() - kNamesShown, "more name"));
  }
  const uint64_t fewer = report.statements_before - report.statements_after;
  if (fewer > 0) {
    out += fmt::format("{} became one with another: {} now\n", Plural(fewer, "statement"),
                       report.statements_after);
  }
  return out;
}

std::string ReportJson(const UpgradeReport& report) {
  Json json = {{"format_before", report.format_from},
               {"format", report.format_to},
               {"unicode_before", report.from},
               {"unicode", report.to},
               {"statements_before", report.statements_before},
               {"statements", report.statements_after}};
  json["renamed"] = Json::array();
  for (const auto& [before, after] : report.renamed) {
    json["renamed"].push_back({{"before", ToNotation(before)}, {"after", ToNotation(after)}});
  }
  return json.dump() + "\n";
}

}  // namespace

Result<ExitCode> RunUpgrade(const Invocation& invocation, Io* io) {
  StoreOptions options;
  options.upgrade = true;
  LOCI_ASSIGN(const auto store, OpenMemory(invocation.arguments[0], options));
  Progress progress(io);
  LOCI_ASSIGN(const UpgradeReport report, store->Upgrade(progress.ForStore()));
  progress.Clear();
  *io->out << (invocation.Has("json") ? ReportJson(report) : ReportText(report));
  return ExitCode::kFound;
}

}  // namespace loci
