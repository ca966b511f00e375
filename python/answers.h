// SPDX-License-Identifier: Apache-2.0
//
// _loci.Answers and _loci.Recollection: what was found, as the library has it. Objects of Python
// are made of it where they are looked at, so that a million answers of which ten are read cost
// ten.
#pragma once

#include "loci/answers.h"
#include "loci/recall.h"
#include "memory.h"
