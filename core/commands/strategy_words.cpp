// SPDX-License-Identifier: Apache-2.0
#include "commands/strategy_words.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "config/value_pattern.hpp"
#include "report/table.hpp"
#include "report/table_parts.hpp"
#include "rhino/index.hpp"

namespace rhino::commands {
namespace {

/// What the devices of a role begin in a step.
std::string communication_text(const plan::ExecutionPlan& plan, const plan::Role& role) {
  constexpr std::array kNames{"all-reduces", "all-gathers",    "reduce-scatters",
                              "all-to-alls", "halo exchanges", "handovers"};
  std::array<std::pair<int, double>, kNames.size()> sums{};
  for (const plan::Instruction& instruction : role.instructions) {
    const bool gives =
        std::ranges::any_of(instruction.inputs, [](auto buffer) { return buffer >= 0; });
    if (instruction.kind != plan::InstructionKind::start || !gives) continue;
    const plan::Communication& communication = plan.communications[at(instruction.index)];
    auto& [count, bytes] = sums[static_cast<std::size_t>(communication.kind)];
    ++count;
    for (const std::int32_t buffer : instruction.inputs) {
      if (buffer >= 0) bytes += static_cast<double>(num_bytes(role.buffers[at(buffer)].shape));
    }
  }
  std::string text;
  for (std::size_t kind = 0; kind < sums.size(); ++kind) {
    if (sums[kind].first == 0) continue;
    text += fmt::format("{}{} {}, {}", text.empty() ? "" : "; ", sums[kind].first, kNames[kind],
                        report::format_bytes(sums[kind].second));
  }
  return text.empty() ? "none" : text;
}

std::string devices_text(const Mesh& mesh) {
  std::vector<DeviceId> devices = mesh.devices;
  std::ranges::sort(devices);
  std::string axes;
  for (const MeshAxis& axis : mesh.axes) {
    if (axis.size > 1)
      axes += fmt::format("{}{} {}", axes.empty() ? "" : " x ", axis.name, axis.size);
  }
  const bool is_run = devices.back() - devices.front() + 1 == std::ssize(devices);
  const std::string which =
      devices.size() == 1 ? fmt::format("{}", devices.front())
      : is_run            ? fmt::format("{}-{}", devices.front(), devices.back())
               : fmt::format("{} of {}-{}", devices.size(), devices.front(), devices.back());
  return axes.empty() ? which : which + " as " + axes;
}

/// `vocabulary over tensor`; empty: whole on every device.
std::string words(const ShardingSpec& spec, const Shape& shape, const Mesh& mesh,
                  const std::vector<std::string>& names) {
  std::string text;
  const auto add = [&](const std::string& part) { text += (text.empty() ? "" : "; ") + part; };
  for (std::size_t d = 0; d < spec.dims.size(); ++d) {
    std::string axes;
    std::int64_t block = shape.dims[d];
    for (const AxisSplit& split : spec.dims[d].splits) {
      const std::int64_t size = split.axis == kMicroAxis ? 0 : mesh.axes[at(split.axis)].size;
      if (size > 1) axes += (axes.empty() ? "" : ", ") + mesh.axes[at(split.axis)].name;
      if (size > 1 && split.period < block) axes += fmt::format(" (of each {})", split.period);
      block = size == 0 ? 0 : split.period / size;  // within a micro-batch nobody tells
    }
    const std::string name = d < names.size() ? names[d] : fmt::format("dim {}", d);
    if (!axes.empty()) add(name + " over " + axes);
  }
  for (const Partial& partial : spec.partial) {
    if (partial.axis != kMicroAxis && mesh.axes[at(partial.axis)].size > 1)
      add("terms of sums over " + mesh.axes[at(partial.axis)].name);
  }
  return text;
}

/// Lines of values that lie alike.
class Lines {
 public:
  Lines(const Program& program, const Strategy& strategy)
      : program_(program), strategy_(strategy) {}

  void add(ValueId id, const std::vector<std::string>& names) {
    const Op& op = program_.producer(id);
    const auto chunk = at(std::max(strategy_.chunk_of[at(id)], 0));
    const std::string how =
        words(strategy_.specs[at(id)], op.shape, strategy_.chunks[chunk].mesh, names);
    const std::vector<std::string> globs = config::general_globs(op.name);
    const std::string name = globs.empty() ? op.name : globs.back();
    const report::Row row{"    " + name, to_string(op.shape), how.empty() ? "whole" : how};
    const auto known = std::ranges::find(rows_, row, &std::pair<report::Row, int>::first);
    if (known == rows_.end()) rows_.emplace_back(row, 1);
    else ++known->second;
  }

