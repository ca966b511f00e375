// SPDX-License-Identifier: Apache-2.0
//
// Result<T>: a value, or an Error that says what went wrong and what to do next.
//
// The library never prints, exits, aborts or throws across its boundary: everything that can fail
// returns one of these. An Error has one of a few kinds (what a caller can act on) and a message
// (what a person can act on): it names the offending value and the next step.
//
// std::expected needs C++23 and is not in GCC 12, hence these few lines.
#pragma once

#include <optional>
#include <string>
#include <utility>

namespace loci {

// What a caller can act on. The command maps kinds to exit codes in src/command/exit_code.h.
enum class ErrorKind : unsigned char {
  kUsage,        // the request itself is wrong: a query, a flag, a name
  kBadInput,     // what was read from outside is malformed; the message has file, line and column
  kNotFound,     // the thing named does not exist
  kDamaged,      // bytes of a memory are not what they were when written
  kUnsupported,  // well-formed, but of a format or feature that this version lacks
  kIo,           // the system refused: permission, failing disk
  kNoSpace,      // disk full or quota reached; nothing was changed
  kNoMemory,     // a memory limit was reached; nothing was changed
  kLimit,        // a stated limit (work, depth, size) was reached; never a silent cut
  kCancelled,    // the caller's cancellation token or Ctrl-C
};

struct Error {
  ErrorKind kind;
  std::string message;
};

template <class T>
class [[nodiscard]] Result {
 public:
  Result(T value) : value_(std::move(value)) {}                          // NOLINT
  Result(Error error) : error_{error.kind, std::move(error.message)} {}  // NOLINT

  bool ok() const { return value_.has_value(); }
  explicit operator bool() const { return ok(); }

  // Only for a result that is ok().
  T& operator*() { return *value_; }
  const T& operator*() const { return *value_; }
  T* operator->() { return &*value_; }
  const T* operator->() const { return &*value_; }
  T take() { return std::move(*value_); }

  // Only for a result that is not ok().
  const Error& error() const { return error_; }

 private:
  std::optional<T> value_;
  Error error_{ErrorKind::kUsage, {}};
};

// Success without a value: `return {};`.
template <>
class [[nodiscard]] Result<void> {
 public:
  Result() = default;
  Result(Error error) : error_(std::move(error)) {}  // NOLINT

  bool ok() const { return !error_.has_value(); }
  explicit operator bool() const { return ok(); }
  const Error& error() const { return *error_; }

 private:
  std::optional<Error> error_;
};

}  // namespace loci

// Returns the error of a Result from the enclosing function, if it has one.
#define LOCI_TRY(expression)                                        \
  do {                                                              \
    if (auto loci_try_result = (expression); !loci_try_result.ok()) \
      return loci_try_result.error();                               \
  } while (0)

// LOCI_ASSIGN(auto file, fs.Open(path)): declares or assigns the value, or returns the error.
#define LOCI_ASSIGN(target, expression) LOCI_ASSIGN_LINE(target, expression, __LINE__)
#define LOCI_ASSIGN_LINE(target, expression, line) LOCI_ASSIGN_NAMED(target, expression, line)
#define LOCI_ASSIGN_NAMED(target, expression, line)                \
  auto loci_result_##line = (expression);                          \
  if (!loci_result_##line.ok()) return loci_result_##line.error(); \
  target = loci_result_##line.take()
