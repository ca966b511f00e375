// SPDX-License-Identifier: Apache-2.0
//
// The second cue: where no link leads on, the words of the first memories are taken for words of
// the cue as well. This is RM3 (Abdul-Jaleel et al., UMass at TREC 2004) over BM25: of the five
// best (one of each hundred documents, if that is less: in a handful whatever stands beside the cue
// looks typical), each by 2^(.3 (score - best)), the fifty words of the greatest share times
// rarity, with half of all weight.
#pragma once

#include "recall/content.h"
#include "recall/cue.h"

namespace loci::recall {

Cue SecondCue(const Collection& collection, const Cue& cue, const Content& content);

}  // namespace loci::recall
