// SPDX-License-Identifier: Apache-2.0
#include <catch2/catch.hpp>
#include <map>
#include <queue>
#include <random>

#include "../plan/random_transfers.hpp"
#include "conformance/random_reshard.hpp"
#include "device_network.hpp"
#include "plan/single_communication.hpp"
#include "rhino/index.hpp"
#include "runtime/transport/transfer_graph.hpp"
#include "simulate/transfers.hpp"

/// The same transfers, begun by the same devices at the same times, through the task graphs that
/// the transport runs and through the simulator: every device must end its part at the same time.
using namespace rhino;

namespace {

using simulate::kNever;

struct Start {
  double time_s = 0;
  std::int32_t use = 0;
  DeviceId device = 0;
};

/// Runs the graphs of all devices as a TaskRunner does, with the simulator's network for UCX:
/// messages take a latency and share links, notices and local work take no time.
class Ranks {
 public:
  Ranks(const plan::ExecutionPlan& plan, std::int32_t num_uses)
      : cluster_(plan.cluster),
        network_(plan.cluster),
        queues_(2 * at(cluster_.num_devices())),
        num_launches_(at(cluster_.num_devices())) {
    for (DeviceId device = 0; device < cluster_.num_devices(); ++device)
      graphs_.push_back(graph_of(plan, device));
    for (std::int32_t i = 0; i < num_uses * cluster_.num_devices(); ++i) {
      const runtime::TaskGraph& graph = graphs_[at(i % cluster_.num_devices())];
      Part& part = parts_.emplace_back();
      for (const runtime::Task& task : graph.tasks) part.num_before.push_back(task.num_before);
      part.num_left = graph.tasks.size();
    }
  }

  /// When each device ends its part of each use, by use * devices + device.
  std::vector<double> run(const std::vector<Start>& starts) {
    for (const Start& start : starts) push(start.time_s, {part_of(start.use, start.device), -1});
    while (advance()) {
    }
    std::vector<double> ends;
    for (const Part& part : parts_) ends.push_back(part.end_s);
    return ends;
  }

 private:
  struct Part {
    bool begun = false;
    std::int64_t launch = 0;
    std::vector<std::int32_t> num_before;
    std::size_t num_left = 0;
    double end_s = kNever;
  };
  struct Where {
    std::int64_t part = 0;
    std::int32_t task = 0;  ///< -1: the part begins
  };
  using Event = std::tuple<double, std::int64_t, std::int64_t, std::int32_t>;

  static runtime::TaskGraph graph_of(const plan::ExecutionPlan& plan, DeviceId device) {
    const plan::Communication& communication = plan.communications[0];
    const std::size_t num_parts = communication.parts.size();
    runtime::TransferParty party{.rank = device};
    for (DeviceId rank = 0; rank < plan.cluster.num_devices(); ++rank) {
      party.devices.push_back(rank);
      party.in_place.push_back(false);
      runtime::TransferTiles& tiles = party.tiles.emplace_back();
      tiles.sources.resize(num_parts);
      tiles.targets.resize(num_parts);
      for (const plan::Role& role : plan.roles) {
        if (std::count(role.mesh.devices.begin(), role.mesh.devices.end(), rank) == 0) continue;
        const plan::Instruction& start = role.instructions.front();
        for (std::size_t p = 0; p < num_parts; ++p) {
          if (start.inputs[p] >= 0) tiles.sources[p] = &role.buffers[at(start.inputs[p])].shape;
          if (start.outputs[p] >= 0) tiles.targets[p] = &role.buffers[at(start.outputs[p])].shape;
        }
      }
    }
    return runtime::build_transfer(communication, party, {plan::kPieceBytes, plan::kWindowPieces});
  }

  std::int64_t part_of(std::int64_t use, DeviceId device) const {
    return use * cluster_.num_devices() + device;
  }
  DeviceId device_of(const Where& where) const {
    return static_cast<DeviceId>(where.part % cluster_.num_devices());
  }
  const runtime::Task& task(const Where& where) const {
    return graphs_[at(device_of(where))].tasks[at(where.task)];
  }
  void push(double time_s, const Where& where) {
    events_.push({time_s, num_events_++, where.part, where.task});
  }

