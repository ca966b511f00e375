// SPDX-License-Identifier: Apache-2.0
#include "processes.h"

#include <fcntl.h>
#include <poll.h>
#include <sched.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <filesystem>

namespace loci::faults {

TemporaryDirectory::TemporaryDirectory() {
  path_ = std::filesystem::temp_directory_path() / "loci-faults-XXXXXX";
  if (::mkdtemp(path_.data()) == nullptr) std::perror("mkdtemp");
}

TemporaryDirectory::~TemporaryDirectory() {
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

// In a namespace of its own the worker is the grandchild, with process id 1; the child between,
// which has made the namespace, only waits for it, and its death takes the worker with it.
Worker::Worker(const std::vector<std::string>& arguments, bool own_pids) {
  std::vector<char*> argv = {const_cast<char*>(LOCI_FAULTS_WORKER)};
  for (const std::string& argument : arguments) argv.push_back(const_cast<char*>(argument.c_str()));
  argv.push_back(nullptr);
  int pipe[2];
  if (::pipe2(pipe, O_CLOEXEC) != 0) return;
  process_ = ::fork();
  if (process_ == 0) {
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    ::dup2(pipe[1], STDOUT_FILENO);
    if (own_pids) {
      if (::unshare(CLONE_NEWPID) != 0) ::_exit(121);
      const pid_t inner = ::fork();
      if (inner > 0) {
        ::close(STDOUT_FILENO);
        int status = 0;
        ::waitpid(inner, &status, 0);
        ::_exit(WIFEXITED(status) ? WEXITSTATUS(status) : 122);
      }
      ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    }
    ::execv(LOCI_FAULTS_WORKER, argv.data());
    ::_exit(127);
  }
  ::close(pipe[1]);
  output_ = pipe[0];
}

Worker::~Worker() {
  Kill();
  if (output_ >= 0) ::close(output_);
}

bool Worker::Next(std::string* line) {
  for (;;) {
    const size_t end = buffer_.find('\n');
    if (end != std::string::npos) {
      *line = buffer_.substr(0, end);
      buffer_.erase(0, end + 1);
      return true;
    }
    char bytes[4096];
    const ssize_t got = ::read(output_, bytes, sizeof bytes);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return false;
    buffer_.append(bytes, static_cast<size_t>(got));
  }
}

bool Worker::Ready(int milliseconds) const {
  if (buffer_.find('\n') != std::string::npos) return true;
  struct pollfd poll {
    output_, POLLIN, 0
  };
  return ::poll(&poll, 1, milliseconds) > 0;
}

void Worker::Kill() {
  if (process_ <= 0) return;
  ::kill(process_, SIGKILL);
  Wait();
}

int Worker::Wait() {
  int status = -1;
  if (process_ <= 0) return status;
  while (::waitpid(process_, &status, 0) < 0 && errno == EINTR) {
  }
  process_ = -1;
  return status;
}

bool CanSeparatePids() {
  const pid_t child = ::fork();
  if (child == 0) ::_exit(::unshare(CLONE_NEWPID) == 0 ? 0 : 1);
  int status = -1;
  ::waitpid(child, &status, 0);
  return status == 0;
}

}  // namespace loci::faults
