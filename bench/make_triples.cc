// SPDX-License-Identifier: Apache-2.0
//
// make_triples N > FILE: N generated triples as TSV, for `loci learn` and its peers.
#include <cstdio>
#include <cstdlib>

#include "triples.h"

int main(int argc, char** argv) {
  if (argc != 2) {
    std::fprintf(stderr, "usage: make_triples N > FILE\n");
    return 2;
  }
  const uint64_t facts = std::strtoull(argv[1], nullptr, 10);
  loci::bench::Triples triples(facts);
  for (uint64_t i = 0; i < facts; ++i) {
    const auto t = triples.Next();
    std::printf("entity_%lu\trel_%lu\tentity_%lu\n", t.subject, t.relation, t.object);
  }
  return 0;
}
