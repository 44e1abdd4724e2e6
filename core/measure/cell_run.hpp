// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "calibrate/machine.hpp"
#include "check/numerics.hpp"
#include "config/experiment.hpp"
#include "planning/plan_cell.hpp"
#include "runtime/session.hpp"
#include "store/run_folder.hpp"
#include "topology/emulated_hosts.hpp"

namespace rhino::measure {

/// What all cells of a run share. Borrowed references live as long as the run.
class RunContext {
 public:
  RunContext(const config::Experiment& experiment, const plugin::Registry& registry,
             store::RunFolder& folder, std::string worker, std::vector<std::string> folders,
             planning::Models models)
      : experiment(experiment),
        registry(registry),
        folder(folder),
        worker(std::move(worker)),
        folders(std::move(folders)),
        models_(std::move(models)) {}

  const config::Experiment& experiment;
  const plugin::Registry& registry;
  store::RunFolder& folder;
  std::string worker;
  std::vector<std::string> folders;
  std::string plan_file;  ///< --plan: runs it instead of searching
  std::function<void(const std::string&)> progress = [](const std::string&) {};
  /// True once the run is to end: sessions stop, and the cell at hand is not recorded.
  std::function<bool()> is_interrupted = [] { return false; };

  const planning::CellModel& model(const config::CellSpec& cell) { return models_.of(cell); }
  /// What workers of the cell reach on its machine, which then stands in `cluster`; nullptr where a
  /// topology describes a machine that is not here. Notes it in the record.
  const cost::Calibration* calibrate(const config::CellSpec& cell, Cluster& cluster,
                                     store::Record& record);
  /// The hosts of an emulated cluster, set up once and kept to the end of the run; none: workers
  /// start on this one.
  std::vector<topology::HostNamespaces> hosts(const Cluster& cluster);
  /// What emulated hosts have sent to each other so far.
  double crossed_bytes(const Cluster& cluster);
  /// The finished cell of this run that ran the same plan on the same workers; nullptr: none yet.
  const store::Record* same_plan(const std::string& signature) const;
  void remember(const std::string& signature, const store::Record& record) {
    done_[signature] = record;
  }
  /// Loss and gradients of the single-device run at one micro-batch, made once per model and batch.
  const check::StepValues& reference(const config::CellSpec& cell);

 private:
  const cost::Calibration& machine(const calibrate::WorkerSetup& setup);
  const cost::Calibration& network(const calibrate::WorkerSetup& setup, const Cluster& cluster);

  planning::Models models_;
  std::map<std::string, std::unique_ptr<topology::EmulatedHosts>> hosts_;  // by name and network
  std::map<std::string, cost::Calibration> calibrations_;
  std::map<std::string, check::StepValues> references_;
  std::map<std::string, store::Record> done_;
};

/// One cell from its plan to its record. Repetitions are asked for from outside (by the benchmark
/// driver).
class MeasuredCell {
 public:
  virtual ~MeasuredCell() = default;

  /// Plans, starts workers, checks, warms up. False where nothing can be measured: the record says
  /// why.
  virtual bool prepare() = 0;
  /// Seconds per step of one more repetition; throws Error where the session fails.
  virtual double repetition() = 0;
  /// The finished record (not yet compared with baselines).
  virtual store::Record finish() = 0;
  /// What a later repetition failed with.
  virtual void fail(const std::string& message) = 0;
  /// Only a check is wanted of it: more ranks than cores, or a simulation.
  virtual bool single_sample() const = 0;
};

/// A training step.
class CellRun final : public MeasuredCell {
 public:
  CellRun(RunContext& context, const config::CellSpec& cell, const std::string& label);
  ~CellRun() override;

  bool prepare() override;
  double repetition() override;
  store::Record finish() override;
  void fail(const std::string& message) override;
  bool single_sample() const override { return simulated_ || record_.oversubscribed; }

 private:
  bool plan();
  bool simulate_cell(const cost::CostModel& cost);
  bool start();
  bool check();
  void warm_up();
  void describe();
  void note_trace(const plan::StepTrace& trace);
  bool reuse();
  void keep_trace();

  RunContext& context_;
  const config::CellSpec& cell_;
  store::Record record_;
  Cluster cluster_;
  const planning::CellModel* model_ = nullptr;
  const cost::Calibration* calibration_ = nullptr;
  planning::PlannedCell planned_;
  std::unique_ptr<runtime::Session> session_;
  bool simulated_ = false;
  double simulated_s_ = 0;
  std::vector<double> warm_up_s_;  ///< steps before the first repetition, the checked one included
  std::string signature_;
  std::size_t num_reused_ = 0;  ///< samples of an equal plan that were handed out
  bool reused_ = false;
  plan::StepTrace last_trace_;
};

/// Workers of a cell: one rank per device, cores shared out evenly.
calibrate::WorkerSetup worker_setup(const RunContext& context, const config::CellSpec& cell,
                                    std::int32_t num_ranks);

/// Record::environment of these workers.
std::map<std::string, std::string> run_environment(const calibrate::WorkerSetup& setup);

}  // namespace rhino::measure
