// SPDX-License-Identifier: Apache-2.0
#include "mcp/event_log.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>
#include <sys/eventfd.h>

namespace loci::mcp {

void EventLog::Wake() {
  if (reader_ == nullptr) return;
  // Fails only when the counter is full, and then the reader is awake anyway.
  const uint64_t one = 1;
  [[maybe_unused]] const ssize_t written = ::write(reader_->wake(), &one, sizeof one);
}

void EventLog::Push(std::string message) {
  const std::lock_guard lock(mutex_);
  events_.push_back(std::move(message));
  if (events_.size() > kept_) events_.pop_front();
  ++last_;
  Wake();
}

Result<std::shared_ptr<EventLog::Reader>> EventLog::Open(std::optional<uint64_t> after) {
  Descriptor wake(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK));
  if (!wake.valid()) return SystemError("open", "an event counter", errno);
  const std::shared_ptr<Reader> reader(new Reader(std::move(wake)));
  const std::lock_guard lock(mutex_);
  Wake();  // the one before, to its end
  reader->next_ = std::min(after.value_or(taken_), last_) + 1;
  reader_ = reader;
  Wake();  // for what waits already
  return reader;
}

std::optional<std::string> EventLog::Take(Reader* reader) {
  uint64_t count = 0;
  [[maybe_unused]] const ssize_t n = ::read(reader->wake(), &count, sizeof count);
  const std::lock_guard lock(mutex_);
  if (closed_ || reader_.get() != reader) return std::nullopt;
  std::string text;
  const uint64_t first = last_ - events_.size() + 1;
  for (uint64_t i = std::max(reader->next_, first); i <= last_; ++i) {
    text += fmt::format("id: {}\nevent: message\ndata: {}\n\n", i, events_[i - first]);
  }
  reader->next_ = last_ + 1;
  taken_ = last_;
  return text;
}

void EventLog::Close() {
  const std::lock_guard lock(mutex_);
  closed_ = true;
  Wake();
}

}  // namespace loci::mcp
