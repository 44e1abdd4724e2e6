// SPDX-License-Identifier: Apache-2.0
#include "measure/named_cells.hpp"

#include <algorithm>
#include <map>

#include "config/strategy_file.hpp"
#include "planning/cell_inputs.hpp"
#include "planning/choices.hpp"

namespace rhino::measure {
namespace {

std::string short_name(const std::string& id) {
  const std::size_t slash = id.rfind('/');
  std::string name = slash == std::string::npos ? id : id.substr(slash + 1);
  if (name.ends_with(".yaml")) name.resize(name.size() - 5);
  return name;
}

std::string shortened(config::Choice choice) {
  choice.id = short_name(choice.id);
  return config::to_string(choice);
}

/// `reshard(case 4)/p3_8xlarge_x5/broadcast/simulate`
std::string communication_name(const config::CellSpec& cell) {
  std::string name;
  if (cell.reshard) {
    name = "reshard(" +
           (cell.reshard->name.empty() ? config::to_string(*cell.reshard) : cell.reshard->name) +
           ")/" + shortened(cell.topology) + "/" + shortened(cell.resharding);
  } else {
    name = config::to_string(*cell.collective) + "/" + shortened(cell.topology);
    std::replace(name.begin(), name.end(), ' ', '-');
  }
  return cell.backend == "ucx" ? name : name + "/" + cell.backend;
}

std::string blocking(const config::CellSpec& cell) {
  const auto& [transfers, collectives] = cell.schedule.blocking;
  return std::string(transfers ? ",transfers_block" : "") +
         (collectives ? ",collectives_block" : "");
}

/// `pipeline(unequal,4x12)/1f1b`
std::string pipeline_name(const config::CellSpec& cell) {
  const config::PipelineChoice& choice = *cell.pipeline;
  std::string name = "pipeline(" + choice.name + (choice.name.empty() ? "" : ",") +
                     std::to_string(choice.num_stages) + "x" +
                     std::to_string(choice.num_micro_batches) + ")/";
  if (!cell.topology.id.empty()) name += shortened(cell.topology) + "/";
  name += shortened(cell.schedule) + blocking(cell);
  return cell.backend == "simulate" ? name : name + "/" + cell.backend;
}

std::string model_name(const config::CellSpec& cell) {
  std::string name;
  for (const config::Choice* choice : {&cell.model, &cell.topology, &cell.search, &cell.resharding})
    name += shortened(*choice) + "/";
  name += shortened(cell.schedule) + blocking(cell);
  return config::to_string(cell.optimizer) == config::to_string(config::CellSpec{}.optimizer)
             ? name
             : name + "/" + shortened(cell.optimizer);
}

}  // namespace

std::vector<NamedCell> name_cells(const config::Experiment& experiment) {
  std::vector<NamedCell> named;
  for (const config::CellSpec& cell : experiment.cells) {
    std::string name = cell.pipeline             ? pipeline_name(cell)
                       : cell.is_communication() ? communication_name(cell)
                                                 : model_name(cell);
    if (cell.device != "cpu" && !cell.pipeline) name += "/" + config::device_text(cell);
    name.erase(std::remove(name.begin(), name.end(), ' '), name.end());
    const auto same = std::count_if(named.begin(), named.end(), [&](const NamedCell& other) {
      return other.name == name || other.name.starts_with(name + "#");
    });
    named.push_back({same > 0 ? name + "#" + std::to_string(same + 1) : name, cell});
  }
  return named;
}

void merge_equal_cells(config::Experiment& experiment, const std::vector<std::string>& folders) {
  std::vector<config::CellSpec> kept;
  const auto has_one_stage = [&](const config::CellSpec& cell) {
    if (!planning::is_strategy_file(cell.search)) return false;
    const std::string path = planning::find_file(cell.search.id, folders);
    return !path.empty() &&
           config::read_strategy_file(path, Options(cell.search.options)).num_stages == 1;
  };
  const auto essence = [](config::CellSpec cell) {
    cell.resharding = {};
    cell.schedule = {};
    return std::to_string(cell.case_index) + config::canonical(cell);
  };
  std::map<std::string, std::size_t> first;
  for (const config::CellSpec& cell : experiment.cells) {
    if (has_one_stage(cell)) {
      const auto [found, is_new] = first.try_emplace(essence(cell), kept.size());
      if (!is_new) {
        std::vector<std::string>& names = kept[found->second].baselines;
        names.insert(names.end(), cell.baselines.begin(), cell.baselines.end());
        continue;
      }
    }
    kept.push_back(cell);
  }
  experiment.cells = std::move(kept);
}

}  // namespace rhino::measure
