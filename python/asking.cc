// SPDX-License-Identifier: Apache-2.0
//
// _loci.Memory: asking and recalling.
#include "answers.h"
#include "call.h"
#include "memory.h"
#include "values.h"

namespace loci::python {
namespace {

std::vector<Parameter> ToParameters(const py::dict& given) {
  std::vector<Parameter> parameters;
  parameters.reserve(given.size());
  for (const auto& [name, value] : given) {
    const std::string variable = ToUtf8(name, "parameter");
    try {
      parameters.push_back({variable, ToValue(value)});
    } catch (const py::type_error& error) {
      throw py::type_error("?" + variable + ": " + error.what());
    }
  }
  return parameters;
}

Answers Ask(const PyMemory& self, const Query& query, const py::dict& given, std::uint64_t limit,
            bool evidence, bool why, std::uint64_t max_work, std::uint64_t max_memory) {
  const auto memory = self.get();
  const std::vector<Parameter> parameters = ToParameters(given);
  AskOptions options;
  options.limit = limit;
  options.evidence = evidence;
  options.why = why;
  options.max_work = max_work;
  options.max_memory = max_memory;
  return Call([&](const Cancellation& token) {
    options.cancellation = token;
    return memory->Ask(query, parameters, options);
  });
}

py::tuple Why(const PyMemory& self, const std::string& fact, std::uint64_t max_work) {
  const auto memory = self.get();
  AskOptions options;
  options.max_work = max_work;
  return ToPython(Call([&](const Cancellation& token) {
    options.cancellation = token;
    return memory->Why(fact, options);
  }));
}

Recollection Recall(const PyMemory& self, const std::string& cue, std::uint64_t limit,
                    std::uint64_t offset, const std::string& where, const std::string& source,
                    const std::string& within, const std::string& since, const std::string& until,
                    const std::string& unlike, bool associate, bool evidence,
                    std::uint64_t max_work) {
  const auto memory = self.get();
  RecallOptions options;
  options.limit = limit;
  options.offset = offset;
  options.where = where;
  options.source = source;
  options.within = within;
  options.since = since;
  options.until = until;
  options.unlike = unlike;
  options.associate = associate;
  options.evidence = evidence;
  options.max_work = max_work;
  return Call([&](const Cancellation& token) {
    options.cancellation = token;
    return memory->Recall(cue, options);
  });
}

}  // namespace

void BindAsking(py::class_<PyMemory>* memory) {
  memory->def("ask", &Ask, py::arg("query"), py::arg("parameters"), py::arg("limit"),
              py::arg("evidence"), py::arg("why"), py::arg("max_work"), py::arg("max_memory"));
  memory->def("why", &Why, py::arg("fact"), py::arg("max_work"));
  memory->def("recall", &Recall, py::arg("cue"), py::arg("limit"), py::arg("offset"),
              py::arg("where"), py::arg("source"), py::arg("within"), py::arg("since"),
              py::arg("until"), py::arg("unlike"), py::arg("associate"), py::arg("evidence"),
              py::arg("max_work"));
}

}  // namespace loci::python
