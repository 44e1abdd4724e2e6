// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "lower/lower.hpp"
#include "rhino/cluster.hpp"

namespace rhino {

/// What a calibration run of one machine found, per device (a worker with its share of the cores). Rates are medians.
struct Calibration {
  std::string fingerprint;  ///< of processor, core count, threads per device, library versions
  struct Dot {
    std::int64_t batch = 1, m = 0, n = 0, k = 0;
    double seconds = 0;
    bool operator==(const Dot&) const = default;
  };
  std::vector<Dot> dots;                       ///< over a grid of shapes
  std::map<OpKind, double> element_s;          ///< seconds per element of an op inside a fused loop, cache-resident
  double memory_bytes_per_s = 0;               ///< of a fused loop that streams
  double kernel_latency_s = 0;                 ///< of one kernel on one element
  double copy_bytes_per_s = 0;                 ///< memcpy, large
  Link intra_host;                             ///< measured transport between two workers
  double reduce_bytes_per_s = 0;               ///< summing a received buffer into one's own
  bool operator==(const Calibration&) const = default;
};

/// Prices kernels, collectives and transfers on a cluster: calibrated where a calibration is given, else rooflines of the device models.
class CostModel {
 public:
  explicit CostModel(const Cluster& cluster, const Calibration* calibration = nullptr);

  /// Seconds of one kernel group / of all groups one after the other on a device of model `model`.
  double group_s(const LoweredProgram& lowered, const KernelGroup& group, std::int32_t model = 0) const;
  double program_s(const LoweredProgram& lowered, std::int32_t model = 0) const;
  double dot_s(DType dtype, std::int64_t batch, std::int64_t m, std::int64_t n, std::int64_t k, std::int32_t model = 0) const;

  /// Ring collectives: alpha-beta per axis; `bytes` as in CollectiveAttr's operand on one device.
  double collective_s(OpKind kind, double bytes, const std::vector<DeviceId>& group) const;
  /// One message alone on the network.
  double message_s(double bytes, DeviceId from, DeviceId to) const;
  const Link& link(DeviceId a, DeviceId b) const;
  const Cluster& cluster() const { return cluster_; }

 private:
  Cluster cluster_;
  const Calibration* calibration_;
};

}  // namespace rhino