  /// What is ready leaves once all else at this time has happened.
  bool advance() {
    const double event_s = events_.empty() ? kNever : std::get<0>(events_.top());
    const double arrival_s = network_.next_arrival_s();
    if (std::min(event_s, arrival_s) > now_s_ && leave()) return true;
    if (event_s == kNever && arrival_s == kNever) return false;
    if (event_s <= arrival_s) {
      const auto [time_s, order, part, index] = events_.top();
      events_.pop();
      now_s_ = time_s;
      if (index < 0) begin({part, -1});
      else fly({part, index});
      return true;
    }
    now_s_ = arrival_s;
    for (const std::int32_t id : network_.take_arrived(now_s_)) {
      const Where send = flying_[at(id)];
      if (task(send).step >= 0) queue_of(send).end(turn_of(send));
      arrive(send);
      finish(send);
    }
    return true;
  }
  bool leave() {
    bool moved = !small_.empty();
    for (const auto& [turn, where] : std::exchange(small_, {})) depart(where);
    for (std::size_t q = 0; q < queues_.size(); ++q) {
      while (const std::optional<plan::Turn> turn = queues_[q].next()) {
        moved = true;
        depart(waiting_.at({static_cast<std::int32_t>(q / 2), turn->launch, turn->piece}));
      }
    }
    return moved;
  }

  void begin(const Where& whole) {
    Part& part = parts_[at(whole.part)];
    part.begun = true;
    part.launch = num_launches_[at(device_of(whole))]++;
    const std::vector<runtime::Task>& tasks = graphs_[at(device_of(whole))].tasks;
    for (std::size_t i = 0; i < tasks.size(); ++i) {
      if (tasks[i].num_before == 0) ready({whole.part, static_cast<std::int32_t>(i)});
    }
  }
  void ready(const Where& where) {
    const runtime::Task& what = task(where);
    if (what.kind == runtime::TaskKind::work) return finish(where);
    if (what.kind == runtime::TaskKind::receive) {
      Where& posted = posted_.try_emplace(message_of(where), Where{0, -1}).first->second;
      if (posted.task == kArrived) return finish(where);
      posted = where;
    } else if (what.step < 0) {
      // Notices at once; of small messages that are ready at one time the order is the device's.
      if (what.bytes == 0) depart(where);
      else small_[{device_of(where), parts_[at(where.part)].launch, where.task}] = where;
    } else {
      waiting_[{device_of(where), parts_[at(where.part)].launch, where.task}] = where;
      queue_of(where).push(turn_of(where));
    }
  }
  plan::Turn turn_of(const Where& where) const {
    return {parts_[at(where.part)].launch, task(where).step, where.task};
  }
  plan::SendQueue& queue_of(const Where& send) {
    const bool crosses =
        cluster_.host_of[at(device_of(send))] != cluster_.host_of[at(task(send).peer)];
    return queues_[at(2 * device_of(send) + (crosses ? 1 : 0))];
  }
  void depart(const Where& send) {
    if (task(send).bytes == 0) {
      finish(send);
      return arrive(send);
    }
    const DeviceId to = task(send).peer;
    const bool crosses = cluster_.host_of[at(device_of(send))] != cluster_.host_of[at(to)];
    const double latency_s = (crosses ? cluster_.inter_host : cluster_.intra_host).latency_s;
    double first_s = now_s_ + latency_s;
    if (task(send).step >= 0)
      first_s = first_s_.try_emplace({send.part, task(send).step}, first_s).first->second;
    push(std::max(now_s_, first_s), send);
  }
  void fly(const Where& send) {
    network_.send({.id = static_cast<std::int32_t>(flying_.size()),
                   .from = device_of(send),
                   .to = task(send).peer,
                   .bytes = static_cast<double>(task(send).bytes),
                   .is_small = task(send).step < 0},
                  now_s_);
    flying_.push_back(send);
  }
  /// Use, sender, receiver, number.
  using Message = std::tuple<std::int64_t, DeviceId, DeviceId, std::int32_t>;
  Message message_of(const Where& where) const {
    const bool sends = task(where).kind == runtime::TaskKind::send;
    const DeviceId own = device_of(where), peer = task(where).peer;
    return {where.part / cluster_.num_devices(), sends ? own : peer, sends ? peer : own,
            task(where).message};
  }
  void arrive(const Where& send) {
    Where& posted = posted_.try_emplace(message_of(send), Where{0, -1}).first->second;
    const Where receive = std::exchange(posted, Where{0, kArrived});
    if (receive.task >= 0) finish(receive);
  }
  void finish(const Where& where) {
    Part& part = parts_[at(where.part)];
    const runtime::TaskGraph& graph = graphs_[at(device_of(where))];
    const runtime::Task& what = task(where);
    if (--part.num_left == 0) part.end_s = now_s_;
    for (std::int32_t i = what.first_after; i < what.first_after + what.num_after; ++i) {
      const std::int32_t next = graph.successors[at(i)];
      if (--part.num_before[at(next)] == 0) ready({where.part, next});
    }
  }

