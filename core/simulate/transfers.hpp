// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <queue>
#include <unordered_map>
#include <vector>

#include "cost/cost.hpp"
#include "plan/execution_plan.hpp"
#include "plan/send_order.hpp"
#include "simulate/network.hpp"

namespace rhino::simulate {

/// The transfers of a plan under way: their messages leave as plan/send_order.hpp says and share
/// the network; the first piece of a message takes the latency of its link. What tells a sender
/// that a receiver has begun takes no time. A message of more pieces than kMostPieces goes in so
/// many bundles of pieces: that bounds the cost.
class Transfers {
 public:
  static constexpr std::int64_t kMostPieces = 32;

  /// `cost` must live as long.
  Transfers(const plan::ExecutionPlan& plan, const cost::CostModel& cost);

  /// A new use of a communication; returns its number.
  std::int32_t add(std::int32_t communication);
  /// `device` begins its part of a use. Times never go back.
  void start(std::int32_t use, DeviceId device, double now_s);
  /// When a device's part of a use has ended; infinity: not yet. 0 where it has none.
  double end_s(std::int32_t use, DeviceId device) const;

  /// When next something happens if nobody starts anything; infinity: never.
  double next_s();
  /// Lets it happen; returns who has ended a part then.
  struct Ended {
    std::int32_t use = 0;
    DeviceId device = 0;
  };
  std::vector<Ended> advance();

 private:
  /// A message, the same in all uses of its communication.
  struct Message {
    DeviceId from = 0, to = 0;
    std::int32_t sender = 0, receiver = 0;  ///< into Wiring::devices
    bool takes_turn = false;
    std::int32_t num_blockers = 0;   ///< what the first piece waits for
    std::int32_t followed = -1;      ///< the message whose pieces it passes on
    std::vector<double> bytes;       ///< per bundle
    std::vector<std::int32_t> next;  ///< messages after it, or that pass on its pieces
  };
  struct Wiring {
    std::vector<Message> messages;
    std::vector<DeviceId> devices;
    std::unordered_map<DeviceId, std::int32_t> members;  ///< into devices
    std::vector<std::vector<std::int32_t>> messages_of;  ///< per device
  };
  /// A message of one use.
  struct State {
    std::int32_t num_blockers = 0, num_ready = 0, num_arrived = 0;
    double first_s = 0;  ///< when its first piece enters the network
  };
  struct Use {
    std::int32_t number = 0;
    const Wiring* wiring = nullptr;
    std::vector<State> states;
    std::vector<std::int64_t> launch;    ///< per device; -1: not begun
    std::vector<std::int32_t> num_left;  ///< per device: messages in which it still has a part
    std::vector<double> end_s;
  };
  /// A piece between its turn and its arrival.
  struct Piece {
    Use* use = nullptr;
    std::int32_t message = 0, bundle = 0;
  };
  struct Event {
    double time_s = 0;
    std::int64_t order = 0;  ///< makes ties deterministic
    Piece piece;
    bool operator>(const Event& other) const {
      return std::pair(time_s, order) > std::pair(other.time_s, other.order);
    }
  };
  struct Queue {
    plan::SendQueue turns;
    bool is_called = false;  ///< looked at once all else at this time has happened
  };

  static Wiring wire(const plan::Communication& communication);
  static Message describe(const plan::Communication& communication, const plan::TransferStep& step);
  static std::int32_t member(Wiring& wiring, DeviceId device);
  Queue& queue_of(const Message& message);
  double latency_s(DeviceId from, DeviceId to) const { return cost_.link(from, to).latency_s; }

  void push(double time_s, const Piece& piece);
  void make_ready(Use& use, std::int32_t message);
  void depart(const Piece& piece);
  void launch(const Piece& piece);
  void call(Queue& queue);
  void send_ready();
  void arrive(const Piece& piece);
  void pass_on(Use& use, std::int32_t message);
  void complete(Use& use, std::int32_t message);
  void leave(Use& use, std::int32_t member);

  const cost::CostModel& cost_;
  std::vector<std::int32_t> host_of_;
  Network network_;
  std::vector<Queue> queues_;  ///< per device: inside its host, over its interface
  std::vector<Queue*> called_;
  std::vector<std::int64_t> num_launches_;  ///< per device
  std::vector<Wiring> wirings_;             ///< per communication
  std::deque<Use> uses_;
  std::vector<Piece> pieces_;  ///< by the number that the network knows them by
  std::priority_queue<Event, std::vector<Event>, std::greater<>> events_;
  std::int64_t num_events_ = 0;
  double now_s_ = 0;
  std::vector<Ended> ended_;
};

}  // namespace rhino::simulate
