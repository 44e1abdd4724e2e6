// SPDX-License-Identifier: Apache-2.0
#include "plan/shares.hpp"

#include <numeric>
#include <utility>

#include "plan/plan_mesh.hpp"
#include "rhino/index.hpp"

namespace rhino::plan {
namespace {

/// All devices of a share, by place: end after end.
std::vector<DeviceId> places(const ExecutionPlan& plan, const Communication& communication,
                             std::int64_t share) {
  std::vector<DeviceId> devices;
  const auto add = [&](const TransferEnd& end) {
    const Mesh& mesh = mesh_of(plan, end);
    for (const std::size_t rank :
         share_ranks(mesh, end.share_axis, communication.num_shares, share))
      devices.push_back(mesh.devices[rank]);
  };
  for (const TransferLayout& layout : communication.layouts) {
    add(layout.source);
    for (const TransferEnd& target : layout.targets) add(target);
  }
  return devices;
}

}  // namespace

std::vector<std::size_t> share_ranks(const Mesh& mesh, std::int32_t axis, std::int64_t num_shares,
                                     std::int64_t share) {
  std::vector<std::size_t> ranks(mesh.devices.size());
  std::iota(ranks.begin(), ranks.end(), 0);
  if (num_shares == 1) return ranks;
  const std::int64_t size = mesh.axes[at(axis)].size;
  std::int64_t stride = 1;
  for (std::size_t a = at(axis) + 1; a < mesh.axes.size(); ++a) stride *= mesh.axes[a].size;
  std::erase_if(ranks, [&](std::size_t rank) {
    const std::int64_t coordinate = static_cast<std::int64_t>(rank) / stride % size;
    return coordinate * num_shares / size != share;
  });
  return ranks;
}

std::vector<std::int64_t> share_begin(const Communication& communication, std::size_t part,
                                      std::int64_t share) {
  std::vector<std::int64_t> begin = communication.parts[part].dims;
  if (communication.num_shares == 1) return std::vector<std::int64_t>(begin.size(), 0);
  const TransferEnd& source = communication.layouts[part].source;
  for (std::size_t d = 0; d < begin.size(); ++d) {
    const std::vector<AxisSplit>& splits = source.spec.dims[d].splits;
    const bool is_cut = !splits.empty() && splits.front().axis == source.share_axis;
    begin[d] = is_cut ? begin[d] / communication.num_shares * share : 0;
  }
  return begin;
}

SharedSteps::SharedSteps(const ExecutionPlan& plan, const Communication& communication)
    : stated_(stated_by(plan.communications, communication)),
      num_shares_(communication.num_shares) {
  is_stated_ = num_shares_ == 1 && communication.like < 0;
  if (is_stated_) return;
  const std::vector<DeviceId> first = places(plan, stated_, 0);
  for (std::size_t place = 0; place < first.size(); ++place)
    place_of_.try_emplace(first[place], place);
  for (std::int64_t share = 0; share < num_shares_; ++share)
    devices_.push_back(places(plan, communication, share));
}

std::size_t SharedSteps::place(DeviceId device) const {
  return is_stated_ ? at(device) : place_of_.at(device);
}

Communication expanded(const ExecutionPlan& plan, const Communication& communication) {
  Communication alone = communication;
  alone.like = -1;
  alone.num_shares = 1;
  alone.groups = stated_by(plan.communications, communication).groups;
  alone.steps.clear();
  const SharedSteps shared(plan, communication);
  for (std::int64_t share = 0; share < shared.num_shares(); ++share) {
    const auto first = static_cast<std::int32_t>(alone.steps.size());
    for (TransferStep step : shared.stated()) {
      step.from = shared.device(share, step.from);
      step.to = shared.device(share, step.to);
      for (std::int32_t& earlier : step.after) earlier += first;
      const std::vector<std::int64_t> begin = share_begin(communication, at(step.part), share);
      for (std::size_t d = 0; d < begin.size(); ++d) step.global.start[d] += begin[d];
      alone.steps.push_back(std::move(step));
    }
  }
  return alone;
}

}  // namespace rhino::plan
