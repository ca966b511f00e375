// SPDX-License-Identifier: Apache-2.0
//
// Settings as JSON: counts are numbers, all else strings.
#pragma once

#include <nlohmann/json.hpp>

#include "store/settings.h"

namespace loci {

inline nlohmann::ordered_json SettingsJson(const Settings& settings) {
  auto json = nlohmann::ordered_json::object();
  for (const auto& [key, value] : settings) {
    const SettingInfo* const info = FindSetting(key);
    if (info != nullptr && info->type == SettingInfo::Type::kCount) {
      json[key] = CountSetting(settings, key);
    } else {
      json[key] = value;
    }
  }
  return json;
}

}  // namespace loci
