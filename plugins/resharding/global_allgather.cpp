// SPDX-License-Identifier: Apache-2.0
#include "common/hosts.hpp"
#include "common/scatter_gather.hpp"
#include "rhino/plugin.hpp"

namespace rhino {
namespace {

/// Resharding by global all-gather (AlpaComm, arXiv 2211.05322, section 3): a tile that A hosts of
/// B devices need is scattered over all A B of them, 1 / (A B) to each, and gathered by a ring that
/// visits every host once. About twice the time of one slice through one network interface,
/// however many receive it.
class GlobalAllgather : public Resharding {
 public:
  explicit GlobalAllgather(const Options&) {}

  TransferPlan plan(const ReshardProblem& problem) override {
    common::ScatterGather writer(problem);
    return writer.plan([&](const Box& tile, const std::vector<DeviceId>& receivers) {
      const std::vector<Box> parts = writer.parts(tile, receivers.size());
      if (parts.size() == receivers.size()) {
        writer.gather(parts, common::chain_order(problem.cluster, receivers));
      } else {
        for (const DeviceId device : receivers) writer.fetch(tile, device);
      }
    });
  }
};

}  // namespace
}  // namespace rhino

RHINO_PLUGIN("resharding/global_allgather", rhino::GlobalAllgather,
             "scatter over all receivers, then an all-gather over them")
