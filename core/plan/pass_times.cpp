// SPDX-License-Identifier: Apache-2.0
#include "plan/pass_times.hpp"

#include <algorithm>
#include <map>
#include <tuple>

#include "ir/flops.hpp"
#include "plan/send_order.hpp"
#include "plan/shares.hpp"
#include "rhino/index.hpp"

namespace rhino::plan {
namespace {

/// Sets what does not depend on the block, the same for all shares.
void time(const Communication& communication, const Cluster& cluster, PassTimes::Send& send) {
  std::map<std::tuple<bool, bool, std::int32_t>, double> busy_s;  // crosses hosts, enters, which
  std::vector<double> latency_s;
  for (const TransferStep& step : communication.steps) {
    const std::int32_t from = cluster.host_of[at(step.from)], to = cluster.host_of[at(step.to)];
    const bool crosses = from != to;
    const Link link = crosses ? cluster.host_link(from) : cluster.inside(from);
    double before_s = 0;
    for (const std::int32_t earlier : step.after)
      before_s = std::max(before_s, latency_s[at(earlier)]);
    latency_s.push_back(before_s + (step.from == step.to ? 0 : link.latency_s));
    send.latency_s = std::max(send.latency_s, latency_s.back());
    if (step.from == step.to || link.bytes_per_s <= 0) continue;
    const double seconds =
        static_cast<double>(message_bytes(communication, step)) / link.bytes_per_s;
    for (const bool enters : {false, true}) {
      const std::int32_t place = crosses ? (enters ? to : from) : (enters ? step.to : step.from);
      send.busy_s = std::max(send.busy_s, busy_s[{crosses, enters, place}] += seconds);
    }
  }
}

const Block& block_of(const RoleBlocks& role, const Site& site) {
  const auto chunk =
      at(std::find(role.chunks.begin(), role.chunks.end(), site.chunk) - role.chunks.begin());
  return (site.phase == sharding::ChunkPhase::forward ? role.forward : role.backward)[chunk].first;
}

/// Of the FLOPs of a block those that the marked values depend on.
double share_of_flops(const Program& program, std::vector<bool> needed) {
  double sum = 0, total = 0;
  for (ValueId id = program.size(); id-- > 0;) {
    const double flops = ir::op_flops(program, id);
    total += flops;
    if (!needed[at(id)]) continue;
    sum += flops;
    for (const ValueId operand : program.op(id).operands) needed[at(operand)] = true;
  }
  return total > 0 ? sum / total : 1;
}

/// How far the block of `handovers[index]` has come when that leaves: behind those of lower index.
double share_at(const std::vector<RoleBlocks>& roles, const std::vector<Handover>& handovers,
                std::size_t index) {
  const Handover& last = handovers[index];
  if (last.site.chunk < 0 || !last.per_micro_batch) return 1;
  const Block& block = block_of(roles[at(last.source_role)], last.site);
  std::vector<bool> leaves(at(block.program.size()), false);
  for (std::size_t h = 0; h <= index; ++h) {
    const Handover& handover = handovers[h];
    if (handover.site != last.site || !handover.per_micro_batch) continue;
    for (const Handover::Tensor& tensor : handover.tensors) {
      for (std::size_t o = 0; o < block.outputs.size(); ++o) {
        if (block.outputs[o] == tensor.source_resident)
          leaves[at(block.program.outputs[o].value)] = true;
      }
    }
  }
  return share_of_flops(block.program, std::move(leaves));
}

}  // namespace

PassTimes pass_times(const AssembleInput& input, const std::vector<RoleBlocks>& roles,
                     const std::vector<Handover>& handovers,
                     const std::vector<Communication>& communications) {
  PassTimes times;
  double sum_s = 0;
  for (const ChunkCost& chunk : input.problem.chunks) {
    times.forward_s.push_back(chunk.forward_s);
    times.backward_s.push_back(chunk.backward_s + chunk.weight_s);
    sum_s += chunk.forward_s + chunk.backward_s + chunk.weight_s;
  }
  times.sends.resize(handovers.size());
  if (sum_s <= 0) {
    times.forward_s.assign(input.strategy.chunks.size(), 1);
    times.backward_s.assign(input.strategy.chunks.size(), 2);
    return times;
  }
  for (std::size_t h = 0; h < handovers.size(); ++h) {
    times.sends[h].share = share_at(roles, handovers, h);
    time(stated_by(communications, communications[h]), input.cluster, times.sends[h]);
  }
  return times;
}

}  // namespace rhino::plan
