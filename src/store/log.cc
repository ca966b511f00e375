// SPDX-License-Identifier: Apache-2.0
#include "store/log.h"

#include <fmt/format.h>

#include <cstring>

#include "base/bytes.h"
#include "base/hash.h"

namespace loci {
namespace {

constexpr char kMagic[] = "loci-log";
constexpr uint32_t kVersion = 1;

uint64_t Checksum(std::string_view head, std::string_view payload, uint64_t number) {
  return Xxh3(payload, Xxh3(head.substr(0, 16), number));
}

std::string EncodePayload(const Batch& batch) {
  std::string out;
  AppendVarint(&out, batch.terms());
  for (Batch::Ref ref = 0; ref < batch.terms(); ++ref) {
    const TermView term = batch.Name(ref);
    out.push_back(static_cast<char>(term.kind));
    AppendSized(&out, term.bytes);
  }
  AppendVarint(&out, batch.size());
  for (size_t i = 0; i < batch.size(); ++i) {
    const Batch::Row& row = batch.rows()[i];
    AppendVarint(&out, uint64_t{row.subject} * 2 + batch.removed(i));
    AppendVarint(&out, row.relation);
    AppendVarint(&out, row.object);
    AppendVarint(&out, row.source);
  }
  return out;
}

bool DecodePayload(std::string_view payload, Batch* batch) {
  Cursor in(payload);
  std::vector<Batch::Ref> refs;
  for (uint64_t n = in.Varint(); in.ok() && n > 0; --n) {
    const auto kind = in.Int<uint8_t>();
    const std::string_view bytes = in.Sized();
    if (!in.ok() || kind < 1 || kind > kKinds) return false;
    refs.push_back(batch->Intern({static_cast<Kind>(kind), bytes}));
  }
  const auto is_symbol = [batch](Batch::Ref ref) { return batch->Name(ref).kind == Kind::kSymbol; };
  for (uint64_t n = in.Varint(); in.ok() && n > 0; --n) {
    const uint64_t subject = in.Varint(), relation = in.Varint(), object = in.Varint(),
                   source = in.Varint();
    if (!in.ok() || subject / 2 >= refs.size() || relation >= refs.size() ||
        object >= refs.size() || source >= refs.size()) {
      return false;
    }
    const Batch::Row row{refs[subject / 2], refs[relation], refs[object], refs[source]};
    if (!is_symbol(row.subject) || !is_symbol(row.relation) || !is_symbol(row.source)) return false;
    batch->Add(row, subject & 1);
  }
  return in.ok() && in.empty();
}

}  // namespace

std::string LogHeader(uint64_t number) {
  std::string out(kMagic, 8);
  AppendInt(&out, kVersion);
  AppendInt(&out, uint32_t{0});
  AppendInt(&out, number);
  AppendInt(&out, Xxh3(out));
  return out;
}

Result<void> CheckLogHeader(std::string_view bytes, uint64_t number, const std::string& path) {
  if (bytes.size() >= 12 && bytes.starts_with(kMagic)) {
    const auto version = Load<uint32_t>(bytes.data() + 8);
    std::string head(bytes.substr(0, 24));
    if (version != kVersion && bytes.size() >= kLogHeaderBytes &&
        Xxh3(head) == Load<uint64_t>(bytes.data() + 24)) {
      return Error{ErrorKind::kUnsupported,
                   fmt::format("{} has format version {}, this program reads version {}", path,
                               version, kVersion)};
    }
  }
  if (bytes.substr(0, kLogHeaderBytes) == LogHeader(number)) return {};
  return Error{
      ErrorKind::kDamaged,
      fmt::format("{} is damaged: its header does not hold; restore the memory from a copy", path)};
}

std::string EncodeFrame(const Batch& batch, uint64_t sequence, uint64_t number) {
  const std::string payload = EncodePayload(batch);
  std::string frame;
  AppendInt(&frame, uint64_t{payload.size()});
  AppendInt(&frame, sequence);
  AppendInt(&frame, Checksum(frame, payload, number));
  return frame + payload;
}

bool FrameReader::Holds(std::string_view frame, uint64_t sequence,
                        std::string_view* payload) const {
  if (frame.size() < kFrameHeaderBytes || Load<uint64_t>(frame.data() + 8) != sequence)
    return false;
  const auto size = Load<uint64_t>(frame.data());
  if (size > frame.size() - kFrameHeaderBytes) return false;
  *payload = frame.substr(kFrameHeaderBytes, size);
  return Checksum(frame, *payload, number_) == Load<uint64_t>(frame.data() + 16);
}

Result<bool> FrameReader::Next(Batch* batch) {
  std::string_view payload;
  if (!Holds(bytes_, sequence_, &payload)) return false;
  if (!DecodePayload(payload, batch)) {
    return Error{
        ErrorKind::kDamaged,
        fmt::format("{} is damaged: frame {} at byte {} does not decode; restore the memory "
                    "from a copy",
                    path_, sequence_, at_)};
  }
  const uint64_t whole = kFrameHeaderBytes + payload.size();
  bytes_.remove_prefix(whole);
  at_ += whole;
  ++sequence_;
  return true;
}

bool FrameReader::WholeFrameFollows() const {
  // The broken frame's own length cannot be trusted: try every byte. The next frames' sequences are
  // known, so nearly every place fails at its first comparison.
  constexpr uint64_t kLookahead = 1024;
  std::string_view payload;
  for (size_t i = 1; i + kFrameHeaderBytes <= bytes_.size(); ++i) {
    const std::string_view rest = bytes_.substr(i);
    const auto sequence = Load<uint64_t>(rest.data() + 8);
    if (sequence > sequence_ && sequence <= sequence_ + kLookahead &&
        Holds(rest, sequence, &payload)) {
      return true;
    }
  }
  return false;
}

}  // namespace loci
