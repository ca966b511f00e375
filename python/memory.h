// SPDX-License-Identifier: Apache-2.0
//
// _loci.Memory: the library's Memory with values of Python. Classes with a face of their own are
// made of its tuples in loci/_memory.py.
//
// Each call holds the memory that it began with, so that close() in one thread takes it from none.
#pragma once

#include <pybind11/pybind11.h>

#include <memory>
#include <string>
#include <utility>

#include "loci/memory.h"

namespace loci::python {

namespace py = pybind11;

class PyMemory {
 public:
  explicit PyMemory(Memory memory) : memory_(std::make_shared<Memory>(std::move(memory))) {}

  // kUsage once it is closed.
  std::shared_ptr<Memory> get() const;
  void Close() { memory_.reset(); }
  bool closed() const { return memory_ == nullptr; }

 private:
  std::shared_ptr<Memory> memory_;  // guarded by the GIL
};

// What each file adds to the module.
void BindMemory(py::module_* module);             // open, learn, forget, the whole
void BindAsking(py::class_<PyMemory>* memory);    // ask, why, recall
void BindLearning(py::class_<PyMemory>* memory);  // learn
void BindAnswers(py::module_* module);            // Query, Answers, Recollection

}  // namespace loci::python
