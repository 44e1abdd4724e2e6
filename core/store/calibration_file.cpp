// SPDX-License-Identifier: Apache-2.0
#include "store/calibration_file.hpp"

#include <unistd.h>

#include <chrono>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <limits>

#include "codec/cache_folder.hpp"
#include "codec/json.hpp"
#include "codec/text_file.hpp"
#include "cost/calibration_fields.hpp"
#include "ir/op_info.hpp"
#include "rhino/error.hpp"

namespace rhino::store {
namespace {

namespace fs = std::filesystem;

constexpr int kVersion = 3;

struct CalibrationStyle {
  using Tables = std::tuple<>;
  static constexpr bool kObjects = true;
  static std::string_view word(OpKind kind) { return ir::op_name(kind); }
  static std::string_view word(DType dtype) { return dtype_name(dtype); }
};

fs::path path_in(const std::string& folder, const std::string& fingerprint) {
  return fs::path(folder) / ("calibration-" + fingerprint + ".json");
}

/// Hosts that share a home must not write one file together: a name that no other process has.
std::string this_writer() {
  char host[256] = {};
  gethostname(host, sizeof host - 1);
  return std::string(host) + "-" + std::to_string(getpid()) + ".new";
}

}  // namespace

std::string cache_folder() { return codec::cache_folder(); }

std::string encode(const cost::Calibration& calibration) {
  return "{\"version\":" + std::to_string(kVersion) + ",\n" +
         codec::JsonWriter<CalibrationStyle>().text(calibration).substr(1);
}

cost::Calibration decode_calibration(const std::string& text) {
  const codec::JsonText json(text, "torn calibration");
  if (json.root().at("version").whole() != kVersion) throw Error("calibration of another version");
  return codec::JsonReader<CalibrationStyle>().read<cost::Calibration>(json.root());
}

double calibration_age_s(const std::string& fingerprint, const std::string& folder) {
  std::error_code unknown;
  const auto written = fs::last_write_time(path_in(folder, fingerprint), unknown);
  if (unknown) return std::numeric_limits<double>::infinity();
  return std::chrono::duration<double>(fs::file_time_type::clock::now() - written).count();
}

std::optional<cost::Calibration> load_calibration(const std::string& fingerprint,
                                                  const std::string& folder, double most_age_s) {
  const double age_s = calibration_age_s(fingerprint, folder);
  if (std::isinf(age_s) || age_s > most_age_s) return std::nullopt;
  try {
    const cost::Calibration calibration =
        decode_calibration(codec::read_file(path_in(folder, fingerprint)));
    if (calibration.fingerprint == fingerprint) return calibration;
  } catch (const Error&) {
    // What is not there, or torn, is measured again.
  }
  return std::nullopt;
}

void save_calibration(const cost::Calibration& calibration, const std::string& folder) {
  const fs::path path = path_in(folder, calibration.fingerprint);
  std::error_code error;
  fs::create_directories(path.parent_path(), error);
  const fs::path fresh = path.string() + "." + this_writer();
  try {
    codec::write_file(fresh, encode(calibration) + "\n");
    fs::rename(fresh, path, error);
  } catch (const codec::OutputError&) {
    // The next run measures again.
  }
}

}  // namespace rhino::store
