// SPDX-License-Identifier: Apache-2.0
//
// Scores as people and JSON read them: the number of at most nine digits behind the point. (Fixed
// point holds 9.6 digits; what people write as 0.9 is read as 0.9.)
#pragma once

#include <cmath>
#include <cstdint>

namespace loci {

inline double ScoreNumber(uint64_t score) {
  const double exact = static_cast<double>(score) / 4294967296.0;
  const double rounded = std::round(exact * 1e9) / 1e9;
  return rounded > 0 ? rounded : exact;
}

}  // namespace loci
