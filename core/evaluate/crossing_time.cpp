// SPDX-License-Identifier: Apache-2.0
#include "evaluate/crossing_time.hpp"

#include <algorithm>
#include <limits>
#include <optional>
#include <tuple>
#include <unordered_map>

#include "ir/mesh_groups.hpp"
#include "plan/reshard_shares.hpp"
#include "plan/send_order.hpp"
#include "plan/shares.hpp"
#include "plan/single_communication.hpp"
#include "plugin/scope.hpp"
#include "rhino/index.hpp"
#include "simulate/simulate.hpp"

namespace rhino::evaluate {
namespace {

/// Devices of all meshes, the source first.
std::vector<const Mesh*> meshes_of(const Boundary& boundary) {
  std::vector<const Mesh*> meshes{boundary.source};
  meshes.insert(meshes.end(), boundary.targets.begin(), boundary.targets.end());
  return meshes;
}

/// What decides about a boundary beside its tensors: the kinds of its meshes, and which devices
/// they are, unless each mesh has hosts of its own.
std::vector<std::int32_t> meshes_that_count(Tables& tables, const Boundary& boundary) {
  const Cluster& cluster = tables.cost().cluster();
  std::vector<std::int32_t> kinds, devices;
  std::map<std::int32_t, const Mesh*> mesh_on;
  bool lie_apart = !tables.cost().links().has_own_between_hosts() && cluster.uplinks.empty();
  for (const Mesh* mesh : meshes_of(boundary)) {
    kinds.push_back(tables.kind_of(*mesh));
    for (const DeviceId device : mesh->devices) {
      devices.push_back(device);
      lie_apart &= mesh_on.try_emplace(cluster.host_of[at(device)], mesh).first->second == mesh;
    }
  }
  if (!lie_apart) kinds.insert(kinds.end(), devices.begin(), devices.end());
  return kinds;
}

constexpr std::int32_t kNumInARow = 4;

/// So many in a row, as micro-batches are, begun at once.
plan::ExecutionPlan repeated(plan::ExecutionPlan plan) {
  for (plan::Role& role : plan.roles) {
    std::vector<plan::Instruction> all;
    for (const plan::Instruction& instruction : role.instructions) {
      for (std::int32_t i = 0; i < kNumInARow; ++i) all.emplace_back(instruction).instance = i;
    }
    role.instructions = std::move(all);
  }
  return plan;
}

class Pricer {
 public:
  Pricer(const Boundary& boundary, const Tables& tables)
      : boundary_(boundary),
        meshes_(meshes_of(boundary)),
        cost_(tables.cost()),
        links_(tables.cost().links()),
        cluster_(tables.cost().cluster()),
        arrivals_(boundary.targets.size()),
        latency_s_(boundary.targets.size()) {
    for (std::size_t m = 0; m < meshes_.size(); ++m) {
      for (std::size_t r = 0; r < meshes_[m]->devices.size(); ++r)
        ranks_[meshes_[m]->devices[r]] = {m, r};
    }
    price_.targets.resize(boundary.targets.size());
  }

  /// `plan`: of the messages of `share`; several of them one behind the other.
  CrossingPrice price(const ReshardProblem& share, const plan::ExecutionPlan& plan) && {
    for (const ReshardTensor& tensor : share.tensors) {
      for (const ReshardTarget& target : tensor.targets) {
        for (const DeviceId device : target.mesh.devices)
          arrivals_[ranks_.at(device).mesh - 1][ranks_.at(device).rank];
      }
    }
    const std::vector<Ends> once = ends(plan), in_a_row = ends(repeated(plan));  // per target
    for (std::size_t t = 0; t < once.size(); ++t) {
      CrossingPrice::Target& target = price_.targets[t];
      const Mesh& mesh = *boundary_.targets[t];
      for (std::uint32_t axes = 0; axes < 1u << mesh.axes.size(); ++axes)
        target.first_s.push_back(first_group_s(mesh, once[t], axes));
      target.seconds = last_s(once[t]);
      target.period_s = (last_s(in_a_row[t]) - last_s(once[t])) / (kNumInARow - 1);
    }
    for (const plan::Communication& communication : plan.communications) {
      plan::for_each_message(
          plan, communication, [&](const plan::TransferStep& step, DeviceId from, DeviceId to) {
            const auto bytes = static_cast<double>(plan::message_bytes(communication, step));
            if (from != to && bytes > 0) send(from, to, bytes);
          });
    }
    for (std::size_t t = 0; t < arrivals_.size(); ++t) {
      find_groups(t);
      price_.targets[t].latency_s = latency_s_[t].value_or(0);
    }
    for (const auto& [where, seconds] : loads_)
      price_.loads.push_back({std::get<0>(where), std::get<1>(where), std::get<2>(where), seconds});
    return std::move(price_);
  }

 private:
  struct Rank {
    std::size_t mesh = 0, rank = 0;
  };

  /// Per rank of a target, when it has all that comes to it; of those of a share.
  using Ends = std::map<std::size_t, double>;
  std::vector<Ends> ends(const plan::ExecutionPlan& plan) const {
    const plan::StepTrace trace =
        simulate::simulate(plan, cost_, {.num_steps = 1, .keep_events = false});
    std::vector<Ends> ends(price_.targets.size());
    for (const plan::DeviceTrace& device : trace.devices) {
      for (const DeviceId alike : device.alike) {
        const auto [mesh, rank] = ranks_.at(alike);
        if (mesh > 0) ends[mesh - 1][rank] = device.step_end_s.front();
      }
    }
    return ends;
  }

