// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

#include "config/topology_file.hpp"
#include "rhino/error.hpp"
#include "temporary_file.hpp"

/// Texts of topologies.
namespace rhino::config {

/// What is said of a topology that is refused.
inline std::string refused(const std::string& text, std::int64_t num_hosts = 0) {
  const TemporaryFile file(text);
  try {
    read_topology(file.path(), num_hosts);
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

/// Four hosts of eight devices, with what the text adds.
inline std::string switched(const std::string& more) {
  return R"(name: four
source: a test
hosts: 4
devices_per_host: 8
interfaces_per_host: 4
device: {name: A100, memory_bytes: 80e9, memory_bytes_per_s: 2e12, peak_flops: {bf16: 312e12}}
links: {intra_host: {bytes_per_s: 200e9, latency_s: 1e-6}, inter_host: {bytes_per_s: 12e9, latency_s: 5e-6}}
)" + more;
}

/// A host of two devices, and two of four.
inline constexpr const char* kClasses = R"(name: mixed
source: a test
classes:
  - hosts: 1
    devices_per_host: 2
    device: {name: A100, memory_bytes: 80e9, memory_bytes_per_s: 2e12, peak_flops: {bf16: 312e12}}
    links: {intra_host: {bytes_per_s: 200e9, latency_s: 1e-6}, inter_host: {bytes_per_s: 12e9, latency_s: 5e-6}}
  - hosts: 2
    devices_per_host: 4
    interfaces_per_host: 2
    device: {name: V100, memory_bytes: 16e9, memory_bytes_per_s: 9e11, peak_flops: {f16: 125e12}}
    links: {intra_host: {bytes_per_s: 80e9, latency_s: 2e-6}, inter_host: {bytes_per_s: 1e9, latency_s: 30e-6}}
)";

}  // namespace rhino::config
