// SPDX-License-Identifier: Apache-2.0
#include "planning/choices.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "evaluate/bound.hpp"
#include "planning/cell_inputs.hpp"
#include "plugin/child.hpp"
#include "rhino/index.hpp"
#include "rhino/strategy.hpp"

namespace rhino::planning {
namespace {

/// A file says how many parts the batch falls into: none of the micro-batch counts may leave a
/// rest.
void check_batch(const config::CellSpec& cell, const config::StrategyFile& file) {
  std::int64_t parts = 1;  // that all meshes make whole parts of
  for (const std::vector<MeshAxis>& mesh : file.meshes()) {
    for (const MeshAxis& axis : mesh) {
      if (axis.name == file.batch) parts = std::lcm(parts, axis.size);
    }
  }
  const std::vector<std::int64_t> counts = micro_batch_counts(cell, file);
  if (counts.empty()) {
    throw Error(cell.search.id + ": it is for " + micro_batches_text(file.micro_batches) +
                ", which the case does not allow");
  }
  const auto divides = [&](std::int64_t count) { return cell.global_batch % (count * parts) == 0; };
  if (std::any_of(counts.begin(), counts.end(), divides)) return;
  throw Error(cell.search.id + ": a global batch of " + std::to_string(cell.global_batch) +
              " does not divide into " + micro_batches_text(counts.front()) + " x " +
              std::to_string(parts) + " data-parallel parts");
}

/// A plugin of that name exists, is what is wanted here (`kind`), and knows the options given. What
/// else may go wrong in its constructor shows when the cell is planned.
void check_plugin_choice(const config::Choice& choice, const std::string& kind,
                         const plugin::Registry& registry) {
  const plugin::PluginInfo& info = at_place(
      choice.place, [&]() -> const plugin::PluginInfo& { return registry.find(choice.id); });
  if (!choice.id.starts_with(kind + "/"))
    throw Error(choice.place + ": '" + kind + "': plugin '" + choice.id + "' is no " + kind);
  if (choice.options.empty() || !plugin::abi_refusal(info).empty()) return;
  const plugin::ChildResult made = plugin::run_in_child(
      [&] {
        const Options options(choice.options);
        if (choice.id.starts_with("search/")) plugin::make_search(info, options);
        else if (choice.id.starts_with("schedule/")) plugin::make_schedule(info, options);
        else plugin::make_resharding(info, options);
        return std::string();
      },
      {.deadline_s = 10});
  if (made.outcome == plugin::ChildOutcome::error) throw Error(choice.place + ": " + made.text);
}

}  // namespace

std::vector<std::int64_t> micro_batch_counts(const config::CellSpec& cell,
                                             const config::StrategyFile& file) {
  std::vector<std::int64_t> counts = cell.micro_batches;
  if (file.micro_batches > 0)
    std::erase_if(counts, [&](std::int64_t count) { return count != file.micro_batches; });
  return counts;
}

bool is_strategy_file(const config::Choice& search) { return search.id.ends_with(".yaml"); }

void check_choices(const config::CellSpec& cell, const plugin::Registry& registry,
                   const std::vector<std::string>& folders) {
  if (!cell.collective) check_plugin_choice(cell.resharding, "resharding", registry);
  if (cell.is_communication()) return;
  check_plugin_choice(cell.schedule, "schedule", registry);
  if (!cell.has_model()) return;
  if (!is_strategy_file(cell.search)) return check_plugin_choice(cell.search, "search", registry);
  if (!cell.pins.empty())
    throw Error(cell.pins.front().place + ": a pin is for a searcher, and " + cell.search.id +
                " says how all values are cut");
  if (cell.budget != config::SearchBudget{})
    throw Error(cell.search.place + ": a budget is for a searcher, and " + cell.search.id +
                " is a strategy");
  const Cluster cluster = resolve_topology(cell.topology, folders, cell.device);
  at_place(cell.search.place, [&] { check_batch(cell, read_strategy(cell, cluster, folders)); });
}

void check_backend(const config::CellSpec& cell, const Cluster& cluster) {
  if (cell.backend.starts_with("nccl") && cell.device != "cuda")
    throw Error(cell.place + ": backend " + cell.backend + " moves memory of GPUs, and device " +
                cell.device + " is none: `device: cuda`");
  if (cell.backend == "simulate") return;
  if (cell.device == "emulated") {
    if (cluster.hosts.size() == 1 || cluster.is_emulated() || is_of_found_hosts(cell)) return;
    throw Error(cell.topology.place + ": the hosts of topology '" + cluster.name +
                "' are modelled, and what emulated devices send crosses real links: those of one "
                "host, or of hosts that are emulated, too");
  }
  const auto is_real = [&](const DeviceModel& model) {
    return model.kind == DeviceKind::cpu || model.kind == DeviceKind::emulated ||
           (model.kind == DeviceKind::cuda && is_of_local_gpus(cell));
  };
  const auto modelled = std::ranges::find_if_not(cluster.models, is_real);
  if (modelled == cluster.models.end()) return;
  const std::string which = cluster.models.size() > 1 ? "'" + modelled->name + "' " : "";
  throw Error(cell.topology.place + ": the devices " + which + "of topology '" + cluster.name +
              "' are modelled, and backend " + cell.backend +
              " runs real ones: `backend: simulate`");
}

void check_peaks(const Program& step, const Cluster& cluster) {
  for (const auto& [dtype, flops] : evaluate::needed_flops(step, lower::kernels_of(cluster))) {
    if (!is_floating(dtype)) continue;
    for (const std::int32_t model : cluster.model_of) {
      const DeviceModel& device = cluster.models[at(model)];
      if (device.kind == DeviceKind::cpu || std::isfinite(evaluate::peak_flops(device, dtype)))
        continue;
      throw Error("device '" + device.name + "' has no peak_flops of " + dtype_name(dtype) +
                  ", in which the model computes" +
                  (dtype == DType::f32 ? "" : ", nor of f32, which would stand for it") +
                  ": give it, or another dtype");
    }
  }
}

config::StrategyFile read_strategy(const config::CellSpec& cell, const Cluster& cluster,
                                   const std::vector<std::string>& folders) {
  const std::string path = find_file(cell.search.id, folders);
  if (path.empty()) throw Error("there is no strategy file '" + cell.search.id + "'");
  return config::read_strategy_file(path, Options(cell.search.options), cluster.num_devices());
}

void check_strategy(const config::CellSpec& cell, const Program& step,
                    const std::vector<std::string>& folders) {
  config::pins_of(cell.pins, step);
  if (!is_strategy_file(cell.search)) return;
  const Cluster cluster = resolve_topology(cell.topology, folders, cell.device);
  at_place(cell.search.place, [&] { config::check(read_strategy(cell, cluster, folders), step); });
}

}  // namespace rhino::planning
