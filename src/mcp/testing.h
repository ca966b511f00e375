// SPDX-License-Identifier: Apache-2.0
//
// For tests of the server: a memory in a directory of its own, and a client's calls of its tools.
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "mcp/schema.h"
#include "mcp/session.h"
#include "store/store.h"
#include "store/testing.h"

namespace loci::mcp::test {

class Served {
 public:
  explicit Served(uint64_t max_bytes = kDefaultMaxBytes) {
    StoreOptions create;
    create.create = true;
    auto opened = Store::Open(directory_.path() + "/m", create);
    EXPECT_TRUE(opened.ok());
    options_.store = opened.take();
    options_.max_bytes = max_bytes;
    options_.version = "0";
    session_ = Connect(&notes_);
  }

  std::unique_ptr<Session> Connect(std::vector<std::string>* notes) {
    return std::make_unique<Session>(options_,
                                     [notes](const std::string& note) { notes->push_back(note); });
  }

  Store& store() { return *options_.store; }
  const ServerOptions& options() const { return options_; }
  Session& session() { return *session_; }
  std::vector<std::string>& notes() { return notes_; }

  // The reply to a request of that method, as JSON.
  Json Ask(const std::string& method, Json params) {
    const Json request = {
        {"jsonrpc", "2.0"}, {"id", ++id_}, {"method", method}, {"params", std::move(params)}};
    const auto reply = session_->Answer(ParseMessage(ToText(request)));
    EXPECT_TRUE(reply.has_value()) << ToText(request);
    return reply ? Json::parse(*reply) : Json();
  }

  // The result of a tool; a structured one fits the tool's schema.
  Json Call(const std::string& tool, Json arguments) {
    Json reply = Ask("tools/call", {{"name", tool}, {"arguments", std::move(arguments)}});
    EXPECT_TRUE(reply.contains("result")) << ToText(reply);
    Json result = reply["result"];
    const Tool* const row = FindTool(tool);
    if (row != nullptr && result.contains("structuredContent")) {
      const auto fault = FindFault(row->output_schema, result["structuredContent"]);
      EXPECT_FALSE(fault.has_value()) << *fault << "\n" << ToText(result);
    }
    return result;
  }

  // The structured result of a call that must succeed.
  Json Good(const std::string& tool, Json arguments) {
    Json result = Call(tool, std::move(arguments));
    EXPECT_FALSE(result.value("isError", false)) << ToText(result);
    return result["structuredContent"];
  }

  // The message of one that must fail.
  std::string Bad(const std::string& tool, Json arguments) {
    Json result = Call(tool, std::move(arguments));
    EXPECT_TRUE(result.value("isError", false)) << ToText(result);
    return result["content"][0]["text"].get<std::string>();
  }

 private:
  loci::test::TemporaryDirectory directory_;
  ServerOptions options_;
  std::vector<std::string> notes_;
  std::unique_ptr<Session> session_;
  int id_ = 0;
};

}  // namespace loci::mcp::test
