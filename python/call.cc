// SPDX-License-Identifier: Apache-2.0
#include "call.h"

#include "values.h"

namespace loci::python {
namespace {

constexpr std::chrono::milliseconds kBetweenLooks(20);

bool IsMainThread() {
  static const auto main_thread =
      *new py::object(py::module_::import("threading").attr("main_thread"));
  return main_thread().attr("ident").cast<unsigned long>() == PyThread_get_thread_ident();
}

}  // namespace

void Raise(const Error& error) {
  static const auto raised = *new py::object(py::module_::import("loci._errors").attr("Error"));
  static const auto kinds =
      *new py::object(py::list(py::module_::import("loci._errors").attr("ErrorKind")));
  const py::object kind = kinds[py::int_(static_cast<int>(error.kind))];
  PyErr_SetObject(raised.ptr(), raised(ToPython(error.message), kind).ptr());
  throw py::error_already_set();
}

Cancellation Interrupt::token() {
  if (!IsMainThread()) return Cancellation();
  next_look_ = std::chrono::steady_clock::now() + kBetweenLooks;
  return Cancellation([this] { return Look(); });
}

bool Interrupt::Look() {
  if (std::this_thread::get_id() != caller_) return false;  // a thread that helps the call
  const auto now = std::chrono::steady_clock::now();
  if (now < next_look_) return false;
  next_look_ = now + kBetweenLooks;
  const PyGILState_STATE state = PyGILState_Ensure();
  const bool raised = PyErr_CheckSignals() != 0;
  if (raised) PyErr_Fetch(&type_, &value_, &trace_);
  PyGILState_Release(state);
  return raised;
}

void Interrupt::Rethrow() {
  if (type_ == nullptr) return;
  PyErr_Restore(std::exchange(type_, nullptr), std::exchange(value_, nullptr),
                std::exchange(trace_, nullptr));
  throw py::error_already_set();
}

Interrupt::~Interrupt() {
  Py_XDECREF(type_);
  Py_XDECREF(value_);
  Py_XDECREF(trace_);
}

}  // namespace loci::python
