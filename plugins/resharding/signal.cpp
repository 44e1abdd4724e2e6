// SPDX-License-Identifier: Apache-2.0
#include "common/sender_choice.hpp"
#include "common/unit_tasks.hpp"
#include "rhino/plugin.hpp"

namespace rhino {
namespace {

/// The messages of `send_recv`, of one element each (AlpaComm, arXiv 2211.05322, section 5, "signal
/// send/recv"): everybody waits for everybody and next to nothing moves. An upper bound of what any
/// resharding can bring end to end; the plan says that it is incomplete.
class Signal : public Resharding {
 public:
  explicit Signal(const Options&) {}

  TransferPlan plan(const ReshardProblem& problem) override {
    TransferPlan plan;
    plan.incomplete = true;
    common::SenderChoice choice(problem.cluster);
    for (const common::UnitTask& task : common::unit_tasks(problem)) {
      const Box element{task.box.start, std::vector<std::int64_t>(task.box.size.size(), 1)};
      for (const DeviceId receiver : task.receivers) {
        const DeviceId sender =
            choice.pick(task.senders, receiver, common::num_bytes(problem, task));
        plan.ops.push_back({task.tensor, Copy{sender, receiver, element}, {}});
      }
    }
    return plan;
  }
};

}  // namespace
}  // namespace rhino

RHINO_PLUGIN("resharding/signal", rhino::Signal,
             "one element per message: incomplete, the upper bound of speed")
