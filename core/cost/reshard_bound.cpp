// SPDX-License-Identifier: Apache-2.0
#include "cost/reshard_bound.hpp"

#include <algorithm>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "cost/links.hpp"
#include "cost/tightest_set.hpp"
#include "rhino/index.hpp"
#include "rhino/set_table.hpp"
#include "rhino/slices.hpp"

namespace rhino::cost {
namespace {

using Members = SetTable::Members;

/// What slices demand of nodes that exchange them through one full-duplex link each
/// (reshard_bound.md, section 2).
class RelayLoads {
 public:
  /// `bytes` that `holders` have and `takers` (others, at least one) lack.
  void add(std::int64_t bytes, std::int32_t holders, std::int32_t takers, SetTable& sets) {
    const std::int64_t num_takers = std::ssize(sets.members(takers));
    entering_[takers] += bytes;
    shared_[holders] += bytes;
    if (num_takers > 1) shared_[sets.unite(holders, takers)] += (num_takers - 1) * bytes;
    crossing_bytes_ += num_takers * bytes;
  }

  std::int64_t crossing_bytes() const { return crossing_bytes_; }

  /// The node that most bytes must enter.
  TightestSet ingress(const SetTable& sets, std::int32_t num_nodes) const {
    std::vector<std::int64_t> bytes(at(num_nodes), 0);
    for (const auto& [takers, amount] : entering_) {
      for (const std::int32_t node : sets.members(takers)) bytes[at(node)] += amount;
    }
    const auto most = std::max_element(bytes.begin(), bytes.end());
    return {*most, {static_cast<std::int32_t>(most - bytes.begin())}};
  }

  /// The set of nodes that must send most for its size.
  TightestSet egress(const SetTable& sets, std::int32_t num_nodes) const {
    std::vector<SharedWork> works;
    for (const auto& [nodes, amount] : shared_) works.push_back({amount, sets.members(nodes)});
    return tightest_set(works, num_nodes);
  }

 private:
  std::map<std::int32_t, std::int64_t> entering_;  ///< by the set of takers
  std::map<std::int32_t, std::int64_t> shared_;    ///< by the set that may send
  std::int64_t crossing_bytes_ = 0;
};

/// Seconds until `bytes` have passed `num_links` links of this kind.
double pass_s(const Link& link, std::int64_t bytes, std::size_t num_links) {
  const auto links = static_cast<double>(num_links);
  const double limited = static_cast<double>(bytes) - links * link.burst_bytes;
  return link.latency_s + std::max(0.0, limited) / (links * link.bytes_per_s);
}

std::string named(const std::string& noun, const Members& members) {
  constexpr std::size_t kMostNames = 8;
  std::string text = noun + (members.size() == 1 ? " " : "s ");
  for (std::size_t i = 0; i < std::min(members.size(), kMostNames); ++i)
    text += (i == 0 ? "" : ", ") + std::to_string(members[i]);
  if (members.size() > kMostNames)
    text += " and " + std::to_string(members.size() - kMostNames) + " more";
  return text;
}

/// Walks all slices of a problem and adds up what each must cost.
class Demands {
 public:
  explicit Demands(const ReshardProblem& problem)
      : cluster_(problem.cluster),
        out_of_hosts_(widest_link_out(cluster_)),
        of_devices_(widest_device_link(cluster_)),
        needed_(cluster_.host_of.size(), 0),
        remote_(hosts(), false) {
    for (const ReshardTensor& tensor : problem.tensors) add(tensor);
  }

  ReshardBound bound() {
    ReshardBound bound;
    bound.crossing_bytes = between_hosts_.crossing_bytes();
    if (bound.crossing_bytes > 0) {
      const auto num_hosts = static_cast<std::int32_t>(hosts());
      note("ingress of ", "host", between_hosts_.ingress(host_sets_, num_hosts), out_of_hosts_);
      note("egress of ", "host", between_hosts_.egress(host_sets_, num_hosts), out_of_hosts_);
    }
    for (auto& [host, loads] : inside_) {
      note("link into ", "device", loads.ingress(device_sets_, cluster_.num_devices()),
           of_devices_);
      note("links out of ", "device", loads.egress(device_sets_, cluster_.num_devices()),
           of_devices_);
    }
    for (std::size_t host = 0; host < hosts(); ++host) note_devices(host);
    for (auto& [place, term] : terms_)
      bound.terms.push_back({place + term.what, term.seconds, term.bytes});
    std::stable_sort(bound.terms.begin(), bound.terms.end(),
                     [](const auto& a, const auto& b) { return a.seconds > b.seconds; });
    bound.what = bound.terms.empty() ? "nothing moves" : bound.terms.front().what;
    bound.seconds = bound.terms.empty() ? 0 : bound.terms.front().seconds;
    return bound;
  }

 private:
  /// Hosts and devices of the tiles of one side, as sets.
  struct Side {
    std::vector<std::int32_t> hosts, devices;
    std::vector<std::int64_t> tile_of;  ///< per device; -1: not of this mesh
  };

  std::size_t hosts() const {
    std::int32_t count = static_cast<std::int32_t>(cluster_.hosts.size());
    for (const std::int32_t host : cluster_.host_of) count = std::max(count, host + 1);
    return at(count);
  }

  Side describe(const TileHolders& holders) {
    Side side{{}, {}, std::vector<std::int64_t>(cluster_.host_of.size(), -1)};
    for (std::size_t tile = 0; tile < holders.devices.size(); ++tile) {
      Members hosts;
      for (const DeviceId device : holders.devices[tile]) {
        hosts.push_back(cluster_.host_of[at(device)]);
        side.tile_of[at(device)] = static_cast<std::int64_t>(tile);
      }
      side.hosts.push_back(host_sets_.index(std::move(hosts)));
      side.devices.push_back(device_sets_.index(holders.devices[tile]));
    }
    return side;
  }

