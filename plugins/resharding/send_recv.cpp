// SPDX-License-Identifier: Apache-2.0
#include "common/sender_choice.hpp"
#include "common/unit_tasks.hpp"
#include "rhino/plugin.hpp"

namespace rhino {
namespace {

/// Point-to-point resharding (AlpaComm, arXiv 2211.05322, section 3, "send/recv"): each receiver
/// gets each slice in a message of its own. A slice that the receiver holds already it copies to
/// itself.
class SendRecv : public Resharding {
 public:
  explicit SendRecv(const Options&) {}

  TransferPlan plan(const ReshardProblem& problem) override {
    TransferPlan plan;
    common::SenderChoice choice(problem.cluster);
    for (const common::UnitTask& task : common::unit_tasks(problem)) {
      for (const DeviceId receiver : task.receivers) {
        const DeviceId sender =
            choice.pick(task.senders, receiver, common::num_bytes(problem, task));
        plan.ops.push_back({task.tensor, Copy{sender, receiver, task.box}, {}});
      }
    }
    return plan;
  }
};

}  // namespace
}  // namespace rhino

RHINO_PLUGIN("resharding/send_recv", rhino::SendRecv,
             "point-to-point messages, one per receiver and slice")
