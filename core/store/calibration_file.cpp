// SPDX-License-Identifier: Apache-2.0
#include "store/calibration_file.hpp"

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>

#include "ir/op_info.hpp"
#include "rhino/error.hpp"

namespace rhino::store {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

constexpr int kVersion = 2;

fs::path cache_folder() {
  if (const char* cache = std::getenv("XDG_CACHE_HOME")) return fs::path(cache) / "rhino-bench";
  if (const char* home = std::getenv("HOME")) return fs::path(home) / ".cache" / "rhino-bench";
  return fs::temp_directory_path() / "rhino-bench";
}

}  // namespace

std::string calibration_path(const std::string& fingerprint) {
  return (cache_folder() / ("calibration-" + fingerprint + ".json")).string();
}

std::string encode(const cost::Calibration& c) {
  Json dots = Json::array(), elements = Json::object();
  for (const cost::Calibration::Dot& dot : c.dots)
    dots.push_back({dot.batch, dot.m, dot.n, dot.k, dot.seconds});
  for (const auto& [kind, seconds] : c.element_s)
    elements[std::string(ir::op_name(kind))] = seconds;
  const Json json = {
      {"version", kVersion},
      {"fingerprint", c.fingerprint},
      {"dots", dots},
      {"element_s", elements},
      {"memory_bytes_per_s", c.memory_bytes_per_s},
      {"kernel_latency_s", c.kernel_latency_s},
      {"copy_bytes_per_s", c.copy_bytes_per_s},
      {"link", {c.intra_host.bytes_per_s, c.intra_host.latency_s}},
      {"network", {c.inter_host.bytes_per_s, c.inter_host.latency_s, c.inter_host.burst_bytes}},
      {"reduce_bytes_per_s", c.reduce_bytes_per_s},
      {"peak_flops", c.peak_flops},
      {"peak_bytes_per_s", c.peak_bytes_per_s},
      {"peak_link_bytes_per_s", c.peak_link_bytes_per_s}};
  return json.dump(1);
}

cost::Calibration decode_calibration(const std::string& text) {
  try {
    const Json json = Json::parse(text);
    if (json.at("version") != kVersion) throw Error("calibration of another version");
    cost::Calibration c;
    c.fingerprint = json.at("fingerprint");
    for (const Json& dot : json.at("dots"))
      c.dots.push_back({dot.at(0), dot.at(1), dot.at(2), dot.at(3), dot.at(4)});
    for (const auto& [name, seconds] : json.at("element_s").items()) {
      if (const std::optional<OpKind> kind = ir::op_from_name(name)) c.element_s[*kind] = seconds;
    }
    c.memory_bytes_per_s = json.at("memory_bytes_per_s");
    c.kernel_latency_s = json.at("kernel_latency_s");
    c.copy_bytes_per_s = json.at("copy_bytes_per_s");
    c.intra_host = {json.at("link").at(0), json.at("link").at(1)};
    const Json& network = json.at("network");
    c.inter_host = {network.at(0), network.at(1), network.at(2)};
    c.reduce_bytes_per_s = json.at("reduce_bytes_per_s");
    c.peak_flops = json.at("peak_flops");
    c.peak_bytes_per_s = json.at("peak_bytes_per_s");
    c.peak_link_bytes_per_s = json.at("peak_link_bytes_per_s");
    return c;
  } catch (const Json::exception& error) {
    throw Error(std::string("torn calibration: ") + error.what());
  }
}

std::optional<cost::Calibration> load_calibration(const std::string& fingerprint) {
  std::ifstream stream(calibration_path(fingerprint));
  if (!stream) return std::nullopt;
  try {
    const cost::Calibration calibration =
        decode_calibration({std::istreambuf_iterator<char>(stream), {}});
    if (calibration.fingerprint == fingerprint) return calibration;
  } catch (const Error&) {
    // A torn cache is measured again.
  }
  return std::nullopt;
}

void save_calibration(const cost::Calibration& calibration) {
  const fs::path path = calibration_path(calibration.fingerprint);
  std::error_code error;
  fs::create_directories(path.parent_path(), error);
  const fs::path fresh = path.string() + ".new";
  { std::ofstream(fresh) << encode(calibration) << "\n"; }
  fs::rename(fresh, path, error);
}

}  // namespace rhino::store
