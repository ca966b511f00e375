// SPDX-License-Identifier: Apache-2.0
#include "mcp/secret.h"

#include <sys/stat.h>

#include <fstream>
#include <set>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include "store/testing.h"

namespace loci::mcp {
namespace {

class TokenFile : public ::testing::Test {
 protected:
  void Write(const std::string& text, mode_t mode = 0600) {
    ::unlink(path_.c_str());
    std::ofstream(path_) << text;
    ASSERT_EQ(0, ::chmod(path_.c_str(), mode));
  }
  std::string Refusal() {
    const auto token = ReadOrMakeToken(path_);
    EXPECT_FALSE(token.ok());
    if (token.ok()) return {};
    EXPECT_NE(std::string::npos, token.error().message.find(path_)) << token.error().message;
    return token.error().message;
  }

  loci::test::TemporaryDirectory directory_;
  const std::string path_ = directory_.path() + "/token";
};

TEST_F(TokenFile, IsMadeOnceByAllThatNeedIt) {
  std::vector<std::thread> threads;
  std::vector<std::string> tokens(8);
  for (std::string& token : tokens) {
    threads.emplace_back([&] {
      auto made = ReadOrMakeToken(path_);
      if (made.ok()) token = *made;
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(64u, tokens[0].size());
  EXPECT_EQ(1u, std::set<std::string>(tokens.begin(), tokens.end()).size());
  struct stat status {};
  ASSERT_EQ(0, ::stat(path_.c_str(), &status));
  EXPECT_EQ(0600u, status.st_mode & 07777);
  EXPECT_EQ(1, std::distance(std::filesystem::directory_iterator(directory_.path()), {}));
}

TEST_F(TokenFile, OfOnesOwnIsTaken) {
  Write("my-own.token~of+16/==\n");
  const auto token = ReadOrMakeToken(path_);
  ASSERT_TRUE(token.ok()) << token.error().message;
  EXPECT_EQ("my-own.token~of+16/==", *token);
}

TEST_F(TokenFile, IsRefusedWhereOthersCouldReadIt) {
  Write("0123456789abcdef\n", 0640);
  EXPECT_NE(std::string::npos, Refusal().find("0640"));
  Write("0123456789abcdef\n", 0602);
  EXPECT_NE(std::string::npos, Refusal().find("0602"));
}

TEST_F(TokenFile, IsRefusedWhereItIsNone) {
  for (const std::string bad :
       {"", "short\n", "0123456789abcdef\n\n", "0123456789 abcdef", "0123456789abcdef\r\n"}) {
    Write(bad);
    EXPECT_NE(std::string::npos, Refusal().find("16 to 512")) << bad;
  }
  Write(std::string(513, 'a'));
  EXPECT_NE(std::string::npos, Refusal().find("16 to 512"));
  ::unlink(path_.c_str());
  ASSERT_EQ(0, ::symlink("elsewhere", path_.c_str()));
  EXPECT_NE(std::string::npos, Refusal().find("symbolic link"));
  ::unlink(path_.c_str());
  ASSERT_EQ(0, ::mkfifo(path_.c_str(), 0600));
  EXPECT_NE(std::string::npos, Refusal().find("regular file"));
}

TEST(Secret, RandomsAreNeverTheSame) {
  std::set<std::string> seen;
  for (int i = 0; i < 1000; ++i) {
    const auto random = RandomHex(16);
    ASSERT_TRUE(random.ok());
    EXPECT_EQ(32u, random->size());
    seen.insert(*random);
  }
  EXPECT_EQ(1000u, seen.size());
}

TEST(Secret, IsTheSameOnlyIfAllOfItIs) {
  EXPECT_TRUE(SameSecret("abc", "abc"));
  EXPECT_FALSE(SameSecret("abd", "abc"));
  EXPECT_FALSE(SameSecret("ab", "abc"));
  EXPECT_FALSE(SameSecret("", "abc"));
}

}  // namespace
}  // namespace loci::mcp
