// SPDX-License-Identifier: Apache-2.0
// A schedule of one stage whose formula says what no bubble takes, by the options.
#include "rhino/plugin.hpp"

namespace rhino {
namespace {

class Boundless : public Schedule {
 public:
  explicit Boundless(const Options& options)
      : bubble_s_(options.get<double>("above", 0) / options.get<double>("below", 1)) {}

  Placement placement(int) override { return {.mesh_of_chunk = {0}}; }
  PipelineSchedule schedule(const PipelineProblem&) override {
    return {.order = {{{ActionKind::forward, 0, 0}, {ActionKind::backward_weight, 0, 0}}}};
  }
  std::optional<double> bubble_s(const PipelineProblem&) override { return bubble_s_; }

 private:
  double bubble_s_;
};

}  // namespace
}  // namespace rhino

RHINO_PLUGIN("schedule/boundless", rhino::Boundless, "says more than it knows")
