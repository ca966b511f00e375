// SPDX-License-Identifier: Apache-2.0
//
// A main for fuzz targets where libFuzzer is not linked:
//
//   x_fuzz PATH... [--mutate COUNT FILE]
//
// runs the target on each file that is named, and on each file of a folder that is named, in order
// of name; then on COUNT random mutations of them, the same at each run and by each compiler. FILE
// holds the mutation at hand, so that one that fails can be run again; it goes when none fails.
// Mutations are blind to what they reach: to find more is for libFuzzer (`make fuzz`), this is to
// notice in every build when something breaks that held.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "harness.h"

namespace {

using namespace std::string_view_literals;
using Random = std::mt19937_64;

// In an allocation of exactly its size, so that a sanitizer sees a read beyond it.
void Run(const std::string& bytes) {
  const std::unique_ptr<uint8_t[]> copy(new uint8_t[bytes.size()]);
  std::copy(bytes.begin(), bytes.end(), copy.get());
  LLVMFuzzerTestOneInput(copy.get(), bytes.size());
}

void Mutate(const std::vector<std::string>& inputs, Random& random, std::string* bytes) {
  constexpr size_t kLongest = 4096;
  constexpr std::string_view kSigns = "\0\xFF\x80\n\t\"\\<>(){}[],;:?*+|^/#@0129aZ _-.%&="sv;
  const auto below = [&random](size_t n) { return n == 0 ? 0 : random() % n; };
  const auto sign = [&] { return kSigns[below(kSigns.size())]; };
  const size_t at = below(bytes->size() + 1);
  const size_t size = below(std::min<size_t>(bytes->size() - at, 16) + 1);
  const bool inside = at < bytes->size();
  switch (below(7)) {
    case 0:
      if (inside) (*bytes)[at] = static_cast<char>((*bytes)[at] ^ (1 << below(8)));
      break;
    case 1:
      if (inside) (*bytes)[at] = sign();
      break;
    case 2:
      bytes->insert(at, 1 + below(4), sign());
      break;
    case 3:
      bytes->erase(at, size);
      break;
    case 4:
      bytes->insert(below(bytes->size() + 1), bytes->substr(at, size));
      break;
    case 5:
      if (inside) (*bytes)[at] = static_cast<char>((*bytes)[at] + static_cast<int>(below(9)) - 4);
      break;
    case 6: {
      const std::string& other = inputs[below(inputs.size())];
      const size_t from = below(other.size() + 1);
      bytes->insert(at, other.substr(from, 1 + below(64)));
      break;
    }
  }
  if (bytes->size() > kLongest) bytes->resize(kLongest);
}

std::vector<std::string> Files(int count, char** paths) {
  namespace fs = std::filesystem;
  std::vector<std::string> files;
  for (int i = 0; i < count; ++i) {
    std::error_code error;
    if (!fs::is_directory(paths[i], error)) {
      files.emplace_back(paths[i]);
      continue;
    }
    for (const auto& entry : fs::directory_iterator(paths[i])) {
      if (entry.is_regular_file()) files.push_back(entry.path().string());
    }
  }
  std::sort(files.begin(), files.end());
  return files;
}

}  // namespace

int main(int count, char** arguments) {
  int mutations = 0;
  std::string last;
  if (count > 4 && std::string_view(arguments[count - 3]) == "--mutate") {
    mutations = std::atoi(arguments[count - 2]);
    last = arguments[count - 1];
    count -= 3;
  }
  std::vector<std::string> inputs;
  for (const std::string& file : Files(count - 1, arguments + 1)) {
    std::ifstream in(file, std::ios::binary);
    if (!in.is_open()) {
      std::fprintf(stderr, "cannot read %s\n", file.c_str());
      return 1;
    }
    inputs.emplace_back(std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>());
    std::fprintf(stderr, "%s\n", file.c_str());  // the last line tells which one failed
    Run(inputs.back());
  }
  if (inputs.empty()) return 1;
  if (mutations > 0) std::fprintf(stderr, "mutations, the one at hand in %s\n", last.c_str());
  Random random(1);
  for (int i = 0; i < mutations; ++i) {
    std::string bytes = inputs[random() % inputs.size()];
    for (uint64_t n = 1 + random() % 4; n > 0; --n) Mutate(inputs, random, &bytes);
    std::ofstream(last, std::ios::binary | std::ios::trunc) << bytes;
    Run(bytes);
  }
  if (mutations > 0) std::filesystem::remove(last);
  std::printf("%zu inputs, %d mutations\n", inputs.size(), mutations);
  return 0;
}
