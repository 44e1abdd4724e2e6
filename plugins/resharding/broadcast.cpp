// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "common/arrangement.hpp"
#include "common/crossings.hpp"
#include "common/option_values.hpp"
#include "common/pipelining.hpp"
#include "rhino/plugin.hpp"

namespace rhino {
namespace {

/// Ops of one task, from first to before last.
struct OpRange {
  std::int32_t first = 0, last = 0;
};

/// Which ops were the last to send from and to come to each host.
class Turns {
 public:
  explicit Turns(std::size_t num_hosts) : sending_(num_hosts), receiving_(num_hosts) {}

  /// What must have ended before a task takes its turn.
  std::vector<std::int32_t> before(const common::HostTask& task, std::int32_t sender) const {
    std::vector<std::int32_t> ops;
    const auto add = [&](OpRange range) {
      for (std::int32_t op = range.first; op < range.last; ++op) ops.push_back(op);
    };
    add(sending_[static_cast<std::size_t>(sender)]);
    for (const std::int32_t host : task.receivers) add(receiving_[static_cast<std::size_t>(host)]);
    std::sort(ops.begin(), ops.end());
    ops.erase(std::unique(ops.begin(), ops.end()), ops.end());
    return ops;
  }

  void take(const common::HostTask& task, std::int32_t sender, OpRange ops) {
    sending_[static_cast<std::size_t>(sender)] = ops;
    for (const std::int32_t host : task.receivers) receiving_[static_cast<std::size_t>(host)] = ops;
  }

 private:
  std::vector<OpRange> sending_, receiving_;
};

/// Writes deliveries down as chains, or as messages where those are sooner there.
class ChainWriter {
 public:
  /// `num_chunks` of every chain; 0: as many as are best, and as keep the whole plan within about
  /// half a million messages.
  ChainWriter(const Cluster& cluster, std::int64_t num_chunks, const common::Crossings& all)
      : cluster_(cluster), num_chunks_(num_chunks) {
    std::size_t num_receivers = 1 + all.in_place.size();
    for (const auto* list : {&all.on_host, &all.across}) {
      for (const common::Delivery& delivery : *list) num_receivers += delivery.receivers.size();
    }
    most_chunks_ =
        static_cast<std::int64_t>(std::max<std::size_t>(1, kMostMessages / num_receivers));
    plan_.ops.reserve(all.in_place.size() + all.on_host.size() + all.across.size());
  }

  OpRange send(const common::Delivery& delivery, DeviceId from,
               std::vector<std::int32_t> after = {}) {
    const auto first = static_cast<std::int32_t>(plan_.ops.size());
    const std::vector<DeviceId>& receivers = delivery.receivers;
    const std::int64_t num_chunks = receivers.size() == 1 ? 0 : chunks_of(delivery, from);
    if (num_chunks > 0) {
      plan_.ops.push_back({delivery.tensor, Multicast{from, receivers, delivery.box, num_chunks},
                           std::move(after)});
    } else {
      for (const DeviceId to : receivers)
        plan_.ops.push_back({delivery.tensor, Copy{from, to, delivery.box}, after});
    }
    return {first, static_cast<std::int32_t>(plan_.ops.size())};
  }

  TransferPlan take() { return std::move(plan_); }

 private:
  static constexpr std::size_t kMostMessages = std::size_t{1} << 19;

  /// Of the chain; 0 where messages are sooner there.
  std::int64_t chunks_of(const common::Delivery& delivery, DeviceId from) const {
    if (num_chunks_ > 0) return num_chunks_;
    const std::vector<DeviceId>& receivers = delivery.receivers;
    const common::Pipeline chain =
        common::best_pipeline(cluster_, from, receivers, delivery.bytes, most_chunks_);
    const bool is_sooner =
        chain.seconds <= common::copies_s(cluster_, from, receivers, delivery.bytes);
    return is_sooner ? chain.num_chunks : 0;
  }

  const Cluster& cluster_;
  std::int64_t num_chunks_, most_chunks_;
  TransferPlan plan_;
};

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
      : arrangement_{common::order_named(options.get<std::string>("order", "ensemble")),
                     common::whole_option(options, "node_budget", common::kNodeBudget,
                                          {.least = 0}),
                     static_cast<std::uint64_t>(options.get<std::int64_t>("seed", 1))},
        concurrent_(options.get<bool>("concurrent", false)),
        chunks_(common::whole_option(options, "chunks", 0, {.least = 0})) {}

  TransferPlan plan(const ReshardProblem& problem) override {
    const common::Crossings all = common::crossings(problem);
    const common::HostSchedule schedule = common::arrange(all.tasks, arrangement_);
    ChainWriter writer(problem.cluster, chunks_, all);
    for (const auto* list : {&all.in_place, &all.on_host}) {
      for (const common::Delivery& delivery : *list)
        writer.send(delivery, delivery.senders.front());
    }
    Turns turns(common::num_hosts(all.tasks));
    for (const std::int32_t index : schedule.order) {
      const auto i = static_cast<std::size_t>(index);
      const common::HostTask& task = all.tasks[i];
      const std::int32_t host = schedule.sender[i];
      std::vector<std::int32_t> after;
      if (!concurrent_) after = turns.before(task, host);
      const DeviceId from = first_on(problem.cluster, host, all.across[i].senders);
      turns.take(task, host, writer.send(all.across[i], from, std::move(after)));
    }
    return writer.take();
  }

 private:
  static DeviceId first_on(const Cluster& cluster, std::int32_t host,
                           const std::vector<DeviceId>& devices) {
    return *std::find_if(devices.begin(), devices.end(),
                         [&](DeviceId device) { return common::host_of(cluster, device) == host; });
  }

  common::ArrangementOptions arrangement_;
  bool concurrent_;
  std::int64_t chunks_;
};

}  // namespace
}  // namespace rhino

RHINO_PLUGIN("resharding/broadcast", rhino::Broadcast,
             "pipelined chains, load-balanced and ordered (AlpaComm)")