  std::string text(const std::string& title) const {
    if (rows_.empty()) return "";
    std::size_t widest = 0, widest_shape = 0;
    for (const auto& [row, count] : rows_) {
      widest = std::max(widest, row[0].size());
      widest_shape = std::max(widest_shape, row[1].size());
    }
    std::string text = "  " + title + "\n";
    for (const auto& [row, count] : rows_)
      text += fmt::format("{:<{}}  {:<{}}  {}{}\n", row[0], widest, row[1], widest_shape, row[2],
                          count > 1 ? fmt::format("  ({} of them)", count) : "");
    return text;
  }

 private:
  const Program& program_;
  const Strategy& strategy_;
  std::vector<std::pair<report::Row, int>> rows_;
};

/// A bit per axis over which a value is split, or is the terms of a sum.
std::uint32_t axes_of(const ShardingSpec& spec) {
  std::uint32_t axes = 0;
  const auto add = [&](AxisId axis) { axes |= axis == kMicroAxis ? 0 : 1u << axis; };
  for (const DimSharding& dim : spec.dims) {
    for (const AxisSplit& split : dim.splits) add(split.axis);
  }
  for (const Partial& partial : spec.partial) add(partial.axis);
  return axes;
}

}  // namespace

std::string stages_text(const plan::ExecutionPlan& plan, const plan::StepTrace& trace) {
  std::vector<report::Row> rows{
      {"  stage", "devices", "memory", "kernels", "idle", "communication"}};
  for (std::size_t r = 0; r < plan.roles.size(); ++r) {
    const plan::Role& role = plan.roles[r];
    double compute_s = 0;
    for (const plan::DeviceTrace& device : trace.devices) {
      if (at(device.role) == r) compute_s = std::max(compute_s, device.compute_s);
    }
    rows.push_back(
        {fmt::format("  {}", r), devices_text(role.mesh),
         report::format_bytes(static_cast<double>(role.arena_bytes + role.workspace_bytes)),
         report::format_seconds(compute_s),
         report::format_seconds(std::max(0.0, trace.step_s - compute_s)),
         communication_text(plan, role)});
  }
  return report::aligned(rows);
}

std::string cuts_text(const Program& program, const Strategy& strategy) {
  Lines weights(program, strategy), states(program, strategy), activations(program, strategy);
  for (const Input& input : program.inputs) {
    if (input.kind == InputKind::parameter) weights.add(input.value, input.dim_names);
    if (input.kind != InputKind::optimizer_state || input.state_of < 0) continue;
    const Input& parameter = program.inputs[at(input.state_of)];
    if (strategy.specs[at(input.value)] != strategy.specs[at(parameter.value)])
      states.add(input.value, parameter.dim_names);
  }
  for (ValueId id = 0; id < program.size(); ++id) {
    const Op& op = program.op(id);
    if (op.phase == Phase::forward && !op.operands.empty() && !op.name.empty())
      activations.add(id, {});
  }
  return weights.text("weights") +
         states.text("optimizer states that lie otherwise than their weights") +
         activations.text("activations of a micro-batch");
}

std::string idle_axes_text(const Strategy& strategy) {
  std::vector<std::uint32_t> used(strategy.chunks.size(), 0);
  for (std::size_t id = 0; id < strategy.specs.size(); ++id)
    used[at(std::max(strategy.chunk_of[id], 0))] |= axes_of(strategy.specs[id]);
  std::string text;
  for (std::size_t c = 0; c < strategy.chunks.size(); ++c) {
    const std::vector<MeshAxis>& axes = strategy.chunks[c].mesh.axes;
    for (std::size_t axis = 0; axis < axes.size(); ++axis) {
      if (axes[axis].size == 1 || (used[c] >> axis & 1) != 0) continue;
      text += fmt::format("  nothing{} is cut over {}: its {} devices all compute the same\n",
                          strategy.chunks.size() == 1 ? "" : fmt::format(" of chunk {}", c),
                          axes[axis].name, axes[axis].size);
    }
  }
  return text;
}

}  // namespace rhino::commands
