// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "config/experiment.hpp"
#include "ir/training_step.hpp"
#include "rhino/cluster.hpp"
#include "rhino/error.hpp"
#include "rhino/program.hpp"

namespace rhino::planning {

/// `sentence` with `place` in front, if there is one. The word that the place ends with is said
/// once: `x.yaml:5: llama: ...`
std::string placed(const std::string& place, const std::string& sentence);

/// What `work` returns; an Error that it throws gets `place` in front, where there is one: a
/// default stands nowhere.
template <class Work>
decltype(auto) at_place(const std::string& place, Work&& work) {
  try {
    return work();
  } catch (const Error& error) {
    throw Error(placed(place, error.what()));
  }
}

/// What is true of a model whatever the plan.
struct CellModel {
  Program step;  ///< whole training step at global batch
  /// As it was given, where `step` is that step written anew for micro-batches.
  std::optional<Program> given;
  /// What devices together have to equal: nothing of it is the partitioner's work.
  const Program& reference() const { return given ? *given : step; }

  std::int64_t tokens_per_sample = 0;
  double model_flops = 0;  ///< dots of one step, recomputed ones not counted
  std::string flops_formula;
  DType dtype = DType::f32;
  bool takes_optimizer = true;  ///< that of the cell; else it updates by itself, or nothing
};

/// Builds the training step of a cell: one of models::model_names(), or `hlo` and
/// `stablehlo`, a program in a file. Throws Error with the place of the choice.
CellModel build_model(const config::CellSpec& cell);

/// What updates: the cell's optimizer, the program's own, or nothing does.
std::string optimizer_text(const config::CellSpec& cell, const CellModel& model);

/// What tells the training step of one cell from another's.
std::string model_key(const config::CellSpec& cell);

/// Training steps by model, optimizer and batch: each is built once.
class Models {
 public:
  /// Throws Error with the place of the choice.
  const CellModel& of(const config::CellSpec& cell);

 private:
  std::map<std::string, CellModel> built_;
};

/// `local` (option `devices`), `cluster` (options `hosts`, `devices_per_host`; the hosts that a
/// launcher started this run on), `topologies/NAME.yaml`, or a path that ends in `.yaml`, looked
/// for like that of a strategy (option `hosts`: other than the file's). Throws Error with the place
/// of the choice. `local` of cells of `device` cuda are the GPUs of this machine; where there is
/// none, what stands in for them may be planned for, and does not run.
Cluster resolve_topology(const config::Choice& topology, const std::vector<std::string>& folders,
                         const std::string& device);

/// The devices of a cell are those of this machine, or of the hosts that a launcher started this
/// run on.
inline bool is_of_found_hosts(const config::CellSpec& cell) {
  return cell.topology.id == "cluster";
}
inline bool is_found(const config::CellSpec& cell) {
  return cell.topology.id == "local" || is_of_found_hosts(cell);
}

/// GPUs that are there are what a cell asks for.
inline bool is_of_local_gpus(const config::CellSpec& cell) {
  return is_found(cell) && cell.device == "cuda";
}

/// The devices of a cell: resolve_topology() of its topology; of abstract stages
/// pipeline_cluster().
Cluster cell_cluster(const config::CellSpec& cell, const std::vector<std::string>& folders);

/// `strategies/x.yaml` as written, else below one of `folders`; empty: nothing of that name.
std::string find_file(const std::string& name, const std::vector<std::string>& folders);

}  // namespace rhino::planning
