// SPDX-License-Identifier: Apache-2.0
//
// Workers: real processes (worker.cc) that write one memory and report through a pipe what was
// acknowledged, for tests that kill them or run many at once.
#pragma once

#include <sys/types.h>

#include <string>
#include <vector>

namespace loci::faults {

// A fresh directory, removed with all that is in it.
class TemporaryDirectory {
 public:
  TemporaryDirectory();
  ~TemporaryDirectory();
  TemporaryDirectory(const TemporaryDirectory&) = delete;
  TemporaryDirectory& operator=(const TemporaryDirectory&) = delete;
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

class Worker {
 public:
  // Starts `faults_worker` with the arguments; in a process-id namespace of its own where told to.
  explicit Worker(const std::vector<std::string>& arguments, bool own_pids = false);
  ~Worker();  // kills it
  Worker(const Worker&) = delete;
  Worker& operator=(const Worker&) = delete;

  // One report, or false at the end of its output.
  bool Next(std::string* line);
  // Waits until a report can be read or the time is over.
  bool Ready(int milliseconds) const;
  void Kill();  // SIGKILL, then waits
  int Wait();   // until it ends: the status of waitpid

 private:
  pid_t process_ = -1;
  int output_ = -1;
  std::string buffer_;
};

// Whether this process may give a child a process-id namespace.
bool CanSeparatePids();

}  // namespace loci::faults
