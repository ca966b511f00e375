// SPDX-License-Identifier: Apache-2.0
//
// Settings: what a memory is told about itself, in CURRENT, the same for all who use it. One table
// names them all.
//
// A setting that shapes images is part of each image's bytes: to change it is to write every image
// anew. The others take effect at the next operation of every process.
#pragma once

#include <map>
#include <span>
#include <string>
#include <string_view>

#include "loci/result.h"

namespace loci {

using Settings = std::map<std::string, std::string>;  // by key

inline constexpr char kUnicodeSetting[] = "unicode";
inline constexpr char kSlowQuerySetting[] = "slow_query_ms";
inline constexpr char kStemmerSetting[] = "stemmer";

struct SettingInfo {
  // kCount: a whole number from 0, in digits; kLanguage: one of text/stemmer.h.
  enum class Type { kText, kCount, kLanguage };
  std::string_view key;
  Type type;
  std::string_view fallback;  // holds where CURRENT says nothing
  bool read_only;             // not for users to set
  bool shapes_images;
  std::string_view meaning;  // one line for help
};

std::span<const SettingInfo> KnownSettings();
const SettingInfo* FindSetting(std::string_view key);

// The value in its one spelling ("007" is "7"), or why it cannot be one.
Result<std::string> CheckSetting(const SettingInfo& info, std::string_view value);

// A newer program's setting is taken for one that shapes images: theirs must stay what they are.
bool ShapesImages(std::string_view key);

// What holds: the given ones and, of those not given, the fallbacks that are not empty.
Settings EffectiveSettings(const Settings& given);

// The value of a kCount setting.
uint64_t CountSetting(const Settings& given, std::string_view key);

}  // namespace loci
