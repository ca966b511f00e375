// SPDX-License-Identifier: Apache-2.0
//
// "1 statement", "2 statements": counts in messages.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include <fmt/format.h>

namespace loci {

inline std::string Plural(uint64_t n, std::string_view noun) {
  return fmt::format("{} {}{}", n, noun, n == 1 ? "" : "s");
}

}  // namespace loci
