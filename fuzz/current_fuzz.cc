// SPDX-License-Identifier: Apache-2.0
//
// CURRENT from any text, as it is and with a checksum that holds: what is taken is exactly what the
// writer writes, and names no file outside of the directory.
#include <fmt/format.h>

#include "base/hash.h"
#include "harness.h"
#include "store/current.h"

namespace loci {
namespace {

using fuzz::Require;

void Check(std::string_view text) {
  const Result<Current> current = ParseCurrent(text, "CURRENT");
  if (!current.ok()) {
    return fuzz::RequireClear(current.error(), {ErrorKind::kDamaged, ErrorKind::kUnsupported});
  }
  Require(FormatCurrent(*current) == text, "what is read is what would be written", text);
  Require(current->folding <= current->runs.size(), "no more runs are folded than there are", text);
  std::vector<std::string> names = current->layers();
  names.push_back(current->log);
  for (const std::string& name : names) {
    Require(!name.empty() && name.find('/') == std::string::npos && current->Names(name),
            "a file lies in the directory", name);
  }
}

}  // namespace
}  // namespace loci

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string text(loci::AsChars({data, size}));
  loci::Check(text);
  loci::Check(text + fmt::format("check {:016x}\n", loci::Xxh3(text)));
  return 0;
}