  static constexpr std::int32_t kArrived = -2;

  Cluster cluster_;
  test::DeviceNetwork network_;
  std::vector<runtime::TaskGraph> graphs_;  ///< per device
  std::vector<Part> parts_;                 ///< by use * devices + device
  std::vector<plan::SendQueue> queues_;
  std::vector<std::int64_t> num_launches_;
  std::map<std::tuple<DeviceId, std::int64_t, std::int32_t>, Where> waiting_, small_;
  std::map<Message, Where> posted_;  ///< the receive; task -1: none so far
  std::vector<Where> flying_;
  std::map<std::pair<std::int64_t, std::int32_t>, double> first_s_;  ///< by part and step
  std::priority_queue<Event, std::vector<Event>, std::greater<>> events_;
  std::int64_t num_events_ = 0;
  double now_s_ = 0;
};

std::vector<double> simulated(const plan::ExecutionPlan& plan, std::int32_t num_uses,
                              const std::vector<Start>& starts) {
  const cost::CostModel cost(plan.cluster);
  const cost::Links links(plan.cluster);
  simulate::Transfers transfers(plan, cost, simulate::no_classes(links));
  for (std::int32_t use = 0; use < num_uses; ++use) transfers.add(0);
  for (const Start& start : starts) {
    while (transfers.next_s() < start.time_s) transfers.advance();
    transfers.start(start.use, start.device, start.time_s);
  }
  while (transfers.next_s() < kNever) transfers.advance();
  std::vector<double> ends;
  for (std::int32_t use = 0; use < num_uses; ++use) {
    for (DeviceId device = 0; device < plan.cluster.num_devices(); ++device)
      ends.push_back(transfers.end_s(use, device));
  }
  return ends;
}

}  // namespace

TEST_CASE("the simulator lets messages leave as the transport does") {
  const auto seed = GENERATE(range(0U, 60U));
  INFO("seed " << seed);
  std::mt19937 random(seed);
  const ReshardProblem problem = conformance::random_reshard(
      {.hosts = {2, 2}, .devices_per_host = {3, 3}, .extent = {1, 100}}, random);
  plan::ExecutionPlan plan = plan::reshard_plan(problem, test::random_transfers(problem, random));
  plan.cluster.intra_host = {4.1e9, 3e-6, 0};
  plan.cluster.inter_host = {1.3e9, 41e-6, 0};

  constexpr std::int32_t kUses = 3;
  std::uniform_real_distribution<double> time_s(0, 2e-3);
  std::vector<Start> starts;
  for (std::int32_t use = 0; use < kUses; ++use) {
    for (DeviceId device = 0; device < plan.cluster.num_devices(); ++device)
      starts.push_back({time_s(random), use, device});
  }
  std::sort(starts.begin(), starts.end(),
            [](const Start& a, const Start& b) { return a.time_s < b.time_s; });

  const std::vector<double> wanted = Ranks(plan, kUses).run(starts);
  const std::vector<double> got = simulated(plan, kUses, starts);
  REQUIRE(got.size() == wanted.size());
  for (std::size_t i = 0; i < got.size(); ++i) {
    INFO("use " << i / 6 << ", device " << i % 6);
    if (got[i] == 0) CHECK(wanted[i] == kNever);  // no part
    else CHECK(got[i] == Approx(wanted[i]).epsilon(1e-9));
  }
}
