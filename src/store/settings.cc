// SPDX-License-Identifier: Apache-2.0
#include "store/settings.h"

#include <fmt/format.h>

#include <charconv>

#include "base/unicode.h"
#include "text/stemmer.h"

namespace loci {
namespace {

using Type = SettingInfo::Type;

constexpr SettingInfo kTable[] = {
    {kSlowQuerySetting, Type::kCount, "100", false, false,
     "milliseconds from which on a query is slow"},
    {kStemmerSetting, Type::kLanguage, kDefaultStemmer, false, true,
     "language whose forms of a word are one"},
    {kUnicodeSetting, Type::kText, "", true, true,
     "Unicode that names are normalized by; see upgrade"},
};

constexpr uint64_t kMaxCount = uint64_t{1} << 53;  // exact in every JSON reader

}  // namespace

std::span<const SettingInfo> KnownSettings() {
  return kTable;
}

const SettingInfo* FindSetting(std::string_view key) {
  for (const SettingInfo& info : kTable) {
    if (info.key == key) return &info;
  }
  return nullptr;
}

Result<std::string> CheckSetting(const SettingInfo& info, std::string_view value) {
  if (info.read_only) {
    return Error{ErrorKind::kUsage,
                 fmt::format("{} cannot be set: it is the {}", info.key, info.meaning)};
  }
  if (info.type == Type::kLanguage) {
    LOCI_TRY(Stemmer::Make(value));
    return std::string(value);
  }
  uint64_t count = 0;
  const char* const end = value.data() + value.size();
  const auto [stop, code] = std::from_chars(value.data(), end, count);
  if (value.empty() || code != std::errc() || stop != end || count > kMaxCount) {
    return Error{ErrorKind::kUsage,
                 fmt::format("{} takes a whole number from 0, not '{}'", info.key, Excerpt(value))};
  }
  return std::to_string(count);
}

bool ShapesImages(std::string_view key) {
  const SettingInfo* const info = FindSetting(key);
  return info == nullptr || info->shapes_images;
}

Settings EffectiveSettings(const Settings& given) {
  Settings settings = given;
  for (const SettingInfo& info : kTable) {
    if (!info.fallback.empty()) settings.emplace(info.key, info.fallback);
  }
  return settings;
}

uint64_t CountSetting(const Settings& given, std::string_view key) {
  const auto found = given.find(std::string(key));
  const std::string_view value = found != given.end() ? found->second : FindSetting(key)->fallback;
  uint64_t count = 0;
  std::from_chars(value.data(), value.data() + value.size(), count);
  return count;
}

}  // namespace loci
