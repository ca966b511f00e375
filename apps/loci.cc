// SPDX-License-Identifier: Apache-2.0
//
// loci, the command: all of it is in src/command.
#include "command/io.h"
#include "command/run.h"

int main(int argc, char** argv) {
  loci::Io io = loci::ProcessIo();
  return static_cast<int>(loci::RunCommand({argv + 1, argv + argc}, &io));
}
