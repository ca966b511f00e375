// SPDX-License-Identifier: Apache-2.0
//
// FilterProcess: the output of another program on the bytes of a source, as a source. The program
// is found on PATH and started without a shell; it is fed and listened to at once, in the thread
// that reads, and is ended where it is not read to its end.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "formats/byte_source.h"
#include "loci/result.h"

namespace loci {

class FilterProcess : public ByteSource {
 public:
  // arguments[0] is the program. kNotFound where there is none of that name. variables: NAME=VALUE,
  // before those of the environment.
  static Result<std::unique_ptr<FilterProcess>> Start(
      const std::vector<std::string>& arguments, std::unique_ptr<ByteSource> input,
      const std::vector<std::string>& variables = {});
  ~FilterProcess() override;
  FilterProcess(const FilterProcess&) = delete;
  FilterProcess& operator=(const FilterProcess&) = delete;

  Result<size_t> Read(char* to, size_t most) override;

  // After Read has given 0: whether it ended with success, and the beginning of what it wrote to
  // its standard error.
  bool Wait();
  const std::string& errors() const { return errors_; }

 private:
  FilterProcess() = default;
  Result<void> Feed();
  void Listen();

  std::unique_ptr<ByteSource> input_;
  std::vector<char> block_;  // of the input, of which [fed_, filled_) is still to be fed
  size_t fed_ = 0, filled_ = 0;
  int child_ = -1;
  int in_ = -1, out_ = -1, err_ = -1;
  std::string errors_;
};

}  // namespace loci
