// SPDX-License-Identifier: Apache-2.0
//
// What a client of `loci mcp` may send: each line of the input is one message to a session over a
// small memory. Each request has one reply, a line of JSON with its id that has a result or an
// error; a notification has none; no tool but those that say so changes the memory; what a tool
// returns fits its schema and the budget.
#include <memory>
#include <string>

#include "../tests/faults/recording_files.h"
#include "harness.h"
#include "mcp/message.h"
#include "mcp/schema.h"
#include "mcp/session.h"

namespace loci {
namespace {

using faults::Disk;
using faults::RecordingFiles;
using fuzz::Require;
using fuzz::Value;
using mcp::Json;
using mcp::Message;

constexpr size_t kMostMessages = 8;  // more of them only take longer

constexpr const char* kSample =
    R"({"facts":[{"subject":"ann","relation":"knows","object":"bob"},)"
    R"({"subject":"bob","relation":"knows","object":"New York"},)"
    R"({"subject":"ann","relation":"age","number":41},)"
    R"({"subject":"ann","relation":"entity_type","object":"person"},)"
    R"({"subject":"ann","relation":"observation","text":"likes \"red\" boats"}],)"
    R"("texts":[{"text":"The red boat is in the harbour","time":"2024-05-17","speaker":"ann"},)"
    R"({"text":"A boat?","part_of":"talk"}],"source":"notes",)"
    R"("rules":"meets(?x, ?y) <- knows+(?x, ?y) conf 0.5;"})";

const Disk& Sample() {
  static const Disk sample = [] {
    auto files = std::make_shared<RecordingFiles>();
    const auto store = Value(Store::Open(files, {.create = true}), "a memory is made");
    mcp::ToolContext context;
    context.store = store.get();
    context.source = "fuzz";
    const Json arguments = Value(mcp::ParseJson(kSample), "the sample is JSON");
    Value(mcp::FindTool("learn")->run(arguments, context), "the memory learns");
    return files->Now();
  }();
  return sample;
}

std::string DigestOf(Store* store) {
  return Value(store->Read(), "the memory is read")->digest().Hex();
}

void CheckResult(const mcp::Tool& tool, const Json& result) {
  Require(result["content"].is_array() && !result["content"].empty(), "a result has content");
  if (!result.contains("structuredContent")) return;
  const Json& structured = result["structuredContent"];
  const auto fault = mcp::FindFault(tool.output_schema, structured);
  Require(!fault, "a result fits its schema", mcp::ToText(structured));
}

void Check(const Message& message, const std::string& reply) {
  Require(reply.find('\n') == std::string::npos, "a reply is one line", reply);
  const Json json = Value(mcp::ParseJson(reply), "a reply is JSON");
  Require(json["jsonrpc"] == "2.0" && json.contains("result") != json.contains("error"),
          "a reply has a result or an error", reply);
  if (message.kind != Message::Kind::kRequest) return;
  Require(json["id"] == message.id, "a reply has the id of its request", reply);
  if (message.method != "tools/call" || !json.contains("result")) return;
  const auto name = message.params.find("name");
  Require(name != message.params.end() && name->is_string(), "a tool that was called has a name");
  if (const mcp::Tool* tool = mcp::FindTool(name->get<std::string>())) {
    CheckResult(*tool, json["result"]);
  }
}

bool MayWrite(const Message& message) {
  if (message.kind != Message::Kind::kRequest || message.method != "tools/call") return false;
  const auto name = message.params.find("name");
  if (name == message.params.end() || !name->is_string()) return false;
  const mcp::Tool* const tool = mcp::FindTool(name->get<std::string>());
  return tool != nullptr && !tool->read_only;
}

void Run(std::string_view lines) {
  mcp::ServerOptions options;
  const auto files = std::make_shared<RecordingFiles>(Sample());
  options.store = Value(Store::Open(files, {}), "the memory opens");
  options.version = "0";
  mcp::Session session(options, [](const std::string& note) {
    Require(mcp::ParseJson(note).ok(), "a notification is JSON", note);
  });
  for (size_t i = 0; i < kMostMessages && !lines.empty(); ++i) {
    const std::string_view line = lines.substr(0, lines.find('\n'));
    lines.remove_prefix(std::min(lines.size(), line.size() + 1));
    const Message message = mcp::ParseMessage(line);
    const std::string before = DigestOf(options.store.get());
    const auto reply = session.Answer(message);
    const bool due =
        message.kind == Message::Kind::kRequest || message.kind == Message::Kind::kMalformed;
    Require(reply.has_value() == due, "requests and faults are answered, and nothing else", line);
    if (reply) Check(message, *reply);
    if (!MayWrite(message)) {
      Require(DigestOf(options.store.get()) == before, "what only reads changes nothing", line);
    }
  }
}

}  // namespace
}  // namespace loci

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  loci::Run(loci::AsChars({data, size}));
  return 0;
}
