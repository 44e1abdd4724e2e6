// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <queue>
#include <unordered_map>
#include <vector>

#include "cost/cost.hpp"
#include "plan/execution_plan.hpp"
#include "plan/send_order.hpp"
#include "simulate/classes.hpp"
#include "simulate/network.hpp"

namespace rhino::simulate {

/// The transfers of a plan under way: their messages leave as plan/send_order.hpp says and share
/// the network; the first piece of a message takes the latency of its link. What tells a sender
/// that a receiver has begun takes no time. A message of more pieces than kMostPieces goes in so
/// many bundles of pieces: that bounds the cost.
///
/// Of each class of devices one sends: a message is that of all senders of its class, and comes to
/// the representative of its receivers' class. What becomes ready at one time leaves once all else
/// at this time has happened, in the order of its device: so no tie is decided between devices.
class Transfers {
 public:
  static constexpr std::int64_t kMostPieces = 32;

  /// `cost` must live as long.
  Transfers(const plan::ExecutionPlan& plan, const cost::CostModel& cost, const Classes& classes,
            const Grid& grid = Grid(0));

  /// A new use of a communication; returns its number.
  std::int32_t add(std::int32_t communication);
  /// A use is over, for all devices, and its number free.
  void remove(std::int32_t use);
  /// `device`, which is walked, begins its part of a use. Times never go back.
  void start(std::int32_t use, DeviceId device, double now_s);
  /// When a device's part of a use has ended; infinity: not yet. 0 where it has none.
  double end_s(std::int32_t use, DeviceId device) const;

  /// What others send through the same network, one message of a flow at a time, on a connection of
  /// its own. `route` must live until it has arrived.
  std::int32_t add_flow();
  struct FlowMessage {
    const Network::Route& route;
    double bytes = 0;
    double latency_s = 0;  ///< before it enters the network
  };
  void send_flow(std::int32_t flow, const FlowMessage& message, double now_s);

  /// When next something happens if nobody starts anything; infinity: never.
  double next_s();
  /// Lets it happen; returns who has ended a part then.
  struct Ended {
    std::int32_t use = 0;  ///< or a flow
    DeviceId device = 0;   ///< -1: of a flow
  };
  std::vector<Ended> advance();

  /// Adds all of it, once nothing else happens at this time. `uses`: those that are not over, in an
  /// order that tells them apart.
  void add_to(State& state, const std::vector<std::int32_t>& uses) const;

 private:
  struct Range {
    std::int32_t first = 0, last = 0;  ///< half-open
  };
  /// A message, the same in all uses of its communication.
  struct Message {
    std::int32_t sender = 0, receiver = 0;  ///< into Wiring::devices
    bool takes_turn = false, is_local = false;
    std::int32_t queue = 0;       ///< of its sender, for its class of links
    std::int32_t connection = 0;  ///< of the network
    const Network::Route* route = nullptr;
    double latency_s = 0;
    std::int32_t num_blockers = 0;  ///< what the first piece waits for
    std::int32_t followed = -1;     ///< the message whose pieces it passes on
    std::int32_t num_bundles = 0;
    std::int32_t period = 1;  ///< the last bundle of so many is of `last_bytes`
    double bytes = 0, last_bytes = 0;
    Range next;       ///< into Wiring::after: messages that wait for it
    Range followers;  ///< messages that pass on its pieces

    double bytes_of(std::int32_t bundle) const {
      return bundle % period == period - 1 ? last_bytes : bytes;
    }
  };
  /// A message that comes after another.
  struct After {
    std::int32_t before = 0, own = 0;
    bool follows = false;
  };
  struct Wiring {
    std::vector<Message> messages;
    std::vector<std::int32_t> after;  ///< all lists of messages, side by side
    std::vector<DeviceId> devices;
    std::unordered_map<DeviceId, std::int32_t> members;      ///< into devices
    std::vector<std::vector<std::int32_t>> sends, receives;  ///< per device; local: sends
    std::vector<std::int32_t> free_uses;
  };
  /// A message of one use.
  struct Progress {
    std::int32_t num_blockers = 0, num_ready = 0, num_arrived = 0;
    double first_s = 0;  ///< when its first piece enters the network
  };
  struct Use {
    std::int32_t number = 0;
    Wiring* wiring = nullptr;
    std::vector<Progress> progress;
    std::vector<std::int64_t> launch;    ///< per device; -1: not begun
    std::vector<std::int32_t> num_left;  ///< per device: messages in which it still has a part
    std::vector<double> end_s;
  };
  /// A piece between its turn and its arrival; without a use: of a flow.
  struct Piece {
    Use* use = nullptr;
    std::int32_t message = 0, bundle = 0;
  };
  struct Flow {
    std::int32_t connection = 0;
    const Network::Route* route = nullptr;
    double bytes = 0;
  };
  struct Event {
    double time_s = 0;
    std::int64_t order = 0;  ///< keeps the order of a device at one time
    Piece piece;
    bool operator>(const Event& other) const {
      return std::pair(time_s, order) > std::pair(other.time_s, other.order);
    }
  };
  /// Of a device, over one class of links.
  struct Queue {
    plan::SendQueue turns;
    std::vector<plan::Turn> small;  ///< those that take no turn
    bool is_called = false;         ///< looked at once all else at this time has happened
  };

  struct Ends {
    DeviceId from = 0, to = 0;
  };
  Wiring wire(const plan::ExecutionPlan& plan, const plan::Communication& communication,
              const Classes& classes);
  Message describe(const plan::Communication& communication, const plan::TransferStep& step,
                   const Ends& ends, const Classes& classes);
  static void cut(const plan::Communication& communication, const plan::TransferStep& step,
                  Message& message);
  static std::int32_t member(Wiring& wiring, DeviceId device);
  static void add_ends(DeviceId from, DeviceId to, Wiring& wiring);
  static void put_after(std::vector<After> list, Wiring& wiring);

  void add_use(State& state, const Use& use) const;
  bool is_event_due() const;
  void launch_due();
  void take_arrived();
  void make_ready(Use& use, std::int32_t message);
  void make_followers_ready(Use& use, const Message& message);
  void depart(const plan::Turn& turn);
  void launch(const Piece& piece);
  Queue& call(const Message& message);
  void send_ready();
  void arrive(const Piece& piece);
  void complete(Use& use, std::int32_t message);
  void leave(Use& use, std::int32_t member);

  const cost::CostModel& cost_;
  Grid grid_;
  Network network_;
  /// By sender and receiver; -1, -2: all small messages of a sender, inside its host and out of it.
  std::map<std::pair<DeviceId, DeviceId>, std::int32_t> connections_;
  std::map<std::pair<DeviceId, DeviceId>, Network::Route> routes_;
  std::vector<Queue> queues_;  ///< per device: inside its host, over its interface
  std::vector<Queue*> called_;
  std::vector<std::int64_t> num_launches_;  ///< per device
  std::vector<Wiring> wirings_;             ///< per communication
  std::vector<Flow> flows_;
  std::deque<Use> uses_;
  std::vector<Piece> pieces_;  ///< by the number that the network knows them by
  std::vector<std::int32_t> free_pieces_;
  std::priority_queue<Event, std::vector<Event>, std::greater<>> events_;
  std::int64_t num_events_ = 0;
  double now_s_ = 0;
  std::vector<Ended> ended_;
};

}  // namespace rhino::simulate
