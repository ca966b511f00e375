// SPDX-License-Identifier: Apache-2.0
//
// The generated graph of the kernel's benchmarks: facts over n / 8 entities and 100 relations. Who
// is a subject, who an object and which relation follow power laws (a hub has thousands of facts,
// most entities a few), from a seed, so that every run and every peer sees the same triples.
#pragma once

#include <cmath>
#include <cstdint>
#include <string>

namespace loci::bench {

class Triples {
 public:
  struct Triple {
    uint64_t subject, relation, object;
  };

  explicit Triples(uint64_t facts) : entities_(facts / 8 + 1) {}

  Triple Next() {
    return {Scatter(PowerLaw(3)), static_cast<uint64_t>(100 * std::pow(Uniform(), 2)),
            Scatter(PowerLaw(2))};
  }
  uint64_t RandomEntity() { return PowerLaw(1); }
  uint64_t entities() const { return entities_; }

  static std::string EntityName(uint64_t entity) { return "entity_" + std::to_string(entity); }
  static std::string RelationName(uint64_t relation) { return "rel_" + std::to_string(relation); }

 private:
  double Uniform() {  // xorshift64*
    state_ ^= state_ >> 12;
    state_ ^= state_ << 25;
    state_ ^= state_ >> 27;
    return static_cast<double>((state_ * 0x2545F4914F6CDD1Dull) >> 11) * 0x1p-53;
  }
  uint64_t PowerLaw(int exponent) {
    return static_cast<uint64_t>(static_cast<double>(entities_) * std::pow(Uniform(), exponent));
  }
  // So that names do not tell the degree, and neighbours in degree are not neighbours in memory.
  uint64_t Scatter(uint64_t i) const { return i * 2654435761u % entities_; }

  uint64_t state_ = 20260101;
  uint64_t entities_;
};

}  // namespace loci::bench
