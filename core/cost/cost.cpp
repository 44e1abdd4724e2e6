// SPDX-License-Identifier: Apache-2.0
#include "cost/cost.hpp"

#include <algorithm>
#include <set>

#include "ir/op_info.hpp"
#include "rhino/index.hpp"

namespace rhino::cost {

CostModel::CostModel(const Cluster& cluster, const Calibration* calibration)
    : cluster_(cluster), links_(cluster_), calibration_(calibration) {
  // Beyond a core's own cache, within the one that all share.
  constexpr double kUsualReuse = 16e6, kUsualReuse_s = 2e-3;
  if (knows_reach()) usual_ = reach_at(*calibration_, kUsualReuse, kUsualReuse_s);
}

double CostModel::message_s(double bytes, DeviceId from, DeviceId to) const {
  if (from == to) return 0;
  const Link link = cluster_.link(from, to);
  return link.latency_s + bytes / link.bytes_per_s;
}

double CostModel::adding_s(OpKind kind, double bytes, std::size_t size) const {
  if (calibration_ == nullptr || calibration_->reduce_bytes_per_s <= 0) return 0;
  if (kind != OpKind::all_reduce && kind != OpKind::reduce_scatter) return 0;
  return bytes * static_cast<double>(size - 1) / static_cast<double>(size) /
         calibration_->reduce_bytes_per_s;
}

double CostModel::core_s(const CollectiveProblem& problem) const {
  if (calibration_ == nullptr) return 0;
  double seconds = 0;  // a message loads a link at either end
  for (const CollectiveFlow::Load& load : collective_flow(problem, cluster_, links_).loads) {
    const double rate = links_.bytes_per_s()[static_cast<std::size_t>(load.link)];
    seconds += load.bytes / 2 *
               (links_.is_inside(load.link) ? 1 / rate : calibration_->network_beside_s_per_byte);
  }
  const std::size_t size = problem.group.size();
  return adding_s(problem.kind, problem.bytes, size) + seconds / static_cast<double>(size);
}

CollectiveFlow CostModel::flow(OpKind kind, double bytes,
                               const std::vector<DeviceId>& group) const {
  CollectiveFlow flow = collective_flow({kind, bytes, group}, cluster_, links_);
  if (group.size() > 1) flow.latency_s += adding_s(kind, bytes, group.size());
  return flow;
}

double CostModel::collective_s(OpKind kind, double bytes, const std::vector<DeviceId>& group,
                               std::int32_t num_sharing) const {
  const CollectiveFlow flow = this->flow(kind, bytes, group);
  double seconds = 0;
  for (const CollectiveFlow::Load& load : flow.loads) {
    const double sharing = links_.is_inside(load.link) ? 1 : num_sharing;
    seconds = std::max(
        seconds, sharing * load.bytes / links_.bytes_per_s()[static_cast<std::size_t>(load.link)]);
  }
  return flow.latency_s + seconds;
}

std::int32_t groups_per_interface(const std::vector<std::vector<DeviceId>>& groups,
                                  const Cluster& cluster) {
  using Interface = std::pair<std::int32_t, std::int32_t>;  // host and number
  std::map<Interface, std::int32_t> count;
  std::int32_t most = 1;
  for (const std::vector<DeviceId>& group : groups) {
    std::set<std::int32_t> hosts;
    std::set<Interface> interfaces;
    for (const DeviceId device : group) {
      const std::int32_t host = cluster.host_of[static_cast<std::size_t>(device)];
      hosts.insert(host);
      interfaces.insert({host, cluster.interface_of(device)});
    }
    if (hosts.size() < 2) continue;
    for (const Interface& interface : interfaces) most = std::max(most, ++count[interface]);
  }
  return most;
}

void apply(const Calibration& calibration, Cluster& cluster) {
  if (calibration.intra_host.bytes_per_s > 0) cluster.intra_host = calibration.intra_host;
  if (calibration.inter_host.bytes_per_s > 0) cluster.inter_host = calibration.inter_host;
  if (!calibration.collective_shares.empty())
    cluster.collective_shares.any = calibration.collective_shares;
  if (!calibration.shares_of_kind.empty())
    cluster.collective_shares.of_kind = calibration.shares_of_kind;
  for (DeviceModel& model : cluster.models) {
    if (calibration.peak_flops > 0)
      model.peak_flops = {{DType::f32, calibration.peak_flops},
                          {DType::f64, calibration.peak_flops / 2}};
    for (const auto& [dtype, narrow] : calibration.narrow_dots)
      model.peak_flops[dtype] = std::max(narrow.peak_flops, calibration.peak_flops);
    if (calibration.memory_bytes_per_s > 0)
      model.memory_bytes_per_s = calibration.memory_bytes_per_s;
    if (calibration.kernel_latency_s > 0) model.kernel_latency_s = calibration.kernel_latency_s;
  }
  cluster.source = cluster.is_emulated() ? "emulated; calibrated" : "discovered; calibrated";
}

}  // namespace rhino::cost
