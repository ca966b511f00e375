// SPDX-License-Identifier: Apache-2.0
//
// Estimator: how many rows a goal makes of one. Only the order of goals depends on it, never an
// answer, so it may be rough where it must be cheap.
#pragma once

#include <vector>

#include "query/context.h"

namespace loci::query {

class Estimator {
 public:
  explicit Estimator(const Context* context);

  // bound[v] says whether variable v is bound.
  double Rows(const Goal& goal, const std::vector<uint8_t>& bound);
  // The subjects (forward) or objects of the relation of a goal that has one.
  double Distinct(const Goal& goal, Way way);
  // Ends reached per start.
  double Fan(const Path& path, bool reversed);

 private:
  struct Size {
    bool known = false;
    double facts = 0, subjects = 0, objects = 0;
  };
  const Size& SizeOf(uint32_t constant);
  double LikeRows(const Goal& goal, const std::vector<uint8_t>& bound) const;
  double FactRows(const Goal& goal, const std::vector<uint8_t>& bound);
  double Degree(const Goal& goal, Way way, double average, double most) const;
  bool IsStored(TermId relation) const;

  const Context& context_;
  std::vector<Size> sizes_;  // by constant
  double facts_, terms_;
};

}  // namespace loci::query
