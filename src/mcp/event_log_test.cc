// SPDX-License-Identifier: Apache-2.0
#include "mcp/event_log.h"

#include <string>

#include <gtest/gtest.h>
#include <poll.h>

namespace loci::mcp {
namespace {

std::string Event(int id, const std::string& data) {
  return "id: " + std::to_string(id) + "\nevent: message\ndata: " + data + "\n\n";
}

bool Awake(const EventLog::Reader& reader) {
  pollfd waiting{reader.wake(), POLLIN, 0};
  return ::poll(&waiting, 1, 0) == 1;
}

TEST(EventLog, AStreamHasWhatNoOtherHasTaken) {
  EventLog log(8);
  log.Push("a");
  const auto first = log.Open({}).take();
  EXPECT_TRUE(Awake(*first));
  EXPECT_EQ(Event(1, "a"), log.Take(first.get()));
  EXPECT_FALSE(Awake(*first));
  EXPECT_EQ("", log.Take(first.get()));
  log.Push("b");
  log.Push("c");
  EXPECT_TRUE(Awake(*first));
  EXPECT_EQ(Event(2, "b") + Event(3, "c"), log.Take(first.get()));
  const auto second = log.Open({}).take();
  EXPECT_TRUE(Awake(*first));
  EXPECT_EQ(std::nullopt, log.Take(first.get()));
  EXPECT_EQ("", log.Take(second.get()));
}

TEST(EventLog, IsResumedBehindAnEventAsFarAsItIsKept) {
  EventLog log(2);
  for (const char* data : {"a", "b", "c"}) log.Push(data);
  const auto take = [&](uint64_t after) {
    return log.Take(log.Open(after).take().get()).value_or("ended");
  };
  EXPECT_EQ(Event(3, "c"), take(2));
  EXPECT_EQ(Event(2, "b") + Event(3, "c"), take(0));
  EXPECT_EQ("", take(3));
  EXPECT_EQ("", take(99));  // of another server
}

TEST(EventLog, EndsForAll) {
  EventLog log(2);
  const auto open = log.Open({}).take();
  EXPECT_EQ("", log.Take(open.get()));
  log.Close();
  EXPECT_TRUE(Awake(*open));
  EXPECT_EQ(std::nullopt, log.Take(open.get()));
  const auto later = log.Open({}).take();
  EXPECT_EQ(std::nullopt, log.Take(later.get()));
}

}  // namespace
}  // namespace loci::mcp
