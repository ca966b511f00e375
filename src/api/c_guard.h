// SPDX-License-Identifier: Apache-2.0
//
// What the files of the C API share: the objects that several functions take, errors as codes, and
// strings in other clothes.
#pragma once

#include <new>
#include <string>
#include <string_view>

#include "api/guarded.h"
#include "loci/c.h"
#include "loci/memory.h"

struct loci_error {
  loci_code code;
  std::string message;
};
struct loci_cancellation {
  loci::Cancellation token;
};
struct loci_memory {
  loci::Memory memory;
};

namespace loci::c {

inline loci_code Fail(const Error& failure, loci_error** error) {
  const auto code = static_cast<loci_code>(static_cast<int>(failure.kind) + 1);
  // Without memory for the message the code has to do.
  if (error != nullptr) *error = new (std::nothrow) loci_error{code, failure.message};
  return code;
}

// Runs a call that returns a Result<void>.
template <class Call>
loci_code Run(loci_error** error, const Call& call) {
  const Result<void> result = Guarded(call);
  return result.ok() ? LOCI_OK : Fail(result.error(), error);
}

inline std::string_view View(loci_string s) {
  return s.size == 0 ? std::string_view() : std::string_view(s.data, s.size);
}
inline std::string OrEmpty(const char* s) {
  return s == nullptr ? std::string() : std::string(s);
}

inline loci_string ToC(const std::string& s) {
  return {s.c_str(), s.size()};
}
inline constexpr loci_string kNoString = {"", 0};

inline Cancellation TokenOf(const loci_cancellation* cancellation) {
  return cancellation == nullptr ? Cancellation() : cancellation->token;
}

}  // namespace loci::c
