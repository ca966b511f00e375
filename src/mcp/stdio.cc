// SPDX-License-Identifier: Apache-2.0
#include "mcp/stdio.h"

#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <condition_variable>
#include <cstring>
#include <deque>
#include <mutex>
#include <string>
#include <thread>
#include <utility>

#include <fmt/format.h>

namespace loci::mcp {
namespace {

constexpr size_t kReadBytes = 64 << 10;
// Messages read but not answered; then reading waits. The same for their bytes.
constexpr size_t kMaxWaiting = 256;
constexpr size_t kMaxWaitingBytes = kMaxMessageBytes;
// What a pipe that is ready takes at once (pipe(7)).
constexpr size_t kWriteBytes = 4096;
constexpr int kLookMilliseconds = 200;

bool IsSet(const std::atomic<bool>* flag) {
  return flag != nullptr && flag->load(std::memory_order_relaxed);
}

// Lines to a descriptor, whole, from any thread. Once it failed nothing more is written; nor where
// the program is to end while the client does not read, which would otherwise keep it for ever.
class LineWriter {
 public:
  LineWriter(int fd, const std::atomic<bool>* interrupt) : fd_(fd), interrupt_(interrupt) {}

  void Write(const std::string& line) {
    const std::lock_guard lock(mutex_);
    if (failed_ != 0) return;
    const std::string bytes = line + "\n";
    for (size_t done = 0; done < bytes.size();) {
      pollfd ready = {fd_, POLLOUT, 0};
      if (::poll(&ready, 1, kLookMilliseconds) == 0) {
        if (!IsSet(interrupt_)) continue;
        failed_ = EINTR;
        return;
      }
      const ssize_t n =
          ::write(fd_, bytes.data() + done, std::min(bytes.size() - done, kWriteBytes));
      if (n >= 0) {
        done += static_cast<size_t>(n);
      } else if (errno != EINTR) {
        failed_ = errno;
        return;
      }
    }
  }

  int failed() const { return failed_; }

 private:
  const int fd_;
  const std::atomic<bool>* const interrupt_;
  std::mutex mutex_;
  std::atomic<int> failed_{0};
};

// Bytes into lines; of what is too long only the end is kept.
class LineSplitter {
 public:
  template <class OnLine, class OnTooLong>
  void Feed(std::string_view bytes, OnLine on_line, OnTooLong on_too_long) {
    while (!bytes.empty()) {
      const size_t end = bytes.find('\n');
      const std::string_view part = bytes.substr(0, end);
      if (!dropping_ && line_.size() + part.size() > kMaxMessageBytes) {
        dropping_ = true;
        KeepEnd();
      }
      line_ += part;
      if (dropping_) KeepEnd();
      if (end == std::string_view::npos) return;
      bytes.remove_prefix(end + 1);
      if (std::exchange(dropping_, false)) {
        on_too_long(std::exchange(line_, {}));
      } else {
        on_line(std::exchange(line_, {}));
      }
    }
  }

  std::string rest() { return dropping_ ? std::string() : std::move(line_); }

 private:
  void KeepEnd() {
    if (line_.size() > kEndBytes) line_ = line_.substr(line_.size() - kEndBytes);
  }

  std::string line_;
  bool dropping_ = false;
};

class Server {
 public:
  Server(const ServerOptions& options, int out, const std::atomic<bool>* interrupt)
      : interrupt_(interrupt),
        writer_(out, interrupt),
        session_(options, [this](const std::string& message) { writer_.Write(message); }),
        worker_([this] { Work(); }) {}

  ~Server() {
    {
      const std::lock_guard lock(mutex_);
      ended_ = true;
    }
    changed_.notify_all();
    worker_.join();
  }

  void Take(const std::string& line) {
    if (line.find_first_not_of(" \t\r") == std::string::npos) return;
    Message message = ParseMessage(line);
    if (Session::IsUrgent(message)) {
      Reply(message);
      return;
    }
    std::unique_lock lock(mutex_);
    while (waiting_.size() >= kMaxWaiting || waiting_bytes_ >= kMaxWaitingBytes) {
      if (IsSet(interrupt_)) return;
      changed_.wait_for(lock, std::chrono::milliseconds(kLookMilliseconds));
    }
    waiting_bytes_ += line.size();
    waiting_.emplace_back(line.size(), std::move(message));
    changed_.notify_all();
  }

  void TooLong(std::string_view end) { Reply(TooLongMessage(end)); }

  void Stop() {
    session_.Stop();
    const std::lock_guard lock(mutex_);
    waiting_.clear();
    waiting_bytes_ = 0;
  }

  int failed() const { return writer_.failed(); }

 private:
  void Reply(const Message& message) {
    if (const auto reply = session_.Answer(message)) writer_.Write(*reply);
  }

  void Work() {
    for (;;) {
      std::unique_lock lock(mutex_);
      changed_.wait(lock, [&] { return ended_ || !waiting_.empty(); });
      if (waiting_.empty()) return;
      const auto [bytes, message] = std::move(waiting_.front());
      waiting_.pop_front();
      waiting_bytes_ -= bytes;
      lock.unlock();
      changed_.notify_all();
      Reply(message);
    }
  }

  const std::atomic<bool>* const interrupt_;
  LineWriter writer_;
  Session session_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<std::pair<size_t, Message>> waiting_;  // with their bytes
  size_t waiting_bytes_ = 0;
  bool ended_ = false;
  std::thread worker_;  // last: it uses the others
};

}  // namespace

Result<void> ServeStreams(const ServerOptions& options, int in, int out,
                          const std::atomic<bool>* interrupt) {
  Server server(options, out, interrupt);
  LineSplitter lines;
  std::string block(kReadBytes, '\0');
  for (;;) {
    if (IsSet(interrupt)) {
      server.Stop();
      return {};
    }
    if (server.failed() != 0) {
      server.Stop();
      if (server.failed() == EPIPE) return {};
      return Error{ErrorKind::kIo,
                   fmt::format("cannot write to the client: {}", std::strerror(server.failed()))};
    }
    // Poll, not read alone: it is cut short by a signal whatever the handler's flags are.
    pollfd ready = {in, POLLIN, 0};
    const int count = ::poll(&ready, 1, kLookMilliseconds);
    if (count < 0 && errno != EINTR) {
      return Error{ErrorKind::kIo,
                   fmt::format("cannot wait for the client: {}", std::strerror(errno))};
    }
    if (count <= 0) continue;
    const ssize_t n = ::read(in, block.data(), block.size());
    if (n < 0 && (errno == EINTR || errno == EAGAIN)) continue;
    if (n < 0) {
      return Error{ErrorKind::kIo,
                   fmt::format("cannot read from the client: {}", std::strerror(errno))};
    }
    if (n == 0) {
      if (const std::string rest = lines.rest(); !rest.empty()) server.Take(rest);
      return {};
    }
    lines.Feed(
        std::string_view(block.data(), static_cast<size_t>(n)),
        [&](const std::string& line) { server.Take(line); },
        [&](const std::string& end) { server.TooLong(end); });
  }
}

}  // namespace loci::mcp
