// SPDX-License-Identifier: Apache-2.0
#include "answers.h"

#include <pybind11/numpy.h>

#include "call.h"
#include "values.h"

namespace loci::python {
namespace {

const Answer& RowOf(const Answers& answers, size_t row) {
  if (row >= answers.rows.size()) throw py::index_error("no answer " + std::to_string(row));
  return answers.rows[row];
}

py::tuple Values(const Answers& answers, size_t row) {
  return TupleOf(RowOf(answers, row).values);
}

py::list ColumnOf(const Answers& answers, size_t column) {
  if (column >= answers.variables.size()) {
    throw py::index_error("no variable " + std::to_string(column));
  }
  py::list out(answers.rows.size());
  for (size_t i = 0; i < answers.rows.size(); ++i)
    out[i] = ToPython(answers.rows[i].values[column]);
  return out;
}

// float64 of shape (count,).
template <class Rows>
py::array_t<double> Scores(const Rows& rows) {
  py::array_t<double> out(static_cast<py::ssize_t>(rows.size()));
  double* const scores = out.mutable_data();
  for (size_t i = 0; i < rows.size(); ++i) scores[i] = rows[i].score;
  return out;
}

// Spans of bytes become spans of characters: what begins one is no continuation byte.
py::tuple Spans(const Recalled& one) {
  py::tuple out(one.spans.size());
  size_t byte = 0, character = 0;
  const auto character_at = [&](size_t end) {
    if (end < byte) byte = character = 0;
    for (; byte < end && byte < one.text.size(); ++byte) {
      character += (static_cast<unsigned char>(one.text[byte]) & 0xC0) != 0x80;
    }
    return character;
  };
  for (size_t i = 0; i < one.spans.size(); ++i) {
    const size_t begin = character_at(one.spans[i].begin);
    out[i] = py::make_tuple(begin, character_at(one.spans[i].end));
  }
  return out;
}

py::tuple RecalledAt(const Recollection& recollection, size_t i) {
  if (i >= recollection.memories.size()) throw py::index_error("no memory " + std::to_string(i));
  const Recalled& one = recollection.memories[i];
  return py::make_tuple(ToPython(one.name), one.score, ToPython(one.title), ToPython(one.text),
                        Spans(one), ToPython(one.words), ToPython(one.links), ToPython(one.sources),
                        ToPython(one.addresses), ToPython(one.evidence));
}

}  // namespace

void BindAnswers(py::module_* module) {
  py::class_<Query>(*module, "Query", "A query of the library, made ready.")
      .def(py::init([](py::handle text) { return Take(Query::Prepare(ToUtf8(text, "query"))); }),
           py::arg("text"));

  py::class_<Answers>(*module, "Answers", "Answers of the library.")
      .def("__len__", [](const Answers& answers) { return answers.rows.size(); })
      .def_property_readonly("variables",
                             [](const Answers& answers) { return ToPython(answers.variables); })
      .def("values", &Values, py::arg("row"))
      .def(
          "score", [](const Answers& a, size_t row) { return RowOf(a, row).score; }, py::arg("row"))
      .def(
          "evidence", [](const Answers& a, size_t row) { return ToPython(RowOf(a, row).evidence); },
          py::arg("row"))
      .def(
          "why", [](const Answers& a, size_t row) { return ToPython(RowOf(a, row).why); },
          py::arg("row"))
      .def("column", &ColumnOf, py::arg("index"))
      .def("scores", [](const Answers& answers) { return Scores(answers.rows); });

  py::class_<Recollection>(*module, "Recollection", "What the library recalled.")
      .def("__len__", [](const Recollection& r) { return r.memories.size(); })
      .def_readonly("found", &Recollection::found)
      .def("memory", &RecalledAt, py::arg("index"))
      .def("scores", [](const Recollection& r) { return Scores(r.memories); });
}

}  // namespace loci::python
