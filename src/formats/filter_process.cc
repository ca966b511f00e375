// SPDX-License-Identifier: Apache-2.0
#include "formats/filter_process.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

namespace loci {
namespace {

constexpr size_t kBlockBytes = 64 << 10;
constexpr size_t kMostErrorBytes = 64 << 10;

void Close(int* fd) {
  if (*fd >= 0) ::close(*fd);
  *fd = -1;
}

Error SystemError(const std::string& what, int error) {
  return {ErrorKind::kIo, fmt::format("{}: {}", what, std::strerror(error))};
}

// What the program gets as standard input, output and error.
struct Ends {
  int in = -1, out = -1, err = -1;
  ~Ends() {
    Close(&in);
    Close(&out);
    Close(&err);
  }
};

// As exec takes them.
std::vector<char*> Pointers(const std::vector<std::string>& strings) {
  std::vector<char*> pointers;
  for (const std::string& string : strings) pointers.push_back(const_cast<char*>(string.c_str()));
  return pointers;
}

Result<int> Spawn(const std::vector<std::string>& arguments,
                  const std::vector<std::string>& variables, const Ends& ends) {
  std::vector<char*> argv = Pointers(arguments), envp = Pointers(variables);
  argv.push_back(nullptr);
  for (char** variable = environ; *variable != nullptr; ++variable) envp.push_back(*variable);
  envp.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, ends.in, STDIN_FILENO);
  posix_spawn_file_actions_adddup2(&actions, ends.out, STDOUT_FILENO);
  posix_spawn_file_actions_adddup2(&actions, ends.err, STDERR_FILENO);
  // In a process group of its own: Ctrl-C is for whoever reads to act on.
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP);
  pid_t child = -1;
  const int error =
      ::posix_spawnp(&child, argv[0], &actions, &attributes, argv.data(), envp.data());
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&actions);
  if (error == 0) return child;
  const auto kind = error == ENOENT ? ErrorKind::kNotFound : ErrorKind::kIo;
  return Error{kind, fmt::format("cannot start {}: {}", arguments[0], std::strerror(error))};
}

}  // namespace

Result<std::unique_ptr<FilterProcess>> FilterProcess::Start(
    const std::vector<std::string>& arguments, std::unique_ptr<ByteSource> input,
    const std::vector<std::string>& variables) {
  std::unique_ptr<FilterProcess> process(new FilterProcess());
  process->input_ = std::move(input);
  process->block_.resize(kBlockBytes);
  Ends ends;
  // A socket, for a write to a pipe that the program has closed would be a signal.
  int feed[2], out[2], err[2];
  if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, feed) != 0) {
    return SystemError("cannot make a socket pair", errno);
  }
  process->in_ = feed[0];
  ends.in = feed[1];
  if (::pipe2(out, O_CLOEXEC) != 0) return SystemError("cannot make a pipe", errno);
  process->out_ = out[0];
  ends.out = out[1];
  if (::pipe2(err, O_CLOEXEC) != 0) return SystemError("cannot make a pipe", errno);
  process->err_ = err[0];
  ends.err = err[1];
  LOCI_ASSIGN(process->child_, Spawn(arguments, variables, ends));
  return process;
}

FilterProcess::~FilterProcess() {
  Close(&in_);
  Close(&out_);
  Close(&err_);
  if (child_ < 0) return;
  ::kill(child_, SIGKILL);
  Wait();
}

bool FilterProcess::Wait() {
  int status = 0;
  pid_t ended = -1;
  if (child_ >= 0) {
    do {
      ended = ::waitpid(child_, &status, 0);
    } while (ended < 0 && errno == EINTR);
  }
  child_ = -1;
  return ended >= 0 && WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

// Gives the program as much as it takes at once.
Result<void> FilterProcess::Feed() {
  if (fed_ == filled_) {
    fed_ = filled_ = 0;
    LOCI_ASSIGN(filled_, input_->Read(block_.data(), block_.size()));
    if (filled_ == 0) {
      Close(&in_);
      return {};
    }
  }
  const ssize_t sent = ::send(in_, &block_[fed_], filled_ - fed_, MSG_NOSIGNAL | MSG_DONTWAIT);
  if (sent >= 0) {
    fed_ += static_cast<size_t>(sent);
  } else if (errno == EPIPE || errno == ECONNRESET) {
    Close(&in_);  // it has ended, and says why
  } else if (errno != EAGAIN && errno != EWOULDBLOCK && errno != EINTR) {
    return SystemError("cannot feed the program", errno);
  }
  return {};
}

void FilterProcess::Listen() {
  char bytes[4096];
  const ssize_t got = ::read(err_, bytes, sizeof bytes);
  if (got > 0) {
    errors_.append(bytes, std::min(static_cast<size_t>(got), kMostErrorBytes - errors_.size()));
  } else if (got == 0 || errno != EINTR) {
    Close(&err_);
  }
}

Result<size_t> FilterProcess::Read(char* to, size_t most) {
  while (out_ >= 0 || err_ >= 0) {
    // A descriptor of -1 is passed over.
    pollfd polled[] = {{out_, POLLIN, 0}, {err_, POLLIN, 0}, {in_, POLLOUT, 0}};
    if (::poll(polled, 3, -1) < 0) {
      if (errno == EINTR) continue;
      return SystemError("cannot wait for the program", errno);
    }
    if (polled[1].revents != 0) Listen();
    if (polled[2].revents != 0) LOCI_TRY(Feed());
    if (polled[0].revents == 0) continue;
    const ssize_t got = ::read(out_, to, most);
    if (got > 0) return static_cast<size_t>(got);
    if (got == 0) {
      Close(&out_);
    } else if (errno != EINTR) {
      return SystemError("cannot read from the program", errno);
    }
  }
  Close(&in_);
  return size_t{0};
}

}  // namespace loci
