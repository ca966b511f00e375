// SPDX-License-Identifier: Apache-2.0
//
// Bounded: a test whose process may use so much memory and so much time of the processor, and no
// more: beyond it an allocation fails or the system ends the process. Each test prints what it
// used.
#pragma once

#include <gtest/gtest.h>
#include <sys/resource.h>

#include <cstdint>
#include <cstdio>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "image/image.h"
#include "memory/batch.h"
#include "memory/build.h"
#include "memory/snapshot.h"
#include "query/query.h"

namespace loci::hostile {

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
inline constexpr bool kSanitized = true;
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
inline constexpr bool kSanitized = true;  // whose shadow memory is terabytes of address space
#else
inline constexpr bool kSanitized = false;
#endif
#else
inline constexpr bool kSanitized = false;
#endif

class Bounded : public ::testing::Test {
 protected:
  // Of the whole process, what the test itself makes included.
  Bounded(uint64_t megabytes, uint64_t seconds) : megabytes_(megabytes), seconds_(seconds) {
    if (kSanitized) return;
    Limit(RLIMIT_AS, megabytes << 20);
    Limit(RLIMIT_CPU, seconds);
  }
  void TearDown() override {
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    const double used = static_cast<double>(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) +
                        1e-6 * static_cast<double>(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec);
    std::printf("%.2f s of %lu, peak %ld MB of %lu\n", used, static_cast<unsigned long>(seconds_),
                usage.ru_maxrss >> 10, static_cast<unsigned long>(megabytes_));
  }

 private:
  static void Limit(int what, uint64_t most) {
    rlimit limit{};
    ASSERT_EQ(getrlimit(static_cast<__rlimit_resource_t>(what), &limit), 0);
    limit.rlim_cur = most;
    ASSERT_EQ(setrlimit(static_cast<__rlimit_resource_t>(what), &limit), 0);
  }

  const uint64_t megabytes_, seconds_;
};

inline std::string Repeat(std::string_view piece, size_t n) {
  std::string out;
  out.reserve(piece.size() * n);
  for (size_t i = 0; i < n; ++i) out += piece;
  return out;
}

// Memories of numbered nodes n0 n1 ..., built in one layer.
class Builder {
 public:
  void Add(std::string_view subject, std::string_view relation, std::string_view object) {
    batch_.Add(Batch::Row{Symbol(subject), Symbol(relation), Symbol(object), Symbol("test")},
               false);
  }
  static std::string Node(uint64_t n) { return "n" + std::to_string(n); }
  // From each of n nodes to the next, and from the last to the first.
  void AddRing(std::string_view relation, uint64_t n) {
    for (uint64_t i = 0; i < n; ++i) Add(Node(i), relation, Node((i + 1) % n));
  }
  std::shared_ptr<const Snapshot> Build() {
    auto image = BuildImage(batch_, Words::kLastCounts, "");
    EXPECT_TRUE(image.ok());
    return std::make_shared<Snapshot>(std::vector<std::shared_ptr<const Image>>{*image});
  }

 private:
  Batch::Ref Symbol(std::string_view name) { return batch_.Intern({Kind::kSymbol, name}); }

  Batch batch_;
};

inline query::QueryOptions Work(uint64_t most) {
  query::QueryOptions options;
  options.max_work = most;
  return options;
}
inline query::QueryOptions Memory(uint64_t most) {
  query::QueryOptions options;
  options.max_memory = most;
  return options;
}

inline Result<query::Answers> Ask(const std::shared_ptr<const Snapshot>& snapshot,
                                  std::string_view text, const query::QueryOptions& options = {}) {
  LOCI_ASSIGN(const query::Query query, query::Query::Parse(text));
  return query.Run(snapshot, options);
}

}  // namespace loci::hostile
