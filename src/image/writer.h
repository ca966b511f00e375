// SPDX-License-Identifier: Apache-2.0
//
// Writer: the bytes of an image from a draft, which holds the terms and facts in canonical order
// and nothing that follows from them. All builders (a batch, a merge of layers, verification) end
// here, so that one function defines the bytes.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/file.h"
#include "base/hash.h"
#include "image/image.h"
#include "image/term.h"
#include "loci/result.h"

namespace loci {

// Distinct sets of sources, numbered in order of arrival; the writer renumbers them canonically.
// A member is a source's term * 2 + removed; members ascend.
class SourceSets {
 public:
  SourceSets() { begin_.push_back(0); }
  uint32_t Intern(std::span<const uint64_t> members);
  uint32_t size() const { return static_cast<uint32_t>(begin_.size() - 1); }
  std::span<const uint64_t> operator[](uint32_t set) const {
    return {members_.data() + begin_[set], members_.data() + begin_[set + 1]};
  }
  // Replaces each member's term by renumber[term].
  void Renumber(const std::vector<LocalId>& renumber);

 private:
  std::vector<uint64_t> members_;
  std::vector<uint64_t> begin_;
  std::unordered_multimap<uint64_t, uint32_t> by_hash_;
};

struct ImageDraft {
  uint32_t version = kImageVersion;
  std::string settings;
  uint32_t terms[4] = {};  // numbers, dates, texts, symbols
  std::function<TermView(LocalId)> name;
  std::function<Hash128(LocalId)> id;

  // Facts ascending by (subject, relation, object), each once; rows are those of the symbols.
  std::vector<uint32_t> row_offsets;  // symbols + 1
  std::vector<LocalId> relation;      // a term, not yet dense
  std::vector<LocalId> object;
  std::vector<uint32_t> set;
  SourceSets sets;
  Sum256 digest;  // of the learned statements less that of the removed

  uint32_t all_terms() const { return terms[0] + terms[1] + terms[2] + terms[3]; }
  LocalId first_symbol() const { return all_terms() - terms[3]; }
};

// Where an image's bytes go: in order, but for the head (header and table), known last.
class ImageSink {
 public:
  virtual ~ImageSink() = default;
  virtual Result<void> Append(std::string_view bytes) = 0;
  virtual Result<void> SetHead(std::string_view bytes) = 0;  // replaces the first bytes
};

class StringSink : public ImageSink {
 public:
  Result<void> Append(std::string_view bytes) override;
  Result<void> SetHead(std::string_view bytes) override;
  std::string take() { return std::move(bytes_); }

 private:
  std::string bytes_;
};

// Writes a file through a buffer, in pieces of 2 MB at multiples of it: Linux then keeps the file
// in huge pages, where it and the file system can (6.18 with ext4 does), and maps them as such. To
// sync the file is the owner's business.
class FileSink : public ImageSink {
 public:
  explicit FileSink(WritableFile* file) : file_(file) {}
  Result<void> Append(std::string_view bytes) override;
  Result<void> SetHead(std::string_view bytes) override;
  Result<void> Flush();  // at the end

 private:
  static constexpr size_t kWholeBytes = size_t{2} << 20;

  WritableFile* file_;
  std::string buffer_;
  uint64_t written_ = 0;
};

Result<void> WriteImage(const ImageDraft& draft, ImageSink* sink);

}  // namespace loci
