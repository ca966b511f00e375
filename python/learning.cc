// SPDX-License-Identifier: Apache-2.0
//
// _loci.Memory: learning. Statements are made from Python's objects in one loop here, under the
// GIL, and learned in one call without it.
#include <string>
#include <vector>

#include "call.h"
#include "memory.h"
#include "values.h"

namespace loci::python {
namespace {

constexpr size_t kRowsPerLook = 4096;  // at signals, some milliseconds apart

void LookForSignals(size_t row) {
  if (row % kRowsPerLook == 0 && PyErr_CheckSignals() != 0) throw py::error_already_set();
}

// Says which statement it is that a TypeError is about.
template <class Make>
Statement Numbered(size_t row, const Make& make) {
  try {
    return make();
  } catch (const py::type_error& error) {
    throw py::type_error("statement " + std::to_string(row) + ": " + error.what());
  }
}

py::tuple Learn(const PyMemory& self, const std::vector<Statement>& statements) {
  const auto memory = self.get();
  return ToPython(Call([&](const Cancellation& token) {
    return memory->Learn(statements, {.cancellation = token});
  }));
}

py::tuple LearnRows(const PyMemory& self, const py::iterable& rows, const std::string& source) {
  std::vector<Statement> statements;
  for (const py::handle row : rows) {
    LookForSignals(statements.size());
    statements.push_back(Numbered(statements.size(), [&] { return ToStatement(row, source); }));
  }
  return Learn(self, statements);
}

// A column: a list of one value a statement, or one value for all of them.
class Column {
 public:
  Column(const char* name, const py::object& values) : name_(name), values_(values) {
    if (PyList_CheckExact(values.ptr())) list_ = values.ptr();
  }

  size_t size(size_t otherwise) const {
    return list_ == nullptr ? otherwise : static_cast<size_t>(PyList_GET_SIZE(list_));
  }
  // Held by the caller: another thread may change the list while a value is converted.
  py::object at(size_t row) const {
    if (list_ == nullptr) return values_;
    if (row >= size(0)) throw py::type_error(std::string(name_) + ": the list became shorter");
    return py::reinterpret_borrow<py::object>(PyList_GET_ITEM(list_, static_cast<Py_ssize_t>(row)));
  }
  const char* name() const { return name_; }

 private:
  const char* name_;
  py::object values_;
  PyObject* list_ = nullptr;  // values_, where it is one
};

py::tuple LearnColumns(const PyMemory& self, size_t rows, const py::object& subject,
                       const py::object& relation, const py::object& object,
                       const py::object& source) {
  const Column subjects("subject", subject), relations("relation", relation),
      objects("object", object), sources("source", source);
  for (const Column* column : {&subjects, &relations, &objects, &sources}) {
    if (column->size(rows) == rows) continue;
    Raise({ErrorKind::kUsage, std::string("column ") + column->name() + " has " +
                                  std::to_string(column->size(rows)) + " values, others have " +
                                  std::to_string(rows)});
  }
  std::vector<Statement> statements;
  statements.reserve(rows);
  for (size_t row = 0; row < rows; ++row) {
    LookForSignals(row);
    statements.push_back(Numbered(row, [&] {
      return Statement{ToUtf8(subjects.at(row), "subject"), ToUtf8(relations.at(row), "relation"),
                       ToValue(objects.at(row)), ToUtf8(sources.at(row), "source")};
    }));
  }
  return Learn(self, statements);
}

py::tuple LearnFile(const PyMemory& self, const std::string& path, const std::string& format,
                    const std::string& source, const std::string& map, bool skip_bad,
                    std::uint64_t max_memory) {
  const auto memory = self.get();
  LearnFileOptions options;
  options.format = format;
  options.source = source;
  options.map = map;
  options.skip_bad = skip_bad;
  options.max_memory = max_memory;
  const LearnFileReceipt receipt = Call([&](const Cancellation& token) {
    options.cancellation = token;
    return memory->LearnFile(path, options);
  });
  return py::make_tuple(receipt.write.learned, receipt.write.known, ToPython(receipt.write.digest),
                        ToPython(receipt.format), receipt.skipped, ToPython(receipt.bad));
}

py::tuple LearnRules(const PyMemory& self, const std::string& rules, const std::string& source) {
  const auto memory = self.get();
  return ToPython(Call([&](const Cancellation&) { return memory->LearnRules(rules, source); }));
}

}  // namespace

void BindLearning(py::class_<PyMemory>* memory) {
  memory->def("learn_rows", &LearnRows, py::arg("rows"), py::arg("source"));
  memory->def("learn_columns", &LearnColumns, py::arg("rows"), py::arg("subject"),
              py::arg("relation"), py::arg("object"), py::arg("source"));
  memory->def("learn_file", &LearnFile, py::arg("path"), py::arg("format"), py::arg("source"),
              py::arg("map"), py::arg("skip_bad"), py::arg("max_memory"));
  memory->def("learn_rules", &LearnRules, py::arg("rules"), py::arg("source"));
}

}  // namespace loci::python
