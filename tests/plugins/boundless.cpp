// SPDX-License-Identifier: Apache-2.0
// GPipe, whose formula says what no bubble takes, by the options; or that lacks its last pass where
// there are so many stages.
#include "rhino/plugin.hpp"

namespace rhino {
namespace {

class Boundless : public Schedule {
 public:
  explicit Boundless(const Options& options)
      : bubble_s_(options.get<double>("above", 0) / options.get<double>("below", 1)),
        lacking_(options.get<std::int64_t>("lacking", 0)) {}

  Placement placement(int num_meshes) override {
    Placement placement;
    for (int mesh = 0; mesh < num_meshes; ++mesh) placement.mesh_of_chunk.push_back(mesh);
    return placement;
  }
  PipelineSchedule schedule(const PipelineProblem& problem) override {
    PipelineSchedule schedule;
    for (std::int32_t mesh = 0; mesh < problem.num_meshes; ++mesh) {
      std::vector<Action>& order = schedule.order.emplace_back();
      for (const ActionKind kind : {ActionKind::forward, ActionKind::backward_weight}) {
        for (std::int32_t m = 0; m < problem.num_micro_batches; ++m)
          order.push_back({kind, mesh, m});
      }
    }
    if (problem.num_meshes == lacking_) schedule.order.back().pop_back();
    return schedule;
  }
  std::optional<double> bubble_s(const PipelineProblem&) override { return bubble_s_; }

 private:
  double bubble_s_;
  std::int64_t lacking_;
};

}  // namespace
}  // namespace rhino

RHINO_PLUGIN("schedule/boundless", rhino::Boundless, "says more than it knows")
