// SPDX-License-Identifier: Apache-2.0
//
// How Python calls the library: without the interpreter's lock (GIL), so that other threads run
// meanwhile; with Ctrl-C, which stops the call with the memory as it was; with errors raised as
// loci.Error.
//
// Signals. Python runs its handlers in the main thread alone. While that waits for a call, the
// call's Cancellation asks an Interrupt, which takes the lock 50 times a second, lets the handlers
// run, and keeps what they raise until the call has returned. (The alternative, a thread that works
// while the main thread waits, costs every short call two switches of threads, tens of
// microseconds; this costs it nothing.) Other threads are not asked: they cannot be interrupted.
#pragma once

#include <pybind11/pybind11.h>

#include <chrono>
#include <memory>
#include <thread>
#include <utility>

#include "loci/cancellation.h"
#include "loci/result.h"

namespace loci::python {

namespace py = pybind11;

[[noreturn]] void Raise(const Error& error);

inline void Take(const Result<void>& result) {
  if (!result.ok()) Raise(result.error());
}
template <class T>
T Take(Result<T> result) {
  if (!result.ok()) Raise(result.error());
  return result.take();
}

// Made and destroyed with the GIL, asked without it.
class Interrupt {
 public:
  Interrupt() = default;
  ~Interrupt();
  Interrupt(const Interrupt&) = delete;
  Interrupt& operator=(const Interrupt&) = delete;

  // Cancelled once a handler has raised. The token may not be asked after this object's end.
  Cancellation token();
  void Rethrow();  // what a handler raised, if one did

 private:
  bool Look();

  const std::thread::id caller_ = std::this_thread::get_id();
  std::chrono::steady_clock::time_point next_look_ = {};
  PyObject *type_ = nullptr, *value_ = nullptr, *trace_ = nullptr;
};

// work(token) is a call of the library that returns a Result.
template <class Work>
auto Call(const Work& work) {
  Interrupt interrupt;
  auto result = [&] {
    const Cancellation token = interrupt.token();
    const py::gil_scoped_release release;
    return work(token);
  }();
  interrupt.Rethrow();
  return Take(std::move(result));
}

}  // namespace loci::python
