// SPDX-License-Identifier: Apache-2.0
//
// LOCI_API marks what the shared library shows; all else in it is hidden, so that two versions of
// its inside can never meet in one program.
#pragma once

#define LOCI_API __attribute__((visibility("default")))
