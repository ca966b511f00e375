// SPDX-License-Identifier: Apache-2.0
//
// BatchSink: an input as one batch, without a bound; for callers that know its size to be modest.
#pragma once

#include "formats/format.h"
#include "memory/batch_loader.h"

namespace loci {

class BatchSink : public StatementSink {
 public:
  Result<void> Add(const StatementView& statement) override {
    loader_.Learn(statement);
    return {};
  }
  // After the last statement.
  const Batch& Finish() {
    loader_.Flush();
    return batch_;
  }

 private:
  Batch batch_;
  BatchLoader loader_{&batch_};
};

}  // namespace loci
