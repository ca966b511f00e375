// SPDX-License-Identifier: Apache-2.0
//
// Between Python's values and the library's. A name is a str; a text and a date are loci.Text and
// loci.Date (loci/_values.py says why); a number comes out as int where it is written without a
// point and an exponent, else as decimal.Decimal, and may also come in as a float, which is taken
// as repr() prints it.
#pragma once

#include <pybind11/pybind11.h>

#include <string>

#include "loci/memory.h"

namespace loci::python {

namespace py = pybind11;

// The UTF-8 of a str. TypeError where it is none; what: for the message, "subject".
std::string ToUtf8(py::handle str, const char* what);

// TypeError where no term can be made of it. What the library refuses is refused where it is used.
Value ToValue(py::handle value);
Statement ToStatement(py::handle row, const std::string& default_source);

// What comes out of a memory is UTF-8.
py::str ToPython(const std::string& utf8);
py::object ToPython(const Value& value);
py::tuple ToPython(const std::vector<std::string>& strings);
py::tuple ToPython(const Statement& statement);  // of four: subject, relation, object, source
py::tuple ToPython(const Evidence& evidence);    // subject, relation, object, sources, addresses
py::tuple ToPython(const std::vector<Evidence>& evidence);
py::tuple ToPython(const std::vector<MatchedWord>& words);  // of (word, weight)
py::tuple ToPython(const std::vector<Step>& steps);  // of the fields of loci.Step but `below`
py::tuple ToPython(const LearnReceipt& receipt);     // learned, known, digest

template <class T>
py::tuple TupleOf(const std::vector<T>& values) {
  py::tuple out(values.size());
  for (size_t i = 0; i < values.size(); ++i) out[i] = ToPython(values[i]);
  return out;
}

}  // namespace loci::python
