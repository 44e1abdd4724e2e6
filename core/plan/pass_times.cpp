// SPDX-License-Identifier: Apache-2.0
#include "plan/pass_times.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <string>
#include <tuple>

#include "ir/flops.hpp"
#include "plan/send_order.hpp"
#include "plan/shares.hpp"
#include "rhino/error.hpp"
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
    const Link way = cluster.link(step.from, step.to);
    const double bytes_per_s = crosses ? cluster.host_link(from).bytes_per_s : way.bytes_per_s;
    double before_s = 0;
    for (const std::int32_t earlier : step.after)
      before_s = std::max(before_s, latency_s[at(earlier)]);
    latency_s.push_back(before_s + (step.from == step.to ? 0 : way.latency_s));
    send.latency_s = std::max(send.latency_s, latency_s.back());
    if (step.from == step.to || bytes_per_s <= 0) continue;
    const double seconds = static_cast<double>(message_bytes(communication, step)) / bytes_per_s;
    for (const bool enters : {false, true}) {
      const std::int32_t place = crosses ? (enters ? to : from) : (enters ? step.to : step.from);
      send.busy_s = std::max(send.busy_s, busy_s[{crosses, enters, place}] += seconds);
    }
  }
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
  const Block& block = roles[at(last.source_role)].pass(last.site).first;
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
  for (std::size_t c = 0; c < input.problem.chunks.size(); ++c) {
    const ChunkCost& chunk = input.problem.chunks[c];
    sum_s += chunk.forward_s + chunk.backward_weight_s;
    if (!std::isfinite(sum_s))
      throw Error("passes of chunk " + std::to_string(c) + " would take for ever");
  }
  for (std::size_t c = 0; c < input.problem.chunks.size(); ++c) {
    const bool is_cut = input.order.is_cut[c];
    const ChunkCost nothing_said{
        .forward_s = 1, .backward_s = 1, .weight_s = 1, .backward_weight_s = 2};
    const ChunkCost& chunk = sum_s > 0 ? input.problem.chunks[c] : nothing_said;
    times.seconds[0].push_back(chunk.forward_s);
    times.seconds[1].push_back(is_cut ? chunk.backward_s : chunk.backward_weight_s);
    times.seconds[2].push_back(is_cut ? chunk.weight_s : 0);
  }
  times.sends.resize(handovers.size());
  if (sum_s <= 0) return times;
  for (std::size_t h = 0; h < handovers.size(); ++h) {
    times.sends[h].share = share_at(roles, handovers, h);
    time(stated_by(communications, communications[h]), input.cluster, times.sends[h]);
  }
  return times;
}

}  // namespace rhino::plan
