// SPDX-License-Identifier: Apache-2.0
#include "formats/filter_process.h"

#include <gtest/gtest.h>

namespace loci {
namespace {

std::string ReadAll(ByteSource* source, size_t block) {
  std::string all(block, '\0');
  size_t size = 0;
  while (true) {
    const auto got = source->Read(&all[size], block);
    if (!got.ok()) return "error: " + got.error().message;
    if (*got == 0) break;
    size += *got;
    all.resize(size + block);
  }
  all.resize(size);
  return all;
}

TEST(FilterProcess, MoreThanAnyPipeHoldsGoesThroughUnchanged) {
  std::string bytes(5 << 20, '\0');
  for (size_t i = 0; i < bytes.size(); ++i) bytes[i] = static_cast<char>(i * 7 / 3);
  for (const size_t block : {1000, 1 << 20}) {
    auto process = FilterProcess::Start({"cat"}, FromBytes(bytes));
    ASSERT_TRUE(process.ok()) << process.error().message;
    EXPECT_EQ(ReadAll(process->get(), block), bytes);
    EXPECT_TRUE((*process)->Wait());
  }
}

TEST(FilterProcess, ArgumentsReachNoShell) {
  auto process = FilterProcess::Start({"printf", "%s", "$HOME; `id` *"}, FromBytes(""));
  ASSERT_TRUE(process.ok());
  EXPECT_EQ(ReadAll(process->get(), 100), "$HOME; `id` *");
}

TEST(FilterProcess, WhatItSaysOfAFailureIsKept) {
  // Ends without having read what is fed, and with more to say than is kept.
  const std::string input(1 << 20, 'x');
  auto process = FilterProcess::Start(
      {"sh", "-c", "echo out; head -c 1000000 /dev/zero | tr '\\0' x >&2; exit 3"},
      FromBytes(input));
  ASSERT_TRUE(process.ok());
  EXPECT_EQ(ReadAll(process->get(), 100), "out\n");
  EXPECT_FALSE((*process)->Wait());
  EXPECT_EQ((*process)->errors(), std::string(64 << 10, 'x'));
}

TEST(FilterProcess, NoSuchProgram) {
  const auto process = FilterProcess::Start({"no-such-program-anywhere"}, FromBytes(""));
  ASSERT_FALSE(process.ok());
  EXPECT_EQ(process.error().kind, ErrorKind::kNotFound);
}

TEST(FilterProcess, IsEndedWhereItIsNotReadToItsEnd) {
  auto process = FilterProcess::Start({"sleep", "1000"}, FromBytes(""));
  ASSERT_TRUE(process.ok());
  process->reset();  // returns at once
}

TEST(FilterProcess, TheErrorOfTheInputIsTheError) {
  struct Failing : ByteSource {
    Result<size_t> Read(char*, size_t) override { return Error{ErrorKind::kIo, "torn"}; }
  };
  auto process = FilterProcess::Start({"cat"}, std::make_unique<Failing>());
  ASSERT_TRUE(process.ok());
  EXPECT_EQ(ReadAll(process->get(), 100), "error: torn");
}

}  // namespace
}  // namespace loci
