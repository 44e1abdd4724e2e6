// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "common/arrangement.hpp"
#include "common/crossings.hpp"
#include "common/pipelining.hpp"
#include "rhino/plugin.hpp"

namespace rhino {
namespace {

/// Broadcast-based resharding (AlpaComm, arXiv 2211.05322, section 3): each unit task is a
/// pipelined chain from one replica through all receivers that visits every host once, so that each
/// network interface carries a slice once. Senders and order come from optimising the makespan in
/// the NIC model.
///
/// Options: `order` (see arrangement.hpp); `concurrent`: false has each host work off its tasks one
/// at a time, as the paper's runtime does, true leaves the overlap to the transport; `chunks`: of
/// each chain, 0 for the optimum; `node_budget` of the search; `seed` of the greedy order.
///
/// A slice with one receiver is a message. One so small that a chain takes longer, by its
/// latencies, than messages to all receivers, goes as those (broadcasts of NCCL lose there, too:
/// NVIDIA/nccl issue 674). Receivers on a holder's host are served there, without the network.
class Broadcast : public Resharding {
 public:
  explicit Broadcast(const Options& options)
      : arrangement_{order_named(options.get<std::string>("order", "ensemble")),
                     options.get<std::int64_t>("node_budget", 10000),
                     static_cast<std::uint64_t>(options.get<std::int64_t>("seed", 1))},
        concurrent_(options.get<bool>("concurrent", false)),
        chunks_(options.get<std::int64_t>("chunks", 0)) {
    if (chunks_ < 0) throw Error("option 'chunks' is negative");
    if (arrangement_.node_budget < 0) throw Error("option 'node_budget' is negative");
  }

  TransferPlan plan(const ReshardProblem& problem) override {
    const Crossings all = crossings(problem);
    TransferPlan plan;
    plan.ops.reserve(all.in_place.size() + all.on_host.size() + all.across.size());
    for (const Delivery& delivery : all.in_place)
      send(problem.cluster, delivery, delivery.senders.front(), {}, 1, plan);
    const std::int64_t most_chunks = chunks_of_a_task(all);
    for (const Delivery& delivery : all.on_host)
      send(problem.cluster, delivery, delivery.senders.front(), {}, most_chunks, plan);
    const HostSchedule schedule = arrange(all.tasks, arrangement_);
    Turns turns(num_hosts(all.tasks));
    for (const std::int32_t task : schedule.order) {
      const auto index = static_cast<std::size_t>(task);
      const std::int32_t host = schedule.sender[index];
      std::vector<std::int32_t> after;
      if (!concurrent_) after = turns.before(all.tasks[index], host);
      const auto first = static_cast<std::int32_t>(plan.ops.size());
      send(problem.cluster, all.across[index], sender_on(problem.cluster, all.across[index], host),
           after, most_chunks, plan);
      turns.take(all.tasks[index], host, {first, static_cast<std::int32_t>(plan.ops.size())});
    }
    return plan;
  }

 private:
  /// Ops of one task, from first to before last.
  struct OpRange {
    std::int32_t first = 0, last = 0;
  };

  /// What was the last to send from and to come to each host.
  class Turns {
   public:
    explicit Turns(std::size_t num_hosts) : sending_(num_hosts), receiving_(num_hosts) {}

    std::vector<std::int32_t> before(const HostTask& task, std::int32_t sender) const {
      std::vector<std::int32_t> ops;
      const auto add = [&](OpRange range) {
        for (std::int32_t op = range.first; op < range.last; ++op) ops.push_back(op);
      };
      add(sending_[static_cast<std::size_t>(sender)]);
      for (const std::int32_t host : task.receivers)
        add(receiving_[static_cast<std::size_t>(host)]);
      std::sort(ops.begin(), ops.end());
      ops.erase(std::unique(ops.begin(), ops.end()), ops.end());
      return ops;
    }

    void take(const HostTask& task, std::int32_t sender, OpRange ops) {
      sending_[static_cast<std::size_t>(sender)] = ops;
      for (const std::int32_t host : task.receivers)
        receiving_[static_cast<std::size_t>(host)] = ops;
    }

   private:
    std::vector<OpRange> sending_, receiving_;
  };

  /// As many chunks as keep the whole plan within about half a million messages.
  static std::int64_t chunks_of_a_task(const Crossings& all) {
    constexpr std::size_t kMostMessages = std::size_t{1} << 19;
    std::size_t num_receivers = 1;
    for (const Delivery& delivery : all.on_host) num_receivers += delivery.receivers.size();
    for (const Delivery& delivery : all.across) num_receivers += delivery.receivers.size();
    return static_cast<std::int64_t>(std::max<std::size_t>(1, kMostMessages / num_receivers));
  }

  static DeviceId sender_on(const Cluster& cluster, const Delivery& delivery, std::int32_t host) {
    return *std::find_if(delivery.senders.begin(), delivery.senders.end(),
                         [&](DeviceId device) { return host_of(cluster, device) == host; });
  }

  void send(const Cluster& cluster, const Delivery& delivery, DeviceId from,
            const std::vector<std::int32_t>& after, std::int64_t most_chunks,
            TransferPlan& plan) const {
    const std::vector<DeviceId>& receivers = delivery.receivers;
    if (receivers.size() > 1) {
      const Pipeline chain = best_pipeline(cluster, from, receivers, delivery.bytes, most_chunks);
      if (chunks_ > 0 || chain.seconds <= copies_s(cluster, from, receivers, delivery.bytes)) {
        const std::int64_t num_chunks = chunks_ > 0 ? chunks_ : chain.num_chunks;
        plan.ops.push_back(
            {delivery.tensor, Multicast{from, receivers, delivery.box, num_chunks}, after});
        return;
      }
    }
    for (const DeviceId to : receivers)
      plan.ops.push_back({delivery.tensor, Copy{from, to, delivery.box}, after});
  }

  ArrangementOptions arrangement_;
  bool concurrent_;
  std::int64_t chunks_;
};

}  // namespace
}  // namespace rhino

RHINO_PLUGIN("resharding/broadcast", rhino::Broadcast,
             "pipelined chains, load-balanced and ordered (AlpaComm)")
