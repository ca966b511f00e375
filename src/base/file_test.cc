// SPDX-License-Identifier: Apache-2.0
//
// FileSystem on a real directory: what it promises in base/file.h, and its errors.
#include "base/file.h"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <random>
#include <thread>

namespace loci {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

class FileTest : public ::testing::Test {
 protected:
  FileTest() {
    std::string pattern = std::filesystem::temp_directory_path() / "loci-file-XXXXXX";
    base_ = ::mkdtemp(pattern.data());
    path_ = base_ + "/memory";
  }
  ~FileTest() override { std::filesystem::remove_all(base_); }

  std::unique_ptr<FileSystem> OpenOrDie(const std::string& path) {
    auto files = OpenDirectory(path, true);
    EXPECT_TRUE(files.ok()) << files.error().message;
    return files.take();
  }
  void WriteFile(const std::string& name, std::string_view bytes) {
    std::ofstream(path_ + "/" + name, std::ios::binary) << bytes;
  }

  std::string base_, path_;
};

TEST_F(FileTest, CreatesOnlyTheLastPartAndOnlyWhereTold) {
  auto missing = OpenDirectory(path_, false);
  ASSERT_FALSE(missing.ok());
  EXPECT_EQ(missing.error().kind, ErrorKind::kNotFound);
  EXPECT_THAT(missing.error().message, HasSubstr(path_));

  auto parentless = OpenDirectory(path_ + "/deep/er", true);
  ASSERT_FALSE(parentless.ok());
  EXPECT_EQ(parentless.error().kind, ErrorKind::kNotFound);
  EXPECT_THAT(parentless.error().message, HasSubstr("'" + path_ + "/deep' does not exist"));

  auto files = OpenOrDie(path_ + "/");
  struct stat status;
  ASSERT_EQ(::stat(path_.c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 0777, 0700u);
  EXPECT_TRUE(OpenDirectory(path_, true).ok());
  EXPECT_TRUE(OpenDirectory(path_, false).ok());
}

TEST_F(FileTest, RefusesWhatIsNoDirectory) {
  std::ofstream(base_ + "/plain") << "x";
  for (bool create : {false, true}) {
    auto files = OpenDirectory(base_ + "/plain", create);
    ASSERT_FALSE(files.ok());
    EXPECT_EQ(files.error().kind, ErrorKind::kIo);
    EXPECT_THAT(files.error().message, HasSubstr("it is a file"));
  }
  EXPECT_FALSE(OpenDirectory(base_ + "/plain/below", false).ok());
  EXPECT_EQ(OpenDirectory("", true).error().kind, ErrorKind::kUsage);
}

TEST_F(FileTest, WritesAtAnyOffsetInLockstepWithAString) {
  auto files = OpenOrDie(path_);
  auto file = files->OpenForWriting("log-1", true);
  ASSERT_TRUE(file.ok());
  std::mt19937 random(1);
  std::string expected;
  for (int i = 0; i < 300; ++i) {
    if (random() % 8 == 0) {
      const size_t length = random() % 20000;
      ASSERT_TRUE((*file)->Truncate(length).ok());
      expected.resize(length);
    } else {
      const size_t offset = random() % 20000;
      const std::string bytes(random() % 5000, static_cast<char>(random()));
      ASSERT_TRUE((*file)->WriteAt(offset, bytes).ok());
      if (!bytes.empty()) expected.resize(std::max(expected.size(), offset + bytes.size()));
      expected.replace(offset, bytes.size() * (offset <= expected.size()), bytes);
    }
    if (i % 50 == 0) {
      ASSERT_TRUE((*file)->Sync().ok());
    }
    ASSERT_EQ((*file)->Size().take(), expected.size());
    const size_t from = random() % 25000;
    ASSERT_EQ(files->Read("log-1", from).take(),
              from < expected.size() ? expected.substr(from) : "");
    ASSERT_EQ(AsChars(files->Map("log-1").take()->bytes()), expected);
  }
  struct stat status;
  ASSERT_EQ(::stat((path_ + "/log-1").c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 0777, 0600u);
}

TEST_F(FileTest, OpeningKeepsWhatIsThere) {
  auto files = OpenOrDie(path_);
  WriteFile("log-1", "before");
  ASSERT_TRUE(files->OpenForWriting("log-1", true).ok());
  EXPECT_EQ(files->Read("log-1").take(), "before");
  auto missing = files->OpenForWriting("log-2", false);
  ASSERT_FALSE(missing.ok());
  EXPECT_EQ(missing.error().kind, ErrorKind::kNotFound);
  EXPECT_THAT(missing.error().message, HasSubstr(path_ + "/log-2"));
}

TEST_F(FileTest, AMapOutlivesItsNameAndAnEmptyFileIsAnEmptySpan) {
  auto files = OpenOrDie(path_);
  WriteFile("image-1", "constant");
  WriteFile("empty", "");
  auto mapped = files->Map("image-1");
  ASSERT_TRUE(mapped.ok());
  ASSERT_TRUE(files->Remove("image-1").ok());
  EXPECT_EQ(AsChars((*mapped)->bytes()), "constant");
  EXPECT_EQ(files->Map("image-1").error().kind, ErrorKind::kNotFound);
  EXPECT_TRUE(files->Map("empty").take()->bytes().empty());
  EXPECT_EQ(files->Read("empty").take(), "");
}

TEST_F(FileTest, ListsRegularFilesSortedAndOftenAlike) {
  auto files = OpenOrDie(path_);
  EXPECT_THAT(files->List().take(), ElementsAre());
  for (const char* name : {"lock", "CURRENT", "image-2"}) WriteFile(name, "");
  std::filesystem::create_directory(path_ + "/sub");
  std::filesystem::create_symlink("CURRENT", path_ + "/link");
  for (int i = 0; i < 2; ++i) {
    EXPECT_THAT(files->List().take(), ElementsAre("CURRENT", "image-2", "lock"));
  }
}

TEST_F(FileTest, RenamesRemovesAndSyncsTheDirectory) {
  auto files = OpenOrDie(path_);
  WriteFile("new", "2");
  WriteFile("CURRENT", "1");
  ASSERT_TRUE(files->Rename("new", "CURRENT").ok());
  ASSERT_TRUE(files->SyncDirectory().ok());
  EXPECT_EQ(files->Read("CURRENT").take(), "2");
  EXPECT_EQ(files->Rename("new", "CURRENT").error().kind, ErrorKind::kNotFound);
  EXPECT_EQ(files->Remove("new").error().kind, ErrorKind::kNotFound);
  EXPECT_TRUE(files->Remove("CURRENT").ok());
}

TEST_F(FileTest, StaysInsideItsDirectory) {
  auto files = OpenOrDie(path_);
  std::ofstream(base_ + "/outside") << "x";
  std::filesystem::create_symlink("../outside", path_ + "/link");
  ASSERT_EQ(::mkfifo((path_ + "/pipe").c_str(), 0600), 0);
  std::filesystem::create_directory(path_ + "/sub");
  for (const char* name : {"../outside", "", ".", "..", "a/b"}) {
    EXPECT_EQ(files->Read(name).error().kind, ErrorKind::kUsage) << name;
    EXPECT_EQ(files->Remove(name).error().kind, ErrorKind::kUsage) << name;
    EXPECT_EQ(files->Rename(name, "x").error().kind, ErrorKind::kUsage) << name;
  }
  for (const char* name : {"link", "pipe", "sub"}) {
    EXPECT_EQ(files->Read(name).error().kind, ErrorKind::kIo) << name;
    EXPECT_EQ(files->OpenForWriting(name, true).error().kind, ErrorKind::kIo) << name;
    EXPECT_EQ(files->Map(name).error().kind, ErrorKind::kIo) << name;
  }
}

TEST_F(FileTest, StaysTheSameDirectoryThoughRenamed) {
  auto files = OpenOrDie(path_);
  WriteFile("CURRENT", "here");
  std::filesystem::rename(path_, base_ + "/moved");
  EXPECT_EQ(files->Read("CURRENT").take(), "here");
}

TEST_F(FileTest, TheBootIdIsOneForAllOfAMachine) {
  auto files = OpenOrDie(path_);
  EXPECT_NE(files->BootId(), 0u);
  EXPECT_EQ(files->BootId(), OpenOrDie(base_)->BootId());
}

TEST_F(FileTest, ASharedPageIsSharedAndLasts) {
  auto files = OpenOrDie(path_);
  EXPECT_EQ(files->MapShared("lock", FileSystem::Mode::kRead).error().kind, ErrorKind::kNotFound);
  {
    auto a = files->MapShared("lock", FileSystem::Mode::kWrite).take();
    auto b = OpenOrDie(path_)->MapShared("lock", FileSystem::Mode::kWrite).take();
    auto reader = files->MapShared("lock", FileSystem::Mode::kRead).take();
    EXPECT_EQ(a->Load(0), 0u);
    a->Store(0, 7);
    b->Store(511, ~uint64_t{0});
    EXPECT_EQ(b->Load(0), 7u);
    EXPECT_EQ(reader->Load(511), ~uint64_t{0});
    reader->Store(0, 8);
    EXPECT_EQ(a->Load(0), 7u);
  }
  EXPECT_EQ(files->MapShared("lock", FileSystem::Mode::kWrite).take()->Load(0), 7u);
  EXPECT_EQ(files->Read("lock").take().size(), 4096u);
}

TEST_F(FileTest, AShortSharedPageReadsAsZerosUntilItGrows) {
  auto files = OpenOrDie(path_);
  WriteFile("lock", "");
  auto reader = files->MapShared("lock", FileSystem::Mode::kRead).take();
  EXPECT_EQ(reader->Load(3), 0u);
  auto writer = files->MapShared("lock", FileSystem::Mode::kWrite).take();
  writer->Store(3, 9);
  EXPECT_EQ(reader->Load(3), 9u);

  WriteFile("short", std::string(13, '\x01'));
  auto tail = files->MapShared("short", FileSystem::Mode::kRead).take();
  EXPECT_EQ(tail->Load(0), 0x0101010101010101u);
  EXPECT_EQ(tail->Load(1), 0x0000000101010101u);
  EXPECT_EQ(tail->Load(511), 0u);
}

TEST_F(FileTest, SharedWordsAreNeverTorn) {
  auto files = OpenOrDie(path_);
  auto page = files->MapShared("lock", FileSystem::Mode::kWrite).take();
  const pid_t child = ::fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    for (uint64_t i = 0; i < 200000; ++i) page->Store(1, (i & 255) * 0x0101010101010101u);
    page->Store(2, 1);
    ::_exit(0);
  }
  bool torn = false;
  while (page->Load(2) == 0) {
    const uint64_t value = page->Load(1);
    torn |= value != (value & 255) * 0x0101010101010101u;
  }
  int status;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  EXPECT_FALSE(torn);
}

TEST_F(FileTest, LocksExcludeCallsWhateverTheThreadOrProcess) {
  auto files = OpenOrDie(path_);
  auto held = files->Lock("lock", 0, true).take();
  ASSERT_NE(held, nullptr);
  EXPECT_EQ(files->Lock("lock", 0, false).take(), nullptr);
  EXPECT_NE(files->Lock("lock", 1, false).take(), nullptr) << "another byte is another lock";
  const pid_t child = ::fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    auto other = OpenDirectory(path_, false);
    ::_exit(other.ok() && other->get()->Lock("lock", 0, false).take() == nullptr ? 0 : 1);
  }
  int status = -1;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  EXPECT_EQ(status, 0);
  held.reset();
  EXPECT_NE(files->Lock("lock", 0, false).take(), nullptr);
}

TEST_F(FileTest, AForkedChildDoesNotKeepALockThatItsParentGaveBack) {
  auto files = OpenOrDie(path_);
  auto held = files->Lock("lock", 0, true).take();
  const pid_t child = ::fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    ::pause();
    ::_exit(0);
  }
  held.reset();
  EXPECT_NE(files->Lock("lock", 0, false).take(), nullptr);
  ::kill(child, SIGKILL);
  ::waitpid(child, nullptr, 0);
}

