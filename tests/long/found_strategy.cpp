// SPDX-License-Identifier: Apache-2.0
#include "found_strategy.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <catch2/catch.hpp>
#include <optional>

#include "measure/named_cells.hpp"
#include "planning/plan_cell.hpp"
#include "rhino/index.hpp"
#include "simulate/simulate.hpp"

namespace rhino::test {
namespace {

class CaseCells {
 public:
  CaseCells(const std::string& experiment, std::int32_t index)
      : experiment_(config::read_experiment(experiment)), registry_({RHINO_TEST_PLUGINS}) {
    for (const measure::NamedCell& named : measure::name_cells(experiment_)) {
      if (named.cell.case_index == index) cells_.push_back(named);
    }
    REQUIRE(cells_.size() > 1);
    model_ = planning::build_model(cells_.front().cell);
  }

  Found run() {
    Found found;
    const auto step = std::make_shared<const Program>(model_.step);
    for (const measure::NamedCell& named : cells_) {
      std::optional<Planned> planned = this->planned(named);
      if (!planned) continue;
      planned->step = step;
      if (named.cell.search.id == "search/rhino") found.searched = *std::move(planned);
      else found.others.push_back(*std::move(planned));
    }
    REQUIRE(found.searched.step_s > 0);
    return found;
  }

 private:
  std::optional<Planned> planned(const measure::NamedCell& named) const {
    const std::vector<std::string> folders{RHINO_TEST_SOURCE};
    const cost::CostModel cost(planning::cell_cluster(named.cell, folders));
    planning::PlannedCell made =
        planning::plan_cell({.cell = named.cell,
                             .model = model_,
                             .cost = cost,
                             .registry = registry_,
                             .folders = folders,
                             .seed = experiment_.seed,
                             .limits = planning::planning_limits(experiment_)});
    if (made.status != store::Status::ok) {
      fmt::print("{}: {}\n", named.name, made.message);
      return std::nullopt;
    }
    const double step_s =
        simulate::simulate(made.plan, cost, {.num_steps = 2, .keep_events = false}).step_s;
    fmt::print("{:10.4f} s  {}: {}\n", step_s, named.name, made.strategy.name);
    std::fflush(stdout);
    return Planned{named.name, nullptr, std::move(made.strategy), step_s};
  }

  config::Experiment experiment_;
  plugin::Registry registry_;
  std::vector<measure::NamedCell> cells_;
  planning::CellModel model_;
};

/// `h3` of `h3.mlp.up`; empty: of no layer.
std::string layer_of(const Op& op) {
  const std::size_t dot = op.name.find('.');
  const bool is_layer = op.kind != OpKind::parameter && dot != std::string::npos && dot > 1 &&
                        op.name[0] == 'h' && std::isdigit(op.name[1]) != 0;
  return is_layer ? op.name.substr(0, dot) : "";
}

bool is_collective(OpKind kind) {
  return kind == OpKind::all_reduce || kind == OpKind::all_gather ||
         kind == OpKind::reduce_scatter || kind == OpKind::all_to_all;
}

void count(OpKind kind, Crossings& crossings) {
  if (kind == OpKind::all_to_all) ++crossings.all_to_alls;
  if (kind == OpKind::all_reduce || kind == OpKind::reduce_scatter) ++crossings.sums;
  if (kind == OpKind::all_reduce || kind == OpKind::all_gather) ++crossings.gathers;
}

const Mesh& mesh_of(const Planned& planned, ValueId id) {
  return planned.strategy.chunks[at(std::max(planned.strategy.chunk_of[at(id)], 0))].mesh;
}

}  // namespace

Found found_in(const std::string& experiment, std::int32_t case_index) {
  return CaseCells(experiment, case_index).run();
}

std::vector<std::pair<std::string, Crossings>> crossings(
    const Planned& planned, sharding::ChunkPhase phase,
    std::pair<std::int64_t, std::int64_t> sizes) {
  std::vector<std::pair<std::string, Crossings>> layers{{"", {}}};
  for (const sharding::ChunkProgram& chunk : sharding::partition(*planned.step, planned.strategy)) {
    if (chunk.phase != phase) continue;
    for (const Op& op : chunk.program.ops) {
      const std::string layer = layer_of(op);
      if (!layer.empty() && layer != layers.back().first) layers.emplace_back(layer, Crossings());
      if (!is_collective(op.kind)) continue;
      const std::int64_t most =
          std::max(num_elements(op.shape), num_elements(chunk.program.shape(op.operands.front())));
      if (most >= sizes.first && most <= sizes.second) count(op.kind, layers.back().second);
    }
  }
  return layers;
}

ValueId value_of(const Program& step, const std::string& name) {
  const auto op = std::ranges::find(step.ops, name, &Op::name);
  INFO(name);
  REQUIRE(op != step.ops.end());
  return static_cast<ValueId>(op - step.ops.begin());
}

std::vector<std::size_t> split_dims(const Planned& planned, const std::string& name) {
  const ValueId id = value_of(*planned.step, name);
  const ShardingSpec& spec = planned.strategy.specs[at(id)];
  std::vector<std::size_t> dims;
  for (std::size_t d = 0; d < spec.dims.size(); ++d) {
    const bool is_split = std::ranges::any_of(spec.dims[d].splits, [&](const AxisSplit& split) {
      return split.axis != kMicroAxis && mesh_of(planned, id).axes[at(split.axis)].size > 1;
    });
    if (is_split) dims.push_back(d);
  }
  return dims;
}

std::int64_t num_copies(const Planned& planned, ValueId id) {
  const Mesh& mesh = mesh_of(planned, id);
  auto copies = static_cast<std::int64_t>(mesh.devices.size());
  for (const DimSharding& dim : planned.strategy.specs[at(id)].dims) {
    for (const AxisSplit& split : dim.splits)
      copies /= split.axis == kMicroAxis ? 1 : mesh.axes[at(split.axis)].size;
  }
  return copies;
}

}  // namespace rhino::test
