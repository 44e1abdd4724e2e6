// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <limits>
#include <optional>
#include <string>

#include "cost/cost.hpp"

namespace rhino::store {

/// The user's cache folder ($XDG_CACHE_HOME or ~/.cache, then rhino-bench).
std::string cache_folder();

/// The calibration of that fingerprint that was kept in `folder`; nullopt where there is none, it
/// cannot be read, or it is older than that (it is then measured again).
std::optional<cost::Calibration> load_calibration(
    const std::string& fingerprint, const std::string& folder = cache_folder(),
    double most_age_s = std::numeric_limits<double>::infinity());
/// What a shared machine reaches drifts: by a fifth within hours has been seen.
inline constexpr double kMostCalibrationAge_s = 3600;
/// Seconds since it was kept; infinite where there is none.
double calibration_age_s(const std::string& fingerprint,
                         const std::string& folder = cache_folder());
/// Keeps it; a folder that cannot be written is no error.
void save_calibration(const cost::Calibration& calibration,
                      const std::string& folder = cache_folder());

std::string encode(const cost::Calibration& calibration);
cost::Calibration decode_calibration(const std::string& text);

}  // namespace rhino::store
