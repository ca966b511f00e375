// SPDX-License-Identifier: Apache-2.0
#include "values.h"

#include <datetime.h>

#include <algorithm>

#include "call.h"

namespace loci::python {
namespace {

// Classes that values are made of, looked up once. They are never freed: at the exit of the
// interpreter its objects may not be touched.
struct Classes {
  py::object text = py::module_::import("loci._values").attr("Text");
  py::object date = py::module_::import("loci._values").attr("Date");
  py::object decimal = py::module_::import("decimal").attr("Decimal");
  py::object real = py::module_::import("numbers").attr("Real");
  py::object bool_type = py::module_::import("builtins").attr("bool");
};
const Classes& The() {
  static const Classes* const classes = [] {
    PyDateTime_IMPORT;
    return new Classes;
  }();
  return *classes;
}

bool IsA(py::handle value, const py::object& type) {
  const int is = PyObject_IsInstance(value.ptr(), type.ptr());
  if (is < 0) throw py::error_already_set();
  return is == 1;
}

std::string TypeName(py::handle value) {
  return Py_TYPE(value.ptr())->tp_name;
}

std::string Printed(py::handle value, PyObject* (*print)(PyObject*)) {
  const auto text = py::reinterpret_steal<py::object>(print(value.ptr()));
  if (!text) throw py::error_already_set();
  return ToUtf8(text, "value");
}

Value TextOf(py::handle value) {
  Value text = Value::Text(ToUtf8(value, "text"));
  text.language = ToUtf8(value.attr("language"), "language");
  text.datatype = ToUtf8(value.attr("datatype"), "datatype");
  return text;
}

// numpy.bool_ is neither a bool nor a number.
bool IsTruthValue(py::handle value) {
  return PyBool_Check(value.ptr()) || TypeName(value) == "numpy.bool_";
}

// "12", "-7": what int() reads.
bool IsInteger(const std::string& digits) {
  return std::all_of(digits.begin() + (digits.starts_with('-') ? 1 : 0), digits.end(),
                     [](char c) { return c >= '0' && c <= '9'; });
}

}  // namespace

std::string ToUtf8(py::handle str, const char* what) {
  if (!PyUnicode_Check(str.ptr())) {
    throw py::type_error(std::string(what) + ": expected a str, not " + TypeName(str));
  }
  Py_ssize_t size = 0;
  const char* const bytes = PyUnicode_AsUTF8AndSize(str.ptr(), &size);
  if (bytes != nullptr) return {bytes, static_cast<size_t>(size)};
  PyErr_Clear();
  Raise({ErrorKind::kUsage, std::string(what) + ": " + Printed(py::repr(str), PyObject_ASCII) +
                                " has a lone surrogate, which no UTF-8 can say"});
}

Value ToValue(py::handle value) {
  const Classes& the = The();
  PyObject* const object = value.ptr();
  if (PyUnicode_CheckExact(object)) return {Value::Kind::kSymbol, ToUtf8(value, "name"), {}, {}};
  if (PyUnicode_Check(object)) {
    if (IsA(value, the.text)) return TextOf(value);
    const auto kind = IsA(value, the.date) ? Value::Kind::kDate : Value::Kind::kSymbol;
    return {kind, ToUtf8(value, "object"), {}, {}};
  }
  if (IsTruthValue(value)) {
    throw py::type_error("a bool is no term; state a name, such as \"yes\", or a number");
  }
  if (PyLong_Check(object)) {  // an IntEnum prints its name
    return Value::Number(
        Printed(value, [](PyObject* number) { return PyNumber_ToBase(number, 10); }));
  }
  if (PyFloat_CheckExact(object)) return Value::Number(Printed(value, PyObject_Repr));
  if (PyDateTime_Check(object) || PyDate_Check(object)) {
    return Value::Date(ToUtf8(value.attr("isoformat")(), "date"));
  }
  // Decimals, and numpy's numbers, which print as the shortest digits of their own precision.
  if (IsA(value, the.decimal) || IsA(value, the.real)) {
    return Value::Number(Printed(value, PyObject_Str));
  }
  throw py::type_error("no term can be made of " + TypeName(value) +
                       ": expected str, loci.Text, loci.Date, a number or a date");
}

Statement ToStatement(py::handle row, const std::string& default_source) {
  const bool is_list = PyList_Check(row.ptr());
  if (!PyTuple_Check(row.ptr()) && !is_list) {
    throw py::type_error("expected (subject, relation, object[, source]), not " + TypeName(row));
  }
  // A list may be changed by another thread where converting lets it run: hence a tuple.
  const auto fields = py::reinterpret_steal<py::tuple>(PySequence_Tuple(row.ptr()));
  if (!fields) throw py::error_already_set();
  if (fields.size() != 3 && fields.size() != 4) {
    throw py::type_error("expected (subject, relation, object[, source]), not " +
                         std::to_string(fields.size()) + " fields");
  }
  Statement statement{
      ToUtf8(fields[0], "subject"), ToUtf8(fields[1], "relation"), ToValue(fields[2]), {}};
  if (fields.size() == 4) statement.source = ToUtf8(fields[3], "source");
  if (statement.source.empty()) statement.source = default_source;
  return statement;
}

py::str ToPython(const std::string& utf8) {
  PyObject* const str =
      PyUnicode_DecodeUTF8(utf8.data(), static_cast<Py_ssize_t>(utf8.size()), "replace");
  if (str == nullptr) throw py::error_already_set();
  return py::reinterpret_steal<py::str>(str);
}

py::object ToPython(const Value& value) {
  switch (value.kind) {
    case Value::Kind::kText:
      return The().text(ToPython(value.text), ToPython(value.language), ToPython(value.datatype));
    case Value::Kind::kDate:
      return The().date(ToPython(value.text));
    case Value::Kind::kNumber:
      if (IsInteger(value.text)) {
        PyObject* const number = PyLong_FromString(value.text.c_str(), nullptr, 10);
        if (number == nullptr) throw py::error_already_set();
        return py::reinterpret_steal<py::object>(number);
      }
      return The().decimal(ToPython(value.text));
    case Value::Kind::kSymbol:
      break;
  }
  return ToPython(value.text);
}

py::tuple ToPython(const std::vector<std::string>& strings) {
  return TupleOf(strings);
}

py::tuple ToPython(const Statement& s) {
  return py::make_tuple(ToPython(s.subject), ToPython(s.relation), ToPython(s.object),
                        ToPython(s.source));
}

py::tuple ToPython(const Evidence& e) {
  return py::make_tuple(ToPython(e.subject), ToPython(e.relation), ToPython(e.object),
                        ToPython(e.sources), ToPython(e.addresses));
}

py::tuple ToPython(const std::vector<Evidence>& evidence) {
  return TupleOf(evidence);
}

py::tuple ToPython(const std::vector<MatchedWord>& words) {
  py::tuple out(words.size());
  for (size_t i = 0; i < words.size(); ++i) {
    out[i] = py::make_tuple(ToPython(words[i].word), words[i].weight);
  }
  return out;
}

py::tuple ToPython(const std::vector<Step>& steps) {
  static constexpr const char* kNames[] = {"statement", "derived", "rule", "path", "or",  "not",
                                           "compare",   "again",   "more", "like", "link"};
  static_assert(std::size(kNames) == static_cast<size_t>(Step::Kind::kLink) + 1);
  py::tuple out(steps.size());
  for (size_t i = 0; i < steps.size(); ++i) {
    const Step& step = steps[i];
    out[i] = py::make_tuple(step.level, kNames[static_cast<size_t>(step.kind)],
                            ToPython(step.clause), step.score, ToPython(step.sources),
                            ToPython(step.addresses), ToPython(step.words));
  }
  return out;
}

py::tuple ToPython(const LearnReceipt& receipt) {
  return py::make_tuple(receipt.learned, receipt.known, ToPython(receipt.digest));
}

}  // namespace loci::python
