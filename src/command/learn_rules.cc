// SPDX-License-Identifier: Apache-2.0
//
// loci learn --rules: the rules of a file, checked together with those that the memory has, under
// the writer's lock; one bad rule, and none is learned.
#include "command/learn_rules.h"

#include <ostream>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/unicode.h"
#include "command/open.h"
#include "formats/byte_source.h"
#include "query/query.h"
#include "query/rule.h"
#include "render/plural.h"

namespace loci {
namespace {

std::string BaseName(const std::string& path) {
  return path == "-" ? "stdin" : path.substr(path.rfind('/') + 1);
}

Result<std::string> ReadAll(const std::string& path) {
  LOCI_ASSIGN(const auto source, OpenFile(path, {}));
  LOCI_ASSIGN(std::string text, ReadUpTo(source.get(), query::kMaxQueryBytes + 1));
  return text;
}

// What is wrong with the rules is bad input, not bad use of the command.
Error Refused(const std::string& name, const Error& error) {
  return {error.kind == ErrorKind::kUsage ? ErrorKind::kBadInput : error.kind,
          fmt::format("{}: {}\nno rule was learned", Excerpt(name), error.message)};
}

}  // namespace

Result<ExitCode> LearnRules(const Invocation& invocation, const std::string& source_name, Io* io) {
  if (invocation.arguments.size() > 1) {
    return Error{ErrorKind::kUsage,
                 fmt::format("learn: --rules and FILE '{}' exclude each other; learn one after the "
                             "other",
                             Excerpt(invocation.arguments[1]))};
  }
  const std::string path = invocation.Text("rules");
  const std::string name = path == "-" ? "stdin" : path;
  LOCI_ASSIGN(const std::string text, ReadAll(path));
  const auto rules = query::ReadRules(text);
  if (!rules.ok()) return Refused(name, rules.error());
  // Before there is a memory: a failed first learn leaves nothing behind.
  if (auto checked = query::CheckRules(Snapshot({}), *rules); !checked.ok()) {
    return Refused(name, checked.error());
  }
  LOCI_ASSIGN(const Term source, MakeSymbol(source_name.empty() ? BaseName(path) : source_name));

  StoreOptions options;
  options.create = true;
  LOCI_ASSIGN(const auto store, OpenMemory(invocation.arguments[0], options));
  auto learned = store->Apply([&](const Snapshot& snapshot, Batch* batch) {
    return query::AddRules(snapshot, *rules, source, batch);
  });
  if (!learned.ok()) return Refused(name, learned.error());
  if (invocation.Has("json")) {
    const nlohmann::ordered_json json = {{"learned", learned->learned},
                                         {"known", learned->known},
                                         {"rules", rules->size()},
                                         {"file", name},
                                         {"digest", learned->digest_after.Hex()}};
    *io->out << json.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace) << "\n";
    return ExitCode::kFound;
  }
  *io->out << fmt::format(
      "learned {}{} from {}\n", Plural(learned->learned, "rule"),
      learned->known > 0 ? fmt::format(" ({} already known)", learned->known) : "", name);
  return ExitCode::kFound;
}

}  // namespace loci