  void add(const ReshardTensor& tensor) {
    const Slicing slices = slicing(tensor);
    std::vector<Side> sides;
    for (const TileHolders& holders : slices.sides) sides.push_back(describe(holders));
    for_each_slice(slices, [&](const Slice& slice) {
      add(slice.num_elements * dtype_bytes(tensor.shape.dtype), slice, slices, sides);
    });
  }

  void add(std::int64_t bytes, const Slice& slice, const Slicing& slices,
           const std::vector<Side>& sides) {
    if (sides.size() == 1) return;
    const std::int32_t holders = sides[0].hosts[slice.tile[0]];
    std::int32_t wanting = sides[1].hosts[slice.tile[1]];
    for (std::size_t s = 2; s < sides.size(); ++s)
      wanting = host_sets_.unite(wanting, sides[s].hosts[slice.tile[s]]);
    const std::int32_t takers = host_sets_.without(wanting, holders);
    if (!host_sets_.members(takers).empty()) between_hosts_.add(bytes, holders, takers, host_sets_);
    const Members& everywhere = host_sets_.members(host_sets_.unite(holders, wanting));
    if (everywhere.size() == 1) add_inside(everywhere.front(), bytes, slice, sides);
    add_needed(bytes, everywhere.size() > 1, slice, slices, sides);
  }

  /// A slice that no other host has or wants can only use the links inside its host.
  void add_inside(std::int32_t host, std::int64_t bytes, const Slice& slice,
                  const std::vector<Side>& sides) {
    const std::int32_t holders = sides[0].devices[slice.tile[0]];
    std::int32_t wanting = sides[1].devices[slice.tile[1]];
    for (std::size_t s = 2; s < sides.size(); ++s)
      wanting = device_sets_.unite(wanting, sides[s].devices[slice.tile[s]]);
    const std::int32_t takers = device_sets_.without(wanting, holders);
    if (!device_sets_.members(takers).empty())
      inside_[host].add(bytes, holders, takers, device_sets_);
  }

  /// Per device, what it lacks, however it comes.
  void add_needed(std::int64_t bytes, bool on_several_hosts, const Slice& slice,
                  const Slicing& slices, const std::vector<Side>& sides) {
    const auto has = [&](std::size_t side, DeviceId device) {
      return sides[side].tile_of[at(device)] == static_cast<std::int64_t>(slice.tile[side]);
    };
    for (std::size_t s = 1; s < sides.size(); ++s) {
      for (const DeviceId device : slice.devices(slices, s)) {
        bool counted = has(0, device);
        for (std::size_t earlier = 1; earlier < s; ++earlier) counted |= has(earlier, device);
        if (counted) continue;
        needed_[at(device)] += bytes;
        if (on_several_hosts) remote_[at(cluster_.host_of[at(device)])] = true;
      }
    }
  }

  void note(const std::string& place, const std::string& noun, const TightestSet& set,
            const Link& link) {
    if (set.amount == 0 || link.bytes_per_s <= 0) return;
    keep(place, {named(noun, set.nodes), pass_s(link, set.amount, set.nodes.size()), set.amount});
  }

  /// Of each kind of place the worst is enough.
  void keep(const std::string& place, ReshardBoundTerm term) {
    ReshardBoundTerm& worst = terms_[place];
    if (term.seconds > worst.seconds) worst = std::move(term);
  }

  /// The devices of a host that lack most have their own links and, together, the interface of the
  /// host.
  void note_devices(std::size_t host) {
    if (!remote_[host] || of_devices_.bytes_per_s <= 0) return;
    Members devices;
    for (DeviceId device = 0; device < cluster_.num_devices(); ++device) {
      if (at(cluster_.host_of[at(device)]) == host) devices.push_back(device);
    }
    std::stable_sort(devices.begin(), devices.end(),
                     [&](DeviceId a, DeviceId b) { return needed_[at(a)] > needed_[at(b)]; });
    const Link& own = of_devices_;
    const Link& shared = out_of_hosts_;
    ReshardBoundTerm worst;
    std::int64_t bytes = 0;
    for (std::size_t k = 1; k <= devices.size(); ++k) {
      bytes += needed_[at(devices[k - 1])];
      const auto links = static_cast<double>(k);
      const double limited =
          static_cast<double>(bytes) - links * own.burst_bytes - shared.burst_bytes;
      const double seconds =
          std::min(own.latency_s, shared.latency_s) +
          std::max(0.0, limited) / (links * own.bytes_per_s + shared.bytes_per_s);
      if (bytes == 0 || seconds <= worst.seconds) continue;
      Members first(devices.begin(), devices.begin() + static_cast<std::ptrdiff_t>(k));
      std::sort(first.begin(), first.end());
      worst = {named("device", first), seconds, bytes};
    }
    if (worst.bytes > 0) keep("links and interface into ", std::move(worst));
  }

  const Cluster& cluster_;
  Link out_of_hosts_, of_devices_;  ///< the widest: a bound for every one
  SetTable host_sets_, device_sets_;
  RelayLoads between_hosts_;
  std::map<std::int32_t, RelayLoads> inside_;  ///< per host
  std::vector<std::int64_t> needed_;           ///< per device: bytes that it lacks
  std::vector<bool> remote_;                   ///< per host: some of them are on other hosts too
  std::map<std::string, ReshardBoundTerm> terms_;  ///< per kind of place; `what` is the place
};

}  // namespace

ReshardBound reshard_bound(const ReshardProblem& problem) { return Demands(problem).bound(); }

}  // namespace rhino::cost
