// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <set>

#include "plan/index_checks.hpp"
#include "plan/plan_mesh.hpp"

namespace rhino::plan::indices {
namespace {

void check_box(const Box& box, std::size_t rank, const std::string& place) {
  bool good = box.start.size() == rank && box.size.size() == rank;
  for (std::size_t d = 0; good && d < rank; ++d) {
    good = box.start[d] >= 0 && box.start[d] <= kMaxElements && box.size[d] >= 1 &&
           box.size[d] <= kMaxElements;
  }
  if (!good) fail(place, " has a box that is none");
}

void check_step(const Communication& communication, std::size_t index, std::int64_t num_devices,
                const std::string& place) {
  const TransferStep& step = communication.steps[index];
  const std::string step_place = place + ", step " + number(static_cast<std::int64_t>(index));
  require_index(step.part, communication.parts, step_place, "part");
  for (DeviceId device : {step.from, step.to}) {
    if (device < 0 || device >= num_devices)
      fail(step_place, " names device ", number(device), " of ", number(num_devices));
  }
  const std::size_t rank = communication.parts[static_cast<std::size_t>(step.part)].dims.size();
  for (const Box* box : {&step.global, &step.source, &step.target})
    check_box(*box, rank, step_place);
  if (step.global.size != step.source.size || step.global.size != step.target.size) {
    fail(step_place, " reads, sends and writes boxes of different sizes");
  }
  for (std::int32_t earlier : step.after) {
    if (earlier < 0 || static_cast<std::size_t>(earlier) >= index) {
      fail(step_place, " comes after step ", number(earlier), ", which is no earlier one");
    }
  }
}

/// A mesh that is no role's: of every role it has all devices or none.
void check_mesh_of_roles(const ExecutionPlan& plan, const Mesh& mesh, const std::string& place) {
  check_mesh(mesh, plan.cluster.num_devices(), place);
  const std::set<DeviceId> own(mesh.devices.begin(), mesh.devices.end());
  std::size_t num_found = 0;
  for (const Role& role : plan.roles) {
    const auto count = std::count_if(role.mesh.devices.begin(), role.mesh.devices.end(),
                                     [&](DeviceId device) { return own.contains(device); });
    if (count != 0 && count != std::ssize(role.mesh.devices))
      fail(place, ": its mesh has some devices of a role and lacks others");
    num_found += static_cast<std::size_t>(count);
  }
  if (num_found != own.size()) fail(place, ": its mesh has a device without a role");
}

void check_layouts(const ExecutionPlan& plan, const Communication& communication,
                   const std::string& place) {
  if (!communication.layouts.empty() &&
      communication.layouts.size() != communication.parts.size()) {
    fail(place, " has ", number(std::ssize(communication.layouts)), " layouts for ",
         number(std::ssize(communication.parts)), " parts");
  }
  for (std::size_t p = 0; p < communication.layouts.size(); ++p) {
    const std::string part_place = place + ", part " + number(static_cast<std::int64_t>(p));
    const auto check_end = [&](const TransferEnd& end) {
      require_index_or_none(end.role, plan.roles, part_place, "role");
      if (end.role < 0) check_mesh_of_roles(plan, end.mesh, part_place);
      check_tiled(communication.parts[p], end.spec, mesh_of(plan, end), part_place);
    };
    check_end(communication.layouts[p].source);
    for (const TransferEnd& target : communication.layouts[p].targets) check_end(target);
  }
}

template <class F>
void for_each_end(const Communication& communication, F&& f) {
  for (const TransferLayout& layout : communication.layouts) {
    f(layout.source);
    for (const TransferEnd& target : layout.targets) f(target);
  }
}

void check_shares(const ExecutionPlan& plan, const Communication& communication,
                  const std::string& place) {
  if (communication.num_shares == 1) return;
  if (communication.num_shares < 1 || communication.layouts.empty())
    fail(place, " has ", number(communication.num_shares), " shares");
  for_each_end(communication, [&](const TransferEnd& end) {
    const std::vector<MeshAxis>& axes = mesh_of(plan, end).axes;
    require_index(end.share_axis, axes, place, "axis of shares");
    if (axes[at(end.share_axis)].size % communication.num_shares != 0)
      fail(place, " has ", number(communication.num_shares), " shares along an axis of ",
           number(axes[at(end.share_axis)].size));
  });
}

/// Devices of each end of one share.
std::vector<std::int64_t> share_sizes(const ExecutionPlan& plan,
                                      const Communication& communication) {
  std::vector<std::int64_t> sizes;
  for_each_end(communication, [&](const TransferEnd& end) {
    sizes.push_back(std::ssize(mesh_of(plan, end).devices) / communication.num_shares);
  });
  return sizes;
}

/// The other comes before it, so its own shares have been looked at.
void check_like(const ExecutionPlan& plan, const Communication& communication,
                const std::string& place) {
  const auto own = static_cast<std::int32_t>(&communication - plan.communications.data());
  if (communication.like < 0 || communication.like >= own ||
      plan.communications[at(communication.like)].like != -1)
    fail(place, " is like communication ", number(communication.like),
         ", which is none to be like");
  const Communication& stated = plan.communications[at(communication.like)];
  if (stated.kind != communication.kind || !communication.steps.empty() ||
      !communication.groups.empty() || stated.layouts.size() != communication.layouts.size() ||
      share_sizes(plan, stated) != share_sizes(plan, communication))
    fail(place, " is not like communication ", number(communication.like));
}

/// As devices reduce: floating-point values have neither `and` nor `or`.
void check_reduction(const Communication& communication, const std::string& place) {
  const bool reduces = communication.kind == CommunicationKind::all_reduce ||
                       communication.kind == CommunicationKind::reduce_scatter;
  const bool is_logical = communication.reduction == Reduction::logical_and ||
                          communication.reduction == Reduction::logical_or;
  const auto is_float = [](const Shape& part) { return is_floating(part.dtype); };
  if (reduces && is_logical && std::ranges::any_of(communication.parts, is_float))
    fail(place, " reduces floating-point values by a logical operation");
}

}  // namespace

void check_communication(const ExecutionPlan& plan, const Communication& communication,
                         const std::string& place) {
  const std::int64_t num_devices = plan.cluster.num_devices();
  for (const Shape& part : communication.parts) check_shape(part, place);
  check_reduction(communication, place);
  for (const std::vector<DeviceId>& group : communication.groups) {
    for (DeviceId device : group) {
      if (device < 0 || device >= num_devices) {
        fail(place, " names device ", number(device), " of ", number(num_devices));
      }
    }
  }
  for (std::size_t i = 0; i < communication.steps.size(); ++i)
    check_step(communication, i, num_devices, place);
  check_layouts(plan, communication, place);
  check_shares(plan, communication, place);
  if (communication.like != -1) check_like(plan, communication, place);
}

}  // namespace rhino::plan::indices
