// SPDX-License-Identifier: Apache-2.0
//
// The boundary of the library: what the standard library throws becomes an error here.
#pragma once

#include <exception>
#include <new>
#include <stdexcept>
#include <string>

#include "loci/result.h"

namespace loci {

template <class Call>
auto Guarded(const Call& call) noexcept -> decltype(call()) {
  try {
    return call();
  } catch (const std::bad_alloc&) {
    return Error{ErrorKind::kNoMemory, "out of memory"};
  } catch (const std::length_error&) {
    return Error{ErrorKind::kNoMemory, "out of memory: a table would be too long"};
  } catch (const std::exception& e) {
    return Error{ErrorKind::kIo, std::string("the system failed: ") + e.what()};
  }
}

}  // namespace loci
