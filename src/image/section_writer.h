// SPDX-License-Identifier: Apache-2.0
//
// SectionWriter: appends the sections of an image in order and keeps the table that describes them.
// For the files of this folder that write sections.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <string>
#include <string_view>

#include "base/hash.h"
#include "image/layout.h"
#include "image/writer.h"
#include "loci/result.h"

namespace loci {

class SectionWriter {
 public:
  static constexpr uint64_t kBufferBytes = 1 << 20;  // written at once

  SectionWriter(ImageSink* sink, uint32_t sections) : sink_(sink), sections_(sections) {}

  // Reserves the place of header and table.
  Result<void> Begin() {
    const std::string head(sizeof(ImageHeader) + sections_ * sizeof(SectionEntry), '\0');
    offset_ = head.size();
    return sink_->Append(head);
  }

  Result<void> Open(Section section, uint32_t width) {
    entry_ = &table_[section];
    *entry_ = {section, width, offset_, 0, 0};
    checksum_.emplace();
    return {};
  }

  Result<void> Add(std::string_view bytes) {
    checksum_->Add(bytes);
    entry_->length += bytes.size();
    offset_ += bytes.size();
    return sink_->Append(bytes);
  }

  Result<void> Close() {
    entry_->checksum = checksum_->Finish();
    checksum_.reset();
    return FillGap();
  }

  // At once, which spares the state of a checksum: of the 28 sections of a durable write nearly
  // all.
  Result<void> Whole(Section section, uint32_t width, std::string_view bytes) {
    table_[section] = {section, width, offset_, bytes.size(), Xxh3(bytes)};
    offset_ += bytes.size();
    LOCI_TRY(sink_->Append(bytes));
    return FillGap();
  }

  // count values, value(i) each, in the narrowest width that holds `largest`.
  template <class Value>
  Result<void> WriteColumn(Section section, uint64_t count, uint64_t largest, Value value) {
    if (largest < 1 << 8) return WriteIntegers<uint8_t>(section, count, value);
    if (largest < 1 << 16) return WriteIntegers<uint16_t>(section, count, value);
    return WriteIntegers<uint32_t>(section, count, value);
  }

  // count elements of `width` bytes, each written by put(i, place).
  template <class Put>
  Result<void> Elements(uint64_t count, uint32_t width, Put put) {
    const uint64_t at_once = kBufferBytes / width;
    for (uint64_t done = 0; done < count;) {
      const uint64_t n = std::min(at_once, count - done);
      chunk_.resize(n * width);
      for (uint64_t i = 0; i < n; ++i) put(done + i, chunk_.data() + i * width);
      LOCI_TRY(Add(chunk_));
      done += n;
    }
    return {};
  }

  template <class Integer, class Value>
  Result<void> WriteIntegers(Section section, uint64_t count, Value value) {
    const auto put = [&](uint64_t i, char* out) {
      const auto v = static_cast<Integer>(value(i));
      std::memcpy(out, &v, sizeof v);
    };
    if (count <= kBufferBytes / sizeof(Integer)) {
      chunk_.resize(count * sizeof(Integer));
      for (uint64_t i = 0; i < count; ++i) put(i, chunk_.data() + i * sizeof(Integer));
      return Whole(section, sizeof(Integer), chunk_);
    }
    LOCI_TRY(Open(section, sizeof(Integer)));
    LOCI_TRY(Elements(count, sizeof(Integer), put));
    return Close();
  }

  Result<void> Finish(ImageHeader header) {
    header.length = offset_;
    const std::string_view table(reinterpret_cast<const char*>(table_),
                                 sections_ * sizeof(SectionEntry));
    header.table_checksum = Xxh3(table);
    std::string head(reinterpret_cast<const char*>(&header), sizeof header);
    const uint64_t checksum = Xxh3({head.data(), offsetof(ImageHeader, header_checksum)});
    std::memcpy(head.data() + offsetof(ImageHeader, header_checksum), &checksum, sizeof checksum);
    head.append(table);
    return sink_->SetHead(head);
  }

 private:
  Result<void> FillGap() {
    static const char kZeros[8] = {};
    const uint64_t gap = (8 - offset_ % 8) % 8;
    offset_ += gap;
    return gap ? sink_->Append({kZeros, gap}) : Result<void>();
  }

  ImageSink* const sink_;
  const uint32_t sections_;
  uint64_t offset_ = 0;
  SectionEntry table_[kSections] = {};
  SectionEntry* entry_ = nullptr;
  std::optional<Xxh3Stream> checksum_;
  std::string chunk_;
};

}  // namespace loci
