// SPDX-License-Identifier: Apache-2.0
#include "calibrate/network.hpp"

#include <fmt/core.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>

#include "calibrate/probe_plan.hpp"
#include "calibrate/probes.hpp"
#include "plan/send_order.hpp"
#include "plan/single_communication.hpp"
#include "rhino/index.hpp"
#include "store/calibration_file.hpp"
#include "topology/discover.hpp"
#include "topology/emulated_hosts.hpp"
#include "topology/other_work.hpp"

namespace rhino::calibrate {
namespace {

constexpr std::int64_t kShortMessage = 8, kLongMessage = 8 << 20;  // elements: 32 B, 32 MiB
/// Between hosts of agents, all pairs of which have buffers at a time: 8 MiB.
constexpr std::int64_t kLinkMessage = 2 << 20;
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

/// One device of each host.
Cluster single_devices(const Cluster& cluster) {
  Cluster small = cluster;
  small.own_links.clear();
  small.host_of.clear();
  small.model_of.clear();
  for (std::size_t host = 0; host < small.hosts.size(); ++host) {
    small.hosts[host].devices = {small.num_devices()};
    small.host_of.push_back(static_cast<std::int32_t>(host));
    small.model_of.push_back(0);
  }
  return small;
}

/// CPU time of the machine for 32 MiB from one host to the other in so many messages. Ranks sleep
/// where they wait, as where there are more of them than cores.
double cpu_s(runtime::SessionOptions options, const Cluster& cluster, std::int64_t num_messages) {
  constexpr int kSteps = 4;
  const DeviceId to = cluster.hosts[1].devices.front();
  const ShardingSpec whole{{{}}, {}};
  const ReshardProblem problem{
      {{{DType::f32, {kLongMessage}}, {{{"x", 1}}, {0}}, whole, {{{{{"x", 1}}, {to}}, whole}}}},
      cluster};
  TransferPlan transfers;
  const std::int64_t length = kLongMessage / num_messages;
  for (std::int64_t m = 0; m < num_messages; ++m)
    transfers.ops.push_back({0, Copy{0, to, {{m * length}, {length}}}, {}});
  options.oversubscribed = true;
  const auto session = runtime::start_session(plan::reshard_plan(problem, transfers), options);
  session->run_steps(1, false);
  const topology::CpuTime before = topology::cpu_time(getpid());
  session->run_steps(kSteps, false);
  const topology::CpuTime after = topology::cpu_time(getpid());
  return (after.own_s - before.own_s + after.interrupts_s - before.interrupts_s) / kSteps;
}

void calibrate_cpu(const runtime::SessionOptions& options, const Cluster& cluster,
                   cost::Calibration& calibration) {
  constexpr std::int64_t kManyMessages = 512, kPieces = 4 * kLongMessage / plan::kPieceBytes;
  const double one_s = cpu_s(options, cluster, 1), many_s = cpu_s(options, cluster, kManyMessages);
  const double per_piece = std::max(0.0, many_s - one_s) / (kManyMessages - kPieces);
  calibration.network_cpu_s_per_piece = per_piece;
  calibration.network_cpu_s_per_byte =
      std::max(0.0, one_s - kPieces * per_piece) / (4.0 * kLongMessage);
}

/// A worker each computes alone, and beside an all-reduce of both: longer by what its core does for
/// that, and by what comes late from memory while this goes through its caches. Products and sums,
/// of what is near and of what is far. Not measured where workers have no core each.
double beside_s_per_byte(runtime::SessionOptions options, const Cluster& cluster,
                         const Link& link) {
  constexpr std::size_t kNumTurns = 10;
  constexpr double kTimes = 2.5;  // as long as these take alone, the all-reduce does
  const Cluster two = single_devices(cluster);
  if (topology::discover_machine().num_cores < two.num_devices()) return 0;
  options.num_threads = 1;
  options.oversubscribed = false;
  const std::vector<Probe> kinds{dot_probe({1, 256, 1024, 1024, 0}, DType::f32),
                                 dot_probe({1, 320, 320, 320, 0}, DType::f32), sum_probe(4 << 20),
                                 update_probe(1 << 20)};
  const auto runs_s = [&](double bytes) {
    ProbePlan probes(two);
    const std::size_t number =
        probes.add_runs_beside(kinds, kNumTurns, static_cast<std::int64_t>(bytes / 4));
    const auto session = runtime::start_session(probes.finish(), options);
    return probes.seconds(session->run_steps(1, true), number).typical;
  };
  const double alone_s = runs_s(0), beside_s = runs_s(kTimes * alone_s * link.bytes_per_s);
  return std::max(0.0, 1 - alone_s / beside_s) / link.bytes_per_s;
}

/// A message of any size takes latency + (bytes - what passes at once) / rate.
Link link_of(double small_s, double large_s, double burst_bytes,
             std::int64_t large_elements = kLongMessage) {
  const double bytes = 4.0 * static_cast<double>(large_elements) - burst_bytes;
  return {bytes / std::max(1e-9, large_s - small_s), small_s, burst_bytes};
}

}  // namespace

std::string network_fingerprint(const cost::Calibration& machine, const Cluster& cluster) {
  return fmt::format("{}-{:.0f}bit-{:.0f}b-{}-beside", as_calm(machine.fingerprint),
                     cluster.emulated.rate_bits_per_s, cluster.emulated.burst_bytes,
                     std::min<std::size_t>(2, cluster.hosts.front().devices.size()));
}

cost::Calibration with_network(const cost::Calibration& machine, const cost::Calibration& network) {
  cost::Calibration both = machine;
  both.fingerprint = is_disturbed(machine) && !is_disturbed(network)
                         ? as_disturbed(network.fingerprint)
                         : network.fingerprint;
  both.intra_host = network.intra_host;
  both.inter_host = network.inter_host;
  both.network_cpu_s_per_byte = network.network_cpu_s_per_byte;
  both.network_cpu_s_per_piece = network.network_cpu_s_per_piece;
  both.network_beside_s_per_byte = network.network_beside_s_per_byte;
  return both;
}

cost::Calibration calibrate_network(const cost::Calibration& machine, const WorkerSetup& setup,
                                    const Cluster& cluster) {
  const std::string fingerprint = network_fingerprint(machine, cluster);
  if (const std::optional<cost::Calibration> cached =
          store::load_calibration(fingerprint, store::cache_folder(), store::kMostCalibrationAge_s))
    return with_network(machine, *cached);
  cost::Calibration result = machine;
  result.fingerprint = is_disturbed(machine) ? as_disturbed(fingerprint) : fingerprint;
  const Cluster small = two_hosts(cluster);
  const DeviceId far = small.hosts[1].devices.front();
  const bool has_neighbours = small.hosts.front().devices.size() > 1;
  ProbePlan probes(small);
  const std::size_t far_small = probes.add_message(0, far, kShortMessage),
                    far_large = probes.add_message(0, far, kLongMessage),
                    near_small = has_neighbours ? probes.add_message(0, 1, kShortMessage) : 0,
                    near_large = has_neighbours ? probes.add_message(0, 1, kLongMessage) : 0;
  runtime::SessionOptions options = setup.session;
  options.num_threads = 1;
  options.oversubscribed = small.num_devices() > topology::discover_machine().num_cores;
  const auto session = runtime::start_session(probes.finish(), options);
  const plan::StepTrace trace = session->run_steps(1, true);
  const auto typical = [&](std::size_t probe) { return probes.seconds(trace, probe).typical; };
  result.inter_host = link_of(typical(far_small), typical(far_large), cluster.emulated.burst_bytes);
  if (has_neighbours) result.intra_host = link_of(typical(near_small), typical(near_large), 0);
  calibrate_cpu(options, small, result);
  result.network_beside_s_per_byte = beside_s_per_byte(setup.session, small, result.inter_host);
  if (!is_disturbed(machine)) store::save_calibration(result);
  return result;
}

/// All where hosts are few, else a ring.
static std::vector<HostPair> pairs_of(std::int32_t num_hosts) {
  constexpr std::int32_t kFew = 6;
  std::vector<HostPair> pairs;
  for (std::int32_t a = 0; a < num_hosts; ++a) {
    for (std::int32_t b = a + 1; b < num_hosts; ++b) {
      const bool are_neighbours = b == a + 1 || (a == 0 && b == num_hosts - 1);
      if (num_hosts <= kFew || are_neighbours) pairs.push_back({a, b, {}});
    }
  }
  return pairs;
}

/// The lower one of two.
static Link median_of(std::vector<Link> links) {
  std::ranges::sort(links, {}, &Link::bytes_per_s);
  return links[(links.size() - 1) / 2];
}

HostLinks links_of(const std::vector<HostPair>& pairs, std::int32_t num_hosts) {
  constexpr double kAlike = 0.15;
  std::vector<Link> quickest(at(num_hosts));  // of a host
  for (const HostPair& pair : pairs) {
    for (const std::int32_t host : {pair.a, pair.b}) {
      Link& most = quickest[at(host)];
      if (pair.link.bytes_per_s > most.bytes_per_s) most = pair.link;
    }
  }
  const double typical_bytes_per_s = median_of(quickest).bytes_per_s;
  const auto is_slow = [&](std::int32_t host) {
    return quickest[at(host)].bytes_per_s < (1 - kAlike) * typical_bytes_per_s;
  };
  std::vector<Link> typical;
  for (const HostPair& pair : pairs) {
    if (!is_slow(pair.a) && !is_slow(pair.b)) typical.push_back(pair.link);
  }
  HostLinks links{median_of(typical), std::vector<Link>(at(num_hosts)), {}};
  for (std::int32_t host = 0; host < num_hosts; ++host) {
    if (is_slow(host)) links.interfaces[at(host)] = quickest[at(host)];
  }
  for (const HostPair& pair : pairs) {
    double expected = links.typical.bytes_per_s;
    for (const std::int32_t host : {pair.a, pair.b}) {
      if (is_slow(host)) expected = std::min(expected, quickest[at(host)].bytes_per_s);
    }
    if (std::abs(pair.link.bytes_per_s / expected - 1) > kAlike)
      links.own_links.push_back(
          {.between_hosts = true, .a = pair.a, .b = pair.b, .link = pair.link});
  }
  return links;
}

HostLinks measure_links(const WorkerSetup& setup, const Cluster& cluster) {
  const Cluster small = single_devices(cluster);
  std::vector<HostPair> pairs = pairs_of(small.num_devices());
  ProbePlan probes(small);
  std::vector<std::pair<std::size_t, std::size_t>> numbers;
  for (const HostPair& pair : pairs)
    numbers.emplace_back(probes.add_message(pair.a, pair.b, kShortMessage),
                         probes.add_message(pair.a, pair.b, kLinkMessage));
  runtime::SessionOptions options = setup.session;
  options.num_threads = 1;
  options.oversubscribed = true;
  const plan::StepTrace trace =
      runtime::start_session(probes.finish(), options)->run_steps(1, true);
  for (std::size_t i = 0; i < pairs.size(); ++i)
    pairs[i].link = link_of(probes.seconds(trace, numbers[i].first).typical,
                            probes.seconds(trace, numbers[i].second).typical, 0, kLinkMessage);
  return links_of(pairs, small.num_devices());
}

NetworkFinding judge_network(const cost::Calibration& calibration, const Cluster& cluster) {
  const double measured = calibration.inter_host.bytes_per_s;
  const double ratio = measured / topology::goodput_bytes_per_s(cluster.emulated) - 1;
  return {fmt::format("{:.1f} MB/s between hosts, {:.1f} % {} what its rate leaves", measured / 1e6,
                      100 * std::abs(ratio), ratio < 0 ? "below" : "above"),
          std::abs(ratio) > kTolerance};
}

}  // namespace rhino::calibrate
