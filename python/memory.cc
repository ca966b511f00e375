// SPDX-License-Identifier: Apache-2.0
#include "memory.h"

#include "call.h"
#include "values.h"

namespace loci::python {
namespace {

// path: in the bytes of the file system.
PyMemory Open(const std::string& path, bool create, bool read_only) {
  OpenOptions options;
  options.create = create;
  options.read_only = read_only;
  return PyMemory(Call([&](const Cancellation&) { return Memory::Open(path, options); }));
}

py::tuple Forget(const PyMemory& self, int by, py::handle text, bool dry_run, bool statements) {
  const auto memory = self.get();
  const Selector selector{static_cast<Selector::By>(by), ToUtf8(text, "name")};
  ForgetOptions options;
  options.dry_run = dry_run;
  options.list_statements = statements;
  const ForgetReceipt receipt = Call([&](const Cancellation& token) {
    options.cancellation = token;
    return memory->Forget(selector, options);
  });
  return py::make_tuple(receipt.forgotten, receipt.facts_gone, receipt.facts_kept,
                        receipt.still_named, receipt.still_source, TupleOf(receipt.statements),
                        ToPython(receipt.digest));
}

py::tuple Stats(const PyMemory& self) {
  const auto memory = self.get();
  const MemoryStats s = Call([&](const Cancellation&) { return memory->Stats(); });
  return py::make_tuple(s.statements, s.facts, s.symbols, s.texts, s.numbers, s.dates, s.relations,
                        s.sources, s.bytes);
}

// write: a callable that takes bytes. What it raises ends the export and is raised.
std::uint64_t Export(const PyMemory& self, const std::string& format, const py::object& write) {
  const auto memory = self.get();
  std::unique_ptr<py::error_already_set> raised;
  const auto pass = [&](std::string_view block) {
    const py::gil_scoped_acquire acquire;
    try {
      write(py::bytes(block.data(), block.size()));
      return true;
    } catch (py::error_already_set& error) {
      raised = std::make_unique<py::error_already_set>(std::move(error));
      return false;
    }
  };
  Interrupt interrupt;
  auto records = [&] {
    const Cancellation token = interrupt.token();
    const py::gil_scoped_release release;
    return memory->Export(format, pass, token);
  }();
  if (raised) throw py::error_already_set(std::move(*raised));
  interrupt.Rethrow();
  return Take(std::move(records));
}

}  // namespace

std::shared_ptr<Memory> PyMemory::get() const {
  if (memory_) return memory_;
  Raise({ErrorKind::kUsage, "the memory was closed; open it anew"});
}

void BindMemory(py::module_* module) {
  py::class_<Statements>(*module, "Statements", "Statements of the library, some at a time.")
      .def(
          "next",
          [](Statements& self, size_t least) {
            return TupleOf(Call([&](const Cancellation&) { return self.Next(least); }));
          },
          py::arg("least"));
  py::class_<PyMemory> memory(*module, "Memory", "A memory of the library.");
  memory.def(py::init(&Open), py::arg("path"), py::arg("create"), py::arg("read_only"));
  memory.def("close", &PyMemory::Close);
  memory.def_property_readonly("closed", &PyMemory::closed);
  memory.def("freeze", [](const PyMemory& self) {
    const auto frozen = self.get();
    return PyMemory(Call([&](const Cancellation&) { return frozen->Freeze(); }));
  });
  BindLearning(&memory);
  BindAsking(&memory);
  memory.def("forget", &Forget, py::arg("by"), py::arg("text"), py::arg("dry_run"),
             py::arg("statements"));
  memory.def("digest", [](const PyMemory& self) {
    const auto held = self.get();
    return ToPython(Call([&](const Cancellation&) { return held->Digest(); }));
  });
  memory.def("stats", &Stats);
  memory.def("all", [](const PyMemory& self) {
    const auto held = self.get();
    return Call([&](const Cancellation&) { return held->All(); });
  });
  memory.def("export", &Export, py::arg("format"), py::arg("write"));
  memory.def("consolidate", [](const PyMemory& self) {
    const auto held = self.get();
    Call([&](const Cancellation& token) { return held->Consolidate(token); });
  });
  memory.def("check", [](const PyMemory& self) {
    const auto held = self.get();
    Call([&](const Cancellation& token) { return held->Check(token); });
  });
}

}  // namespace loci::python
