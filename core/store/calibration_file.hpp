// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>

#include "cost/cost.hpp"

namespace rhino::store {

/// Calibrations are kept per machine fingerprint in the user's cache folder ($XDG_CACHE_HOME or
/// ~/.cache, then rhino-bench).
std::string calibration_path(const std::string& fingerprint);

/// The cached calibration of that fingerprint; nullopt where there is none or it cannot be read (it
/// is then measured again).
std::optional<cost::Calibration> load_calibration(const std::string& fingerprint);
/// Keeps it; a cache that cannot be written is no error.
void save_calibration(const cost::Calibration& calibration);

std::string encode(const cost::Calibration& calibration);
cost::Calibration decode_calibration(const std::string& text);

}  // namespace rhino::store
