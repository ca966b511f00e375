// SPDX-License-Identifier: Apache-2.0
//
// The extension loci._loci: the library as it is, for the classes of python/loci/*.py, which are
// what programs use.
#include "call.h"
#include "memory.h"
#include "values.h"

PYBIND11_MODULE(_loci, module) {
  namespace py = pybind11;
  using loci::python::Take;
  module.doc() = "The library of Loci; use the package loci, which is made of it.";
  loci::python::BindAnswers(&module);
  loci::python::BindMemory(&module);
  module.def(
      "notation",
      [](py::handle value) {
        return loci::python::ToPython(Take(loci::python::ToValue(value).Notation()));
      },
      py::arg("value"), py::pos_only(), "A value as queries write it: dog, \"a text\"@en, 12.5.");
  module.def(
      "from_notation",
      [](py::handle text) {
        return loci::python::ToPython(
            Take(loci::Value::FromNotation(loci::python::ToUtf8(text, "notation"))));
      },
      py::arg("text"), py::pos_only(), "The value that queries write so.");
}
