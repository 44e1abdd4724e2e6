// SPDX-License-Identifier: Apache-2.0
#include <utility>
#include <vector>

#include "common/unit_tasks.hpp"
#include "rhino/plugin.hpp"

namespace rhino {
namespace {

/// Point-to-point resharding (AlpaComm, section 2, "naive send/recv"): each receiver gets each
/// slice in a message of its own. Among the replicas that hold a slice it picks one on the
/// receiver's own host, else the one that has sent least so far.
class SendRecv : public Resharding {
 public:
  explicit SendRecv(const Options&) {}

  TransferPlan plan(const ReshardProblem& problem) override {
    TransferPlan plan;
    std::vector<std::int64_t> sent(problem.cluster.host_of.size(), 0);
    for (const UnitTask& task : unit_tasks(problem)) {
      for (const DeviceId receiver : task.receivers) {
        const DeviceId sender = pick_sender(problem.cluster, task, receiver, sent);
        sent[static_cast<std::size_t>(sender)] += num_elements(task.box);
        plan.ops.push_back({task.tensor, Copy{sender, receiver, task.box}, {}});
      }
    }
    return plan;
  }

 private:
  static DeviceId pick_sender(const Cluster& cluster, const UnitTask& task, DeviceId receiver,
                              const std::vector<std::int64_t>& sent) {
    const auto host = [&](DeviceId device) {
      return cluster.host_of[static_cast<std::size_t>(device)];
    };
    const auto cost = [&](DeviceId device) {
      const std::int64_t load = device == receiver ? -1 : sent[static_cast<std::size_t>(device)];
      return std::pair(host(device) != host(receiver), load);
    };
    DeviceId best = task.senders.front();
    for (const DeviceId device : task.senders) {
      if (cost(device) < cost(best)) best = device;
    }
    return best;
  }
};

}  // namespace
}  // namespace rhino

RHINO_PLUGIN("resharding/send_recv", rhino::SendRecv,
             "point-to-point messages, one per receiver and slice")
