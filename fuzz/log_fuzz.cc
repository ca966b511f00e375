// SPDX-License-Identifier: Apache-2.0
//
// The frames of a log. The input is a log's bytes as they are; and, the other half of inputs, a
// list of payloads that become frames with a checksum that holds, or does not where the input says
// so. What decodes is the same when it is encoded again; what follows a torn frame is never read.
#include <cstring>

#include "base/hash.h"
#include "harness.h"
#include "store/log.h"

namespace loci {
namespace {

using fuzz::Require;

constexpr uint64_t kNumber = 7;

// A frame as store/log.h describes it.
std::string Frame(std::string_view payload, uint64_t sequence) {
  std::string frame;
  AppendInt<uint64_t>(&frame, payload.size());
  AppendInt(&frame, sequence);
  AppendInt(&frame, Xxh3(payload, Xxh3(frame, kNumber)));
  return frame.append(payload);
}

void RequireSameRows(const Batch& a, const Batch& b) {
  Require(a.size() == b.size(), "a frame keeps its rows");
  for (size_t i = 0; i < a.size(); ++i) {
    const Batch::Row &x = a.rows()[i], &y = b.rows()[i];
    Require(a.removed(i) == b.removed(i) && a.Name(x.subject) == b.Name(y.subject) &&
                a.Name(x.relation) == b.Name(y.relation) && a.Name(x.object) == b.Name(y.object) &&
                a.Name(x.source) == b.Name(y.source),
            "a frame keeps each row");
  }
}

// Reads frames to their end; returns how many there were.
uint64_t ReadAll(std::string_view bytes) {
  FrameReader reader(bytes, kLogHeaderBytes, 1, kNumber, "log-7");
  for (;;) {
    Batch batch;
    const uint64_t before = reader.at();
    const Result<bool> more = reader.Next(&batch);
    if (!more.ok()) {
      fuzz::RequireClear(more.error(), {ErrorKind::kDamaged});
      break;
    }
    Require(reader.at() - kLogHeaderBytes <= bytes.size(), "a frame lies within the log");
    if (!*more) {
      Require(reader.at() == before, "no frame, no step");
      if (reader.at_end()) Require(!reader.WholeFrameFollows(), "nothing follows the end");
      break;
    }
    Require(reader.at() >= before + kFrameHeaderBytes, "a frame has a header");
    Batch again;
    const std::string frame = EncodeFrame(batch, 1, kNumber);
    FrameReader reread(frame, 0, 1, kNumber, "log-7");
    Require(fuzz::Value(reread.Next(&again), "an encoded frame decodes") && reread.at_end(),
            "an encoded frame is whole");
    RequireSameRows(batch, again);
  }
  return reader.sequence() - 1;
}

void Check(fuzz::Choices choices) {
  std::string bytes;
  uint64_t whole = 0, sequence = 1;
  bool torn = false;
  while (!choices.empty()) {
    const auto flags = choices.Int<uint8_t>();
    const std::string_view payload = choices.Take(choices.Int<uint8_t>());
    std::string frame = Frame(payload, sequence + (flags & 1));
    if (flags & 2) frame[16] = static_cast<char>(frame[16] ^ 1);
    torn = torn || (flags & 3) != 0;
    whole += torn ? 0 : 1;
    bytes += frame;
    ++sequence;
  }
  Require(ReadAll(bytes) <= whole, "what is torn is not read");
}

}  // namespace
}  // namespace loci

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  if (size == 0) return 0;
  const std::string_view rest = loci::AsChars({data + 1, size - 1});
  if (data[0] & 1) {
    loci::Check({data + 1, size - 1});
    return 0;
  }
  const auto header = loci::CheckLogHeader(rest, loci::kNumber, "log-7");
  if (!header.ok()) {
    loci::fuzz::RequireClear(header.error(),
                             {loci::ErrorKind::kDamaged, loci::ErrorKind::kUnsupported});
  }
  loci::ReadAll(rest);
  loci::ReadAll(rest.substr(std::min<size_t>(rest.size(), loci::kLogHeaderBytes)));
  return 0;
}
