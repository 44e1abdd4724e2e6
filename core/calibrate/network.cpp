// SPDX-License-Identifier: Apache-2.0
#include "calibrate/network.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "calibrate/probe_plan.hpp"
#include "store/calibration_file.hpp"
#include "topology/discover.hpp"
#include "topology/emulated_hosts.hpp"

namespace rhino::calibrate {
namespace {

constexpr std::int64_t kSmallMessage = 8, kLargeMessage = 8 << 20;  // elements: 32 B, 32 MiB
constexpr double kTolerance = 0.05;

/// The first two hosts with at most two devices each, on which other cells' ranks would only idle.
Cluster two_hosts(const Cluster& cluster) {
  Cluster small = cluster;
  small.hosts.clear();
  small.host_of.clear();
  small.model_of.clear();
  for (std::size_t host = 0; host < 2; ++host) {
    small.hosts.push_back({cluster.hosts[host].name, {}});
    const std::size_t count = std::min<std::size_t>(2, cluster.hosts[host].devices.size());
    for (std::size_t i = 0; i < count; ++i) {
      small.hosts[host].devices.push_back(small.num_devices());
      small.host_of.push_back(static_cast<std::int32_t>(host));
      small.model_of.push_back(0);
    }
  }
  return small;
}

/// A message of any size takes latency + (bytes - what passes at once) / rate.
Link link_of(double small_s, double large_s, double burst_bytes) {
  const double bytes = 4.0 * kLargeMessage - burst_bytes;
  return {bytes / std::max(1e-9, large_s - small_s), small_s, burst_bytes};
}

}  // namespace

std::string network_fingerprint(const cost::Calibration& machine, const Cluster& cluster) {
  return fmt::format("{}-{:.0f}bit-{:.0f}b-{}", as_calm(machine.fingerprint),
                     cluster.emulated.rate_bits_per_s, cluster.emulated.burst_bytes,
                     std::min<std::size_t>(2, cluster.hosts.front().devices.size()));
}

cost::Calibration calibrate_network(const cost::Calibration& machine, const WorkerSetup& setup,
                                    const Cluster& cluster) {
  const std::string fingerprint = network_fingerprint(machine, cluster);
  if (std::optional<cost::Calibration> cached = store::load_calibration(fingerprint))
    return *cached;
  cost::Calibration result = machine;
  result.fingerprint = is_disturbed(machine) ? as_disturbed(fingerprint) : fingerprint;
  const Cluster small = two_hosts(cluster);
  const DeviceId far = small.hosts[1].devices.front();
  const bool has_neighbours = small.hosts.front().devices.size() > 1;
  ProbePlan probes(small);
  const std::size_t far_small = probes.add_message(0, far, kSmallMessage),
                    far_large = probes.add_message(0, far, kLargeMessage),
                    near_small = has_neighbours ? probes.add_message(0, 1, kSmallMessage) : 0,
                    near_large = has_neighbours ? probes.add_message(0, 1, kLargeMessage) : 0;
  runtime::SessionOptions options = setup.session;
  options.num_threads = 1;
  options.oversubscribed = small.num_devices() > topology::discover_machine().num_cores;
  const auto session = runtime::start_session(probes.finish(), options);
  const plan::StepTrace trace = session->run_steps(1, true);
  const auto typical = [&](std::size_t probe) { return probes.seconds(trace, probe).typical; };
  result.inter_host = link_of(typical(far_small), typical(far_large), cluster.emulated.burst_bytes);
  if (has_neighbours) {
    result.intra_host = link_of(typical(near_small), typical(near_large), 0);
    result.peak_link_bytes_per_s = 4.0 * kLargeMessage / probes.seconds(trace, near_large).best;
  }
  if (!is_disturbed(machine)) store::save_calibration(result);
  return result;
}

NetworkFinding judge_network(const cost::Calibration& calibration, const Cluster& cluster) {
  const double measured = calibration.inter_host.bytes_per_s;
  const double ratio = measured / topology::goodput_bytes_per_s(cluster.emulated) - 1;
  return {fmt::format("{:.1f} MB/s between hosts, {:.1f} % {} what its rate leaves", measured / 1e6,
                      100 * std::abs(ratio), ratio < 0 ? "below" : "above"),
          std::abs(ratio) > kTolerance};
}

}  // namespace rhino::calibrate
