// SPDX-License-Identifier: Apache-2.0
#include "mcp/secret.h"

#include <algorithm>
#include <array>
#include <cctype>

#include <fcntl.h>
#include <fmt/format.h>
#include <openssl/crypto.h>
#include <sys/random.h>
#include <sys/stat.h>

#include "base/hash.h"
#include "base/posix.h"

namespace loci::mcp {
namespace {

constexpr size_t kLeastToken = 16, kMostToken = 512;

// token68 of RFC 9110.
bool IsTokenCharacter(char c) {
  return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
         std::string_view("-._~+/=").find(c) != std::string_view::npos;
}

Error BadFile(const std::string& path, const std::string& what) {
  return {ErrorKind::kBadInput, fmt::format("token file '{}': {}", path, what)};
}

Result<std::string> ReadToken(const std::string& path) {
  // O_NONBLOCK: what is a pipe is told, not waited for.
  const Descriptor file(
      Retry([&] { return ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK); }));
  if (!file.valid()) {
    if (errno == ELOOP) return BadFile(path, "is a symbolic link; give the file itself");
    return SystemError("read", path, errno);
  }
  struct stat status {};
  if (::fstat(file.get(), &status) != 0) return SystemError("read", path, errno);
  if (!S_ISREG(status.st_mode)) return BadFile(path, "is not a regular file");
  if (status.st_uid != ::geteuid()) return BadFile(path, "belongs to another user");
  if ((status.st_mode & 077) != 0) {
    return BadFile(path,
                   fmt::format("its mode is {:04o}, so that others can read it; chmod 600, and "
                               "a new token if they may have read it",
                               status.st_mode & 07777));
  }
  std::array<char, kMostToken + 2> bytes;
  const ssize_t n = Retry([&] { return ::read(file.get(), bytes.data(), bytes.size()); });
  if (n < 0) return SystemError("read", path, errno);
  std::string token(bytes.data(), static_cast<size_t>(n));
  if (token.ends_with('\n')) token.pop_back();
  if (token.size() < kLeastToken || token.size() > kMostToken ||
      !std::all_of(token.begin(), token.end(), IsTokenCharacter)) {
    return BadFile(path, fmt::format("a token is one line of {} to {} letters, digits and -._~+/=; "
                                     "remove the file to have one made",
                                     kLeastToken, kMostToken));
  }
  return token;
}

// Under a name of its own first, then linked to its place: which fails if somebody was quicker.
Result<void> MakeToken(const std::string& path) {
  LOCI_ASSIGN(const std::string token, RandomHex(32));
  LOCI_ASSIGN(const std::string suffix, RandomHex(8));
  const std::string fresh = path + "." + suffix;
  const Descriptor file(
      Retry([&] { return ::open(fresh.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600); }));
  if (!file.valid()) return SystemError("create", path, errno);
  const std::string line = token + "\n";
  const ssize_t n = Retry([&] { return ::write(file.get(), line.data(), line.size()); });
  int failed = n == static_cast<ssize_t>(line.size()) ? 0 : n < 0 ? errno : ENOSPC;
  if (failed == 0 && ::fsync(file.get()) != 0) failed = errno;
  if (failed == 0 && ::link(fresh.c_str(), path.c_str()) != 0 && errno != EEXIST) failed = errno;
  ::unlink(fresh.c_str());
  if (failed != 0) return SystemError("create", path, failed);
  return {};
}

}  // namespace

Result<std::string> RandomHex(size_t bytes) {
  std::string random(bytes, '\0');
  size_t done = 0;
  while (done < bytes) {
    const ssize_t n = Retry([&] { return ::getrandom(random.data() + done, bytes - done, 0); });
    if (n < 0) return SystemError("read", "the system's random source", errno);
    done += static_cast<size_t>(n);
  }
  return Hex(random);
}

bool SameSecret(std::string_view given, std::string_view secret) {
  const Hash256 a = Sha256({given}), b = Sha256({secret});
  return CRYPTO_memcmp(a.data(), b.data(), a.size()) == 0;
}

Result<std::string> ReadOrMakeToken(const std::string& path) {
  auto token = ReadToken(path);
  if (token.ok() || token.error().kind != ErrorKind::kNotFound) return token;
  LOCI_TRY(MakeToken(path));
  return ReadToken(path);
}

}  // namespace loci::mcp
