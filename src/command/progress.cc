// SPDX-License-Identifier: Apache-2.0
//
// The bar is redrawn at most a hundred times per step, so it needs no clock to stay cheap.
#include "command/progress.h"

#include <algorithm>
#include <ostream>

#include <fmt/format.h>

namespace loci {
namespace {

constexpr int kBarWidth = 30;

}  // namespace

bool Progress::Update(std::string_view step, uint64_t done, uint64_t total) {
  if (io_->interrupted()) return false;
  if (!io_->err_is_terminal) return true;
  const double share = total == 0 ? 0 : static_cast<double>(done) / static_cast<double>(total);
  const int percent = static_cast<int>(std::clamp(share, 0.0, 1.0) * 100);
  if (drawn_ && percent == percent_ && step == step_) return true;
  step_ = step;
  percent_ = percent;
  drawn_ = true;
  if (total == 0) {
    *io_->err << fmt::format("\r\x1b[K{} ...", step);
  } else {
    const int filled = percent * kBarWidth / 100;
    *io_->err << fmt::format("\r\x1b[K{} [{:=<{}}{: <{}}] {:3} %", step, "", filled, "",
                             kBarWidth - filled, percent);
  }
  io_->err->flush();
  return true;
}

bool Progress::Wait(std::string_view step) {
  constexpr std::chrono::milliseconds kShort(500);
  if (std::chrono::steady_clock::now() - begin_ < kShort) return !io_->interrupted();
  return Update(step, 0, 0);
}

void Progress::Clear() {
  if (!drawn_) return;
  *io_->err << "\r\x1b[K";
  io_->err->flush();
  drawn_ = false;
}

}  // namespace loci
