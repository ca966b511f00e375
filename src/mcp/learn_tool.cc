// SPDX-License-Identifier: Apache-2.0
//
// learn: all of a call is one atomic, durable step under the name of one source.
#include <algorithm>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "mcp/arguments.h"
#include "mcp/learn_items.h"
#include "mcp/memory_tools.h"
#include "mcp/page.h"
#include "render/plural.h"

namespace loci::mcp {
namespace {

constexpr size_t kMostNames = 100;  // told of texts that got one

constexpr char kDescription[] =
    "Remember facts, texts and rules; all of one call or, if any is bad, nothing. Learning what is "
    "known changes nothing. A fact is subject, relation and exactly one of object (a name: a "
    "person, place, thing), text (words), number or date. Reuse the names and relations that the "
    "memory has (see stats, recall). A text is a note or a message, found by recall. Each "
    "statement "
    "keeps its source: name one that can be forgotten as a whole, such as a document or session.";

Result<ToolResult> Run(const Json& arguments, const ToolContext& context) {
  LOCI_ASSIGN(const LearnItems items, ReadLearnItems(arguments, context.source));
  std::vector<std::string> names;
  const auto add = [&](const Snapshot& snapshot, Batch* batch) {
    return AddLearnItems(items, snapshot, batch, &names);
  };
  const auto progress = [&context](const char*, uint64_t, uint64_t) { return context.KeepGoing(); };
  auto receipt = context.store->Apply(Store::SelectFn(add), progress);
  if (!receipt.ok()) {
    const Error& error = receipt.error();
    const bool told = error.message.find("nothing was") != std::string::npos;
    return Error{error.kind, error.message + (told ? "" : "\nnothing was written")};
  }

  ToolResult result;
  result.wrote = receipt->learned > 0;
  const std::string source = Cut(ToNotation(items.source), kFrame / 4);
  result.structured = {{"learned", receipt->learned},
                       {"known", receipt->known},
                       {"source", source},
                       {"digest", receipt->digest_after.Hex()}};
  result.text = fmt::format("learned {}", Plural(receipt->learned, "statement"));
  if (receipt->known > 0) result.text += fmt::format(" ({} already known)", receipt->known);
  result.text += fmt::format(", source {}\n", source);

  std::erase(names, "");
  Page page(context.max_bytes);
  while (page.size() < std::min(names.size(), kMostNames)) {
    const std::string name = ToNotation({Kind::kSymbol, names[page.size()]});
    if (!page.Add({"text named " + name + "\n", name})) break;
  }
  result.text += page.text();
  if (page.size() < names.size()) {
    result.left_out = fmt::format("and {} more texts were named", names.size() - page.size());
  }
  if (page.size() > 0) result.structured["texts_named"] = page.TakeItems();
  return result;
}

Json FactSchema() {
  return ObjectSchema({{"subject", TextSchema("A name")},
                       {"relation", TextSchema("Such as works_at")},
                       {"object", TextSchema("A name")},
                       {"text", TextSchema("Words")},
                       {"number", {{"type", "number"}}},
                       {"date", TextSchema("2024, 2024-05-17, 2024-05-17T08:30:00Z")},
                       {"language", TextSchema("Of the text: en")}},
                      {"subject", "relation"});
}

Json PassageSchema() {
  return ObjectSchema({{"text", TypeSchema("string")},
                       {"id", TextSchema("Its name; else made up")},
                       {"title", TypeSchema("string")},
                       {"time", TextSchema("Date of it")},
                       {"speaker", TextSchema("A name")},
                       {"part_of", TextSchema("Its document, a name")}},
                      {"text"});
}

}  // namespace

Tool LearnTool() {
  Tool tool;
  tool.name = "learn";
  tool.title = "Learn facts and texts";
  tool.description = kDescription;
  tool.input_schema = ObjectSchema(
      {{"facts", ListSchema(FactSchema())},
       {"texts", ListSchema(PassageSchema())},
       {"rules", TextSchema("What follows from what: "
                            "uncle(?x, ?z) <- brother(?x, ?y), parent(?y, ?z) conf 0.9;")},
       {"source", TextSchema("Who says all this; default: this client")}});
  tool.output_schema = ItemSchema({"learned", "known", "source", "texts_named", "digest"});
  tool.idempotent = true;
  tool.run = Run;
  return tool;
}

}  // namespace loci::mcp