TEST_F(FileTest, ALockGoesWithTheProcessThatHeldIt) {
  auto files = OpenOrDie(path_);
  int ready[2];
  ASSERT_EQ(::pipe(ready), 0);
  const pid_t child = ::fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    auto lock = OpenDirectory(path_, false).take()->Lock("lock", 0, true);
    if (::write(ready[1], "x", 1) == 1) ::pause();
    ::_exit(0);
  }
  char byte;
  ASSERT_EQ(::read(ready[0], &byte, 1), 1);
  EXPECT_EQ(files->Lock("lock", 0, false).take(), nullptr);
  ::kill(child, SIGKILL);
  EXPECT_NE(files->Lock("lock", 0, true).take(), nullptr);
  ::waitpid(child, nullptr, 0);
  ::close(ready[0]);
  ::close(ready[1]);
}

TEST_F(FileTest, WaitingForALockSurvivesSignalsAndExcludesThreads) {
  struct sigaction action {};
  action.sa_handler = [](int) {};  // without SA_RESTART: system calls return EINTR
  struct sigaction before;
  ASSERT_EQ(::sigaction(SIGUSR1, &action, &before), 0);
  auto files = OpenOrDie(path_);
  auto held = files->Lock("lock", 0, true).take();
  std::atomic<bool> taken{false};
  std::thread waiter([&] {
    auto lock = files->Lock("lock", 0, true);
    EXPECT_TRUE(lock.ok());
    taken = true;
  });
  for (int i = 0; i < 5; ++i) {
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
    ::pthread_kill(waiter.native_handle(), SIGUSR1);
  }
  EXPECT_FALSE(taken);
  held.reset();
  waiter.join();
  EXPECT_TRUE(taken);
  ::sigaction(SIGUSR1, &before, nullptr);

  int inside = 0;  // guarded by the lock alone
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&] {
      for (int i = 0; i < 200; ++i) {
        auto lock = files->Lock("lock", 0, true);
        std::atomic_ref<int>(inside).store(std::atomic_ref<int>(inside).load() + 1);
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(inside, 800);
}

// Runs as an ordinary user where the tests run as root, whom modes do not stop.
int AsNobody(const std::function<bool()>& body) {
  const pid_t child = ::fork();
  if (child == 0) {
    if (::geteuid() == 0 && ::setresuid(65534, 65534, 65534) != 0) ::_exit(2);
    ::_exit(body() ? 0 : 1);
  }
  int status = -1;
  ::waitpid(child, &status, 0);
  return status;
}

TEST_F(FileTest, AReadOnlyDirectoryCanBeReadAndRefusesWrites) {
  auto owner = OpenOrDie(path_);
  WriteFile("image-1", "bytes");
  owner->MapShared("lock", FileSystem::Mode::kWrite).take()->Store(0, 5);
  ::chmod(base_.c_str(), 0755);
  ::chmod(path_.c_str(), 0555);
  ::chmod((path_ + "/image-1").c_str(), 0444);
  ::chmod((path_ + "/lock").c_str(), 0444);
  EXPECT_EQ(AsNobody([&] {
              auto files = OpenDirectory(path_, false);
              if (!files.ok()) return false;
              FileSystem& fs = **files;
              auto page = fs.MapShared("lock", FileSystem::Mode::kRead);
              if (!page.ok() || (*page)->Load(0) != 5) return false;
              if (fs.Read("image-1").take() != "bytes" || !fs.Map("image-1").ok()) return false;
              for (const ErrorKind kind :
                   {fs.MapShared("lock", FileSystem::Mode::kWrite).error().kind,
                    fs.Lock("lock", 0, false).error().kind,
                    fs.OpenForWriting("image-1", false).error().kind,
                    fs.OpenForWriting("new", true).error().kind, fs.Remove("image-1").error().kind,
                    fs.Rename("image-1", "x").error().kind}) {
                if (kind != ErrorKind::kIo) return false;
              }
              return true;
            }),
            0);
  ::chmod(path_.c_str(), 0700);
}

TEST_F(FileTest, AWriteThatTheSystemRefusesNamesThePathAndTheReason) {
  auto files = OpenOrDie(path_);
  auto file = files->OpenForWriting("log-1", true).take();
  struct rlimit before;
  ASSERT_EQ(::getrlimit(RLIMIT_FSIZE, &before), 0);
  const auto old_handler = ::signal(SIGXFSZ, SIG_IGN);
  struct rlimit small = before;
  small.rlim_cur = 1000;
  ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &small), 0);
  // The first 1,000 bytes are a short write, the rest is refused.
  const Result<void> written = file->WriteAt(0, std::string(5000, 'x'));
  ::setrlimit(RLIMIT_FSIZE, &before);
  ::signal(SIGXFSZ, old_handler);
  ASSERT_FALSE(written.ok());
  EXPECT_EQ(written.error().kind, ErrorKind::kIo);
  EXPECT_THAT(written.error().message, HasSubstr("cannot write '" + path_ + "/log-1'"));
  EXPECT_EQ(file->Size().take(), 1000u);
}

}  // namespace
}  // namespace loci
