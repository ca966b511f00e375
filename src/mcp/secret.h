// SPDX-License-Identifier: Apache-2.0
//
// What nobody may guess: identifiers of sessions, and the token that a client of the door over HTTP
// shows (RFC 6750). Random bytes are the system's (getrandom); nothing of this is stored in a
// memory or answered.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "loci/result.h"

namespace loci::mcp {

// Hex digits of that many random bytes.
Result<std::string> RandomHex(size_t bytes);

// In a time that depends on the lengths alone.
bool SameSecret(std::string_view given, std::string_view secret);

// The token in a file: one line of 16 to 512 of the characters that a bearer token may have. The
// file must be a regular one, owned by this user, and no one else's to read or write. Where there
// is no such file, makes it, with a token of 32 random bytes: whole or not at all, and the same for
// all that make it at once.
Result<std::string> ReadOrMakeToken(const std::string& path);

}  // namespace loci::mcp