  static double last_s(const Ends& ends) {
    double last_s = 0;
    for (const auto& [rank, end_s] : ends) last_s = std::max(last_s, end_s);
    return last_s;
  }

  static double first_group_s(const Mesh& mesh, const Ends& ends, std::uint32_t axes) {
    double first_s = last_s(ends);
    for (const std::vector<std::size_t>& group : ir::ranks_along(mesh, axis_list(mesh, axes))) {
      Ends own;
      for (const std::size_t rank : group) {
        if (const auto end = ends.find(rank); end != ends.end()) own.insert(*end);
      }
      if (!own.empty()) first_s = std::min(first_s, last_s(own));
    }
    return first_s;
  }

  static std::vector<std::int32_t> axis_list(const Mesh& mesh, std::uint32_t axes) {
    std::vector<std::int32_t> list;
    for (std::int32_t axis = 0; at(axis) < mesh.axes.size(); ++axis) {
      if (axes >> axis & 1) list.push_back(axis);
    }
    return list;
  }

  void send(DeviceId from, DeviceId to, double bytes) {
    const auto [mesh, rank] = ranks_.at(to);
    for (const std::int32_t link : links_.route(from, to)) {
      const double seconds = bytes / links_.bytes_per_s()[at(link)];
      if (mesh > 0) arrivals_[mesh - 1][rank][link] += seconds;
      load(from, link, seconds);
      load(to, link, seconds);
    }
    if (mesh == 0) return;
    const double own_s = cluster_.link(from, to).latency_s;
    std::optional<double>& latency_s = latency_s_[mesh - 1];
    latency_s = std::min(latency_s.value_or(own_s), own_s);
  }

  /// Where the link is one of the device's.
  void load(DeviceId device, std::int32_t link, double seconds) {
    const std::vector<std::int32_t> own = links_.of(device);
    const auto place = std::ranges::find(own, link);
    if (place == own.end()) return;
    const auto [mesh, rank] = ranks_.at(device);
    loads_[{mesh, rank, at(place - own.begin())}] += seconds;
  }

  void find_groups(std::size_t t) {
    const Mesh& mesh = *boundary_.targets[t];
    for (std::uint32_t axes = 0; axes < 1u << mesh.axes.size(); ++axes)
      price_.targets[t].busy_s.push_back(quickest_group_s(mesh, arrivals_[t], axes));
  }

  /// Per rank of a target, the seconds of each link by which messages come to it.
  using Arrivals = std::map<std::size_t, std::map<std::int32_t, double>>;

  static double quickest_group_s(const Mesh& mesh, const Arrivals& arrivals, std::uint32_t axes) {
    double least_s = std::numeric_limits<double>::infinity();
    for (const std::vector<std::size_t>& group : ir::ranks_along(mesh, axis_list(mesh, axes))) {
      std::map<std::int32_t, double> busy_s;
      bool is_known = false;  // where it falls into shares, those of one are
      for (const std::size_t rank : group) {
        const auto arrival = arrivals.find(rank);
        if (arrival == arrivals.end()) continue;
        is_known = true;
        for (const auto& [link, seconds] : arrival->second) busy_s[link] += seconds;
      }
      double most_s = 0;
      for (const auto& [link, seconds] : busy_s) most_s = std::max(most_s, seconds);
      if (is_known) least_s = std::min(least_s, most_s);
    }
    return least_s < std::numeric_limits<double>::infinity() ? least_s : 0;
  }

  const Boundary& boundary_;
  const std::vector<const Mesh*> meshes_;
  const cost::CostModel& cost_;
  const cost::Links& links_;
  const Cluster& cluster_;
  std::unordered_map<DeviceId, Rank> ranks_;
  std::vector<Arrivals> arrivals_;                ///< per target
  std::vector<std::optional<double>> latency_s_;  ///< the least; of targets that messages come to
  std::map<std::tuple<std::size_t, std::size_t, std::size_t>, double> loads_;
  CrossingPrice price_;
};

ReshardProblem problem_of(const Boundary& boundary, const Tables& tables) {
  ReshardProblem problem{{}, tables.cost().cluster()};
  for (const Boundary::Tensor& tensor : boundary.tensors) {
    const sharding::MicroView& from = tables.form(tensor.leaving).view;
    ReshardTensor& added =
        problem.tensors.emplace_back(ReshardTensor{from.shape, *boundary.source, from.spec, {}});
    for (std::size_t t = 0; t < tensor.arriving.size(); ++t) {
      if (tensor.arriving[t] >= 0)
        added.targets.push_back({*boundary.targets[t], tables.form(tensor.arriving[t]).view.spec});
    }
  }
  return problem;
}

}  // namespace

const CrossingPrice& CrossingTimes::price(const Boundary& boundary) {
  std::pair key{boundary.tensors, meshes_that_count(tables_, boundary)};
  if (const auto found = known_.find(key); found != known_.end()) return found->second;
  const ReshardProblem whole = problem_of(boundary, tables_);
  const ReshardProblem share = plan::share_of(whole, plan::find_shares(whole), 0);
  const TransferPlan transfers = resharding_.plan(share);
  const plan::ExecutionPlan plan =
      plugin::blaming(resharding_id_, [&] { return plan::reshard_plan(share, transfers); });
  CrossingPrice price = Pricer(boundary, tables_).price(share, plan);
  return known_.emplace(std::move(key), std::move(price)).first->second;
}

}  // namespace rhino::evaluate
