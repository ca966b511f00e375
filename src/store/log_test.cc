// SPDX-License-Identifier: Apache-2.0
#include "store/log.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/bytes.h"
#include "base/hash.h"
#include "memory/testing.h"

namespace loci {
namespace {

using test::Random;
using ::testing::HasSubstr;

constexpr uint64_t kNumber = 7;

Batch RandomBatch(Random& random, uint64_t most = 20) {
  Batch batch;
  for (uint64_t n = 1 + random() % most; n > 0; --n) {
    batch.Add(test::RandomStatement(random).view(), random() % 4 == 0);
  }
  return batch;
}

FrameReader Reader(std::string_view bytes, uint64_t sequence = 1) {
  return {bytes, kLogHeaderBytes, sequence, kNumber, "m/log-7"};
}

std::string Said(const Batch& batch, size_t i) {
  const Batch::Row& row = batch.rows()[i];
  std::string text = batch.removed(i) ? "-" : "+";
  for (Batch::Ref ref : {row.subject, row.relation, row.object, row.source}) {
    text += " " + ToNotation(batch.Name(ref));
  }
  return text;
}

// A frame around any payload, with a checksum that holds.
std::string Frame(std::string_view payload, uint64_t sequence) {
  std::string frame;
  AppendInt(&frame, uint64_t{payload.size()});
  AppendInt(&frame, sequence);
  AppendInt(&frame, Xxh3(payload, Xxh3(frame, kNumber)));
  return frame.append(payload);
}

TEST(LogTest, ReadsBackWhatItWrote) {
  Random random(1);
  for (int round = 0; round < 50; ++round) {
    std::string log;
    std::vector<std::string> expected;
    const uint64_t frames = random() % 20;
    for (uint64_t sequence = 1; sequence <= frames; ++sequence) {
      const Batch batch = RandomBatch(random);
      for (size_t i = 0; i < batch.size(); ++i) expected.push_back(Said(batch, i));
      log += EncodeFrame(batch, sequence, kNumber);
    }
    FrameReader reader = Reader(log);
    Batch batch;
    for (uint64_t i = 0; i < frames; ++i) ASSERT_TRUE(*reader.Next(&batch));
    EXPECT_FALSE(*reader.Next(&batch));
    EXPECT_TRUE(reader.at_end());
    EXPECT_EQ(reader.at(), kLogHeaderBytes + log.size());
    EXPECT_EQ(reader.sequence(), frames + 1);
    ASSERT_EQ(batch.size(), expected.size());
    for (size_t i = 0; i < expected.size(); ++i) ASSERT_EQ(Said(batch, i), expected[i]);
  }
}

// The end torn at every byte: the frames before it are read, it is not, and nothing follows it.
TEST(LogTest, ATornEndIsNoFrame) {
  Random random(2);
  std::string log;
  for (uint64_t sequence = 1; sequence <= 3; ++sequence) {
    log += EncodeFrame(RandomBatch(random), sequence, kNumber);
  }
  const std::string last = EncodeFrame(RandomBatch(random), 4, kNumber);
  for (size_t kept = 0; kept < last.size(); ++kept) {
    // Cut off, or with the rest as zeros, as a file system may have it.
    for (const std::string& end :
         {last.substr(0, kept), last.substr(0, kept) + std::string(64, '\0')}) {
      const std::string bytes = log + end;
      FrameReader reader = Reader(bytes);
      Batch batch;
      for (int i = 0; i < 3; ++i) ASSERT_TRUE(*reader.Next(&batch));
      // Zeros may be what the frame ended with.
      if (end.starts_with(last)) continue;
      ASSERT_FALSE(*reader.Next(&batch)) << kept;
      ASSERT_EQ(reader.at(), kLogHeaderBytes + log.size());
      ASSERT_EQ(reader.at_end(), end.empty());
      ASSERT_FALSE(reader.WholeFrameFollows());
    }
  }
}

// A flip anywhere in a frame stops the reader there, and the whole frame after it shows.
TEST(LogTest, AFlipBreaksItsFrame) {
  Random random(3);
  const std::string first = EncodeFrame(RandomBatch(random), 1, kNumber);
  const std::string second = EncodeFrame(RandomBatch(random), 2, kNumber);
  for (size_t at = 0; at < first.size(); ++at) {
    std::string log = first + second;
    log[at] = static_cast<char>(log[at] ^ (1 << random() % 8));
    FrameReader reader = Reader(log);
    Batch batch;
    ASSERT_FALSE(*reader.Next(&batch)) << at;
    EXPECT_TRUE(batch.empty());
    EXPECT_EQ(reader.at(), kLogHeaderBytes);
    EXPECT_FALSE(reader.at_end());
    ASSERT_TRUE(reader.WholeFrameFollows()) << at;
  }
}

TEST(LogTest, FramesOfAnotherLogOrPlaceDoNotPass) {
  Random random(4);
  const Batch written = RandomBatch(random);
  Batch batch;
  const std::string frame = EncodeFrame(written, 5, kNumber);
  EXPECT_TRUE(*Reader(frame, 5).Next(&batch));
  EXPECT_FALSE(*Reader(frame, 4).Next(&batch));
  EXPECT_FALSE(*Reader(EncodeFrame(written, 5, kNumber - 1), 5).Next(&batch));
  // An older log's frames behind a torn one are no sign of damage.
  const std::string torn = frame.substr(0, frame.size() - 1) + EncodeFrame(written, 6, kNumber - 1);
  FrameReader reader = Reader(torn, 5);
  EXPECT_FALSE(*reader.Next(&batch));
  EXPECT_FALSE(reader.WholeFrameFollows());
}

// Payloads that no writer writes, under a checksum that holds.
TEST(LogTest, RefusesPayloadsThatDoNotDecode) {
  const auto refused = [](const std::string& payload) {
    Batch batch;
    const std::string frame = Frame(payload, 1);
    FrameReader reader = Reader(frame);
    const auto next = reader.Next(&batch);
    ASSERT_FALSE(next.ok()) << Hex(payload);
    EXPECT_EQ(next.error().kind, ErrorKind::kDamaged);
    EXPECT_THAT(next.error().message, HasSubstr("m/log-7 is damaged: frame 1 at byte 32"));
  };
  const std::string terms("\x02\x04\x01s\x03\x01t", 7);  // the symbol s, the text t
  for (const std::string& payload :
       {std::string(),                        // no count
        std::string("\x01", 1),               // a term is missing
        std::string("\x01\x00\x01s\x00", 5),  // kind 0
        std::string("\x01\x05\x01s\x00", 5),  // kind 5
        std::string("\x01\x04\x09s\x00", 5),  // longer than the payload
        terms,                                // no count of rows
        terms + std::string("\x01", 1),       // a row is missing
        terms + std::string("\x01\x00\x00\x00", 4),
        terms + std::string("\x01\x04\x00\x00\x00", 5),   // no such subject
        terms + std::string("\x01\x00\x00\x02\x00", 5),   // no such object
        terms + std::string("\x01\x02\x00\x00\x00", 5),   // a text as subject
        terms + std::string("\x01\x00\x01\x00\x00", 5),   // as relation
        terms + std::string("\x01\x00\x00\x00\x01", 5),   // as source
        terms + std::string("\x01\x00\x00\x01\x00!", 6),  // something after the rows
        terms + std::string("\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\x7F", 10)}) {
    refused(payload);
  }
  Batch batch;
  const std::string good = Frame(terms + std::string("\x01\x00\x00\x01\x00", 5), 1);
  ASSERT_TRUE(*Reader(good).Next(&batch));
  EXPECT_EQ(Said(batch, 0), "+ s s \"t\" s");
}

TEST(LogTest, ArbitraryPayloadsAreReadOrRefused) {
  Random random(5);
  const std::string frame = EncodeFrame(RandomBatch(random), 1, kNumber);
  for (int round = 0; round < 3000; ++round) {
    std::string payload = frame.substr(kFrameHeaderBytes);
    for (uint64_t n = 1 + random() % 3; n > 0; --n) {
      payload[random() % payload.size()] = static_cast<char>(random());
    }
    Batch batch;
    const std::string changed = Frame(payload, 1);
    const auto next = Reader(changed).Next(&batch);
    ASSERT_TRUE(next.ok() ? *next : next.error().kind == ErrorKind::kDamaged);
  }
}

TEST(LogTest, ChecksItsHeader) {
  const std::string header = LogHeader(kNumber);
  ASSERT_EQ(header.size(), kLogHeaderBytes);
  EXPECT_TRUE(CheckLogHeader(header + "frames", kNumber, "m/log-7").ok());
  EXPECT_FALSE(CheckLogHeader(header, kNumber + 1, "m/log-8").ok());
  for (size_t i = 0; i < header.size(); ++i) {
    const auto cut = CheckLogHeader(header.substr(0, i), kNumber, "m/log-7");
    ASSERT_FALSE(cut.ok());
    EXPECT_EQ(cut.error().kind, ErrorKind::kDamaged);
    std::string flipped = header;
    flipped[i] = static_cast<char>(flipped[i] ^ 16);
    const auto checked = CheckLogHeader(flipped, kNumber, "m/log-7");
    ASSERT_FALSE(checked.ok()) << i;
    EXPECT_EQ(checked.error().kind, ErrorKind::kDamaged) << "a flip is no other version";
    EXPECT_THAT(checked.error().message, HasSubstr("m/log-7"));
  }
  std::string other(header, 0, 24);
  other[8] = 2;
  AppendInt(&other, Xxh3(other));
  const auto checked = CheckLogHeader(other, kNumber, "m/log-7");
  ASSERT_FALSE(checked.ok());
  EXPECT_EQ(checked.error().kind, ErrorKind::kUnsupported);
  EXPECT_THAT(checked.error().message, HasSubstr("format version 2"));
}

}  // namespace
}  // namespace loci
