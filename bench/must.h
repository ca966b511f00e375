// SPDX-License-Identifier: Apache-2.0
//
// A benchmark goes on with what it asked for or ends, with the reason.
#pragma once

#include <cstdio>
#include <cstdlib>
#include <string>

#include "loci/result.h"

namespace loci::bench {

[[noreturn]] inline void Fail(const std::string& message) {
  std::fprintf(stderr, "%s\n", message.c_str());
  std::exit(1);
}

template <class T>
T Must(Result<T> result) {
  if (!result.ok()) Fail(result.error().message);
  return result.take();
}

}  // namespace loci::bench
