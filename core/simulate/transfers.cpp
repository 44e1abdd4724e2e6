// SPDX-License-Identifier: Apache-2.0
#include "simulate/transfers.hpp"

#include <algorithm>
#include <limits>
#include <tuple>
#include <utility>

#include "rhino/index.hpp"

namespace rhino::simulate {
namespace {

constexpr double kNever = std::numeric_limits<double>::infinity();

void add_once(std::vector<std::int32_t>& list, std::int32_t value) {
  if (std::find(list.begin(), list.end(), value) == list.end()) list.push_back(value);
}

}  // namespace

Transfers::Transfers(const plan::ExecutionPlan& plan, const cost::CostModel& cost,
                     const cost::Links& links, const Classes& classes)
    : cost_(cost),
      network_(links.bytes_per_s()),
      queues_(2 * at(links.num_devices())),
      num_launches_(at(links.num_devices())) {
  for (const plan::Communication& communication : plan.communications)
    wirings_.push_back(wire(communication, links, classes));
}

std::vector<double> Transfers::bundles(const plan::Communication& communication,
                                       const plan::TransferStep& step) {
  const std::int64_t bytes = plan::message_bytes(communication, step);
  if (bytes == 0) return {};
  if (bytes <= plan::kPieceBytes) return {static_cast<double>(bytes)};
  const std::int64_t element_bytes = dtype_bytes(communication.parts[at(step.part)].dtype);
  const plan::MessageCut cut(step.global.size, element_bytes);
  const std::int64_t num_bundles = std::min(cut.num_pieces(), kMostPieces);
  std::vector<double> list;
  for (std::int64_t b = 0; b < num_bundles; ++b) {
    list.push_back(num_bundles == cut.num_pieces()
                       ? static_cast<double>(num_elements(cut.box(b)) * element_bytes)
                       : static_cast<double>(bytes) / static_cast<double>(num_bundles));
  }
  return list;
}

Transfers::Message Transfers::describe(const plan::Communication& communication,
                                       const plan::TransferStep& step, const cost::Links& links,
                                       const Classes& classes) {
  Message message{.is_local = step.from == step.to, .bytes = bundles(communication, step)};
  message.takes_turn =
      plan::takes_turn(plan::message_bytes(communication, step)) && !message.is_local;
  message.num_blockers = message.takes_turn ? 2 : 1;
  if (message.is_local) return message;
  const std::vector<std::int32_t>& host_of = cost_.cluster().host_of;
  const bool crosses = host_of[at(step.from)] != host_of[at(step.to)];
  message.queue = 2 * step.from + (crosses ? 1 : 0);
  message.latency_s = cost_.link(step.from, step.to).latency_s;
  const DeviceId end = message.takes_turn ? step.to : (crosses ? -2 : -1);
  const auto [connection, is_new] = connections_.try_emplace({step.from, end}, 0);
  if (is_new) connection->second = network_.add_connection();
  message.connection = connection->second;
  Network::Route& route = routes_[{step.from, step.to}];
  if (route.empty()) route = classes.route(links, step.from, step.to);
  message.route = &route;
  return message;
}

std::int32_t Transfers::member(Wiring& wiring, DeviceId device) {
  const auto [found, is_new] =
      wiring.members.try_emplace(device, static_cast<std::int32_t>(wiring.devices.size()));
  if (is_new) {
    wiring.devices.push_back(device);
    wiring.sends.emplace_back();
    wiring.receives.emplace_back();
  }
  return found->second;
}

Transfers::Wiring Transfers::wire(const plan::Communication& communication,
                                  const cost::Links& links, const Classes& classes) {
  Wiring wiring;
  const std::vector<plan::TransferStep>& steps = communication.steps;
  // Per step, the message that stands for it; of each device that is walked, those that it sends.
  std::vector<std::int32_t> message_of(steps.size(), -1);
  std::unordered_map<DeviceId, std::vector<std::int32_t>> sent;
  for (std::size_t s = 0; s < steps.size(); ++s) {
    if (!classes.is_walked(steps[s].from)) continue;
    const auto index = static_cast<std::int32_t>(wiring.messages.size());
    sent[steps[s].from].push_back(index);
    Message& message =
        wiring.messages.emplace_back(describe(communication, steps[s], links, classes));
    if (message.bytes.empty()) continue;
    message.sender = member(wiring, steps[s].from);
    message.receiver = member(wiring, classes.representative[at(steps[s].to)]);
    wiring.sends[at(message.sender)].push_back(index);
    if (!message.is_local) wiring.receives[at(message.receiver)].push_back(index);
  }
  std::unordered_map<DeviceId, std::size_t> num_seen;
  for (std::size_t s = 0; s < steps.size(); ++s) {
    const DeviceId from = steps[s].from;
    message_of[s] = sent[classes.representative[at(from)]][num_seen[from]++];
  }
  for (std::size_t s = 0; s < steps.size(); ++s) {
    if (classes.is_walked(steps[s].from)) set_blockers(communication, steps[s], message_of, wiring);
  }
  return wiring;
}

void Transfers::set_blockers(const plan::Communication& communication,
                             const plan::TransferStep& step,
                             const std::vector<std::int32_t>& message_of, Wiring& wiring) {
  const std::int32_t own = message_of[at(&step - communication.steps.data())];
  Message& message = wiring.messages[at(own)];
  if (message.bytes.empty()) return;
  std::vector<std::int32_t> blockers;
  for (const std::int32_t earlier : step.after) {
    const std::int32_t before = message_of[at(earlier)];
    if (wiring.messages[at(before)].bytes.empty()) continue;
    if (!message.is_local && plan::follows_by_pieces(communication.steps[at(earlier)], step)) {
      message.followed = before;
    } else {
      add_once(blockers, before);
    }
  }
  if (message.followed >= 0) wiring.messages[at(message.followed)].followers.push_back(own);
  for (const std::int32_t before : blockers) wiring.messages[at(before)].next.push_back(own);
  message.num_blockers += static_cast<std::int32_t>(blockers.size());
}

std::int32_t Transfers::add(std::int32_t communication) {
  Wiring& wiring = wirings_[at(communication)];
  if (wiring.free_uses.empty()) {
    wiring.free_uses.push_back(static_cast<std::int32_t>(uses_.size()));
    uses_.push_back({.number = wiring.free_uses.back(), .wiring = &wiring});
  }
  Use& use = uses_[at(wiring.free_uses.back())];
  wiring.free_uses.pop_back();
  use.states.clear();
  for (const Message& message : wiring.messages)
    use.states.push_back({.num_blockers = message.num_blockers});
  use.launch.assign(wiring.devices.size(), -1);
  use.end_s.assign(wiring.devices.size(), kNever);
  use.num_left.clear();
  for (std::size_t d = 0; d < wiring.devices.size(); ++d) {
    use.num_left.push_back(
        static_cast<std::int32_t>(wiring.sends[d].size() + wiring.receives[d].size()));
  }
  return use.number;
}

void Transfers::remove(std::int32_t use) { uses_[at(use)].wiring->free_uses.push_back(use); }

void Transfers::start(std::int32_t number, DeviceId device, double now_s) {
  now_s_ = now_s;
  Use& use = uses_[at(number)];
  const Wiring& wiring = *use.wiring;
  const auto found = wiring.members.find(device);
  if (found == wiring.members.end()) return;
  const std::size_t own = at(found->second);
  use.launch[own] = num_launches_[at(device)]++;
  for (const std::int32_t index : wiring.sends[own]) --use.states[at(index)].num_blockers;
  for (const std::int32_t index : wiring.receives[own]) {
    if (wiring.messages[at(index)].takes_turn) --use.states[at(index)].num_blockers;
  }
  for (const std::int32_t index : wiring.sends[own]) make_ready(use, index);
  for (const std::int32_t index : wiring.receives[own]) {
    const bool has_arrived = use.states[at(index)].num_arrived > 0;
    if (has_arrived) complete(use, index);
    else make_ready(use, index);
  }
}

std::int32_t Transfers::add_flow() {
  flows_.push_back({.connection = network_.add_connection()});
  return static_cast<std::int32_t>(flows_.size()) - 1;
}

void Transfers::send_flow(std::int32_t flow, const Network::Route& route, double bytes,
                          double at_s) {
  flows_[at(flow)].route = &route;
  flows_[at(flow)].bytes = bytes;
  events_.push({at_s, num_events_++, {nullptr, flow, 0}});
}

double Transfers::end_s(std::int32_t number, DeviceId device) const {
  const Use& use = uses_[at(number)];
  const auto found = use.wiring->members.find(device);
  return found == use.wiring->members.end() ? 0 : use.end_s[at(found->second)];
}

bool Transfers::is_event_due() const { return !events_.empty() && events_.top().time_s <= now_s_; }

double Transfers::next_s() {
  // The network is asked once all that joins it now has.
  if (!called_.empty() || is_event_due()) return now_s_;
  return std::min(events_.empty() ? kNever : events_.top().time_s, network_.next_arrival_s());
}

std::vector<Transfers::Ended> Transfers::advance() {
  if (called_.empty()) now_s_ = next_s();
  if (is_event_due()) launch_due();
  else if (called_.empty() || network_.is_due(now_s_)) take_arrived();
  else send_ready();
  return std::exchange(ended_, {});
}

void Transfers::launch_due() {
  for (; is_event_due(); events_.pop()) launch(events_.top().piece);
}

void Transfers::take_arrived() {
  for (const std::int32_t id : network_.take_arrived(now_s_)) {
    arrive(pieces_[at(id)]);
    free_pieces_.push_back(id);
  }
}

/// All pieces that wait for nothing more.
void Transfers::make_ready(Use& use, std::int32_t index) {
  const Message& message = use.wiring->messages[at(index)];
  State& state = use.states[at(index)];
  if (state.num_blockers > 0) return;
  if (message.is_local) {
    if (state.num_arrived > 0) return;
    state.num_arrived = static_cast<std::int32_t>(message.bytes.size());
    return complete(use, index);
  }
  std::int64_t most =
      std::min<std::int64_t>(std::ssize(message.bytes), state.num_arrived + plan::kWindowPieces);
  if (message.followed >= 0)
    most = std::min<std::int64_t>(most, use.states[at(message.followed)].num_arrived);
  for (; state.num_ready < most; ++state.num_ready) {
    const plan::Turn turn{use.launch[at(message.sender)], index, state.num_ready, &use};
    if (message.takes_turn) call(message).turns.push(turn);
    else call(message).small.push_back(turn);
  }
}

/// Its queue, to be looked at, but not at once: what else becomes ready at the same time may come
/// first.
Transfers::Queue& Transfers::call(const Message& message) {
  Queue& queue = queues_[at(message.queue)];
  if (!std::exchange(queue.is_called, true)) called_.push_back(&queue);
  return queue;
}

void Transfers::send_ready() {
  const auto place = [](const plan::Turn& turn) {
    return std::tuple(turn.launch, turn.step, turn.piece);
  };
  for (Queue* queue : std::exchange(called_, {})) {
    queue->is_called = false;
    std::sort(queue->small.begin(), queue->small.end(),
              [&](const plan::Turn& a, const plan::Turn& b) { return place(a) < place(b); });
    for (const plan::Turn& turn : std::exchange(queue->small, {})) depart(turn);
    while (const std::optional<plan::Turn> turn = queue->turns.next()) depart(*turn);
  }
}

/// Pieces follow the first one of their message as the link allows.
void Transfers::depart(const plan::Turn& turn) {
  Use& use = *static_cast<Use*>(turn.owner);
  State& state = use.states[at(turn.step)];
  if (turn.piece == 0) state.first_s = now_s_ + use.wiring->messages[at(turn.step)].latency_s;
  events_.push({std::max(now_s_, state.first_s), num_events_++, {&use, turn.step, turn.piece}});
}

void Transfers::launch(const Piece& piece) {
  if (free_pieces_.empty()) {
    free_pieces_.push_back(static_cast<std::int32_t>(pieces_.size()));
    pieces_.emplace_back();
  }
  const std::int32_t id = free_pieces_.back();
  free_pieces_.pop_back();
  pieces_[at(id)] = piece;
  if (piece.use == nullptr) {
    const Flow& flow = flows_[at(piece.message)];
    return network_.send({id, flow.connection, flow.route, flow.bytes}, now_s_);
  }
  const Message& message = piece.use->wiring->messages[at(piece.message)];
  network_.send({id, message.connection, message.route, message.bytes[at(piece.bundle)]}, now_s_);
}

void Transfers::arrive(const Piece& piece) {
  if (piece.use == nullptr) return ended_.push_back({piece.message, -1});
  Use& use = *piece.use;
  const Message& message = use.wiring->messages[at(piece.message)];
  State& state = use.states[at(piece.message)];
  ++state.num_arrived;
  if (message.takes_turn) {
    call(message).turns.end({use.launch[at(message.sender)], piece.message, piece.bundle});
    make_ready(use, piece.message);
    for (const std::int32_t follower : message.followers) make_ready(use, follower);
  }
  if (state.num_arrived < std::ssize(message.bytes)) return;
  leave(use, message.sender);
  if (use.launch[at(message.receiver)] >= 0) complete(use, piece.message);
}

/// A message has arrived as a whole where it is expected.
void Transfers::complete(Use& use, std::int32_t index) {
  const Message& message = use.wiring->messages[at(index)];
  leave(use, message.receiver);
  for (const std::int32_t next : message.next) {
    --use.states[at(next)].num_blockers;
    make_ready(use, next);
  }
  for (const std::int32_t follower : message.followers) make_ready(use, follower);
}

void Transfers::leave(Use& use, std::int32_t member) {
  if (--use.num_left[at(member)] > 0) return;
  use.end_s[at(member)] = now_s_;
  ended_.push_back({use.number, use.wiring->devices[at(member)]});
}

}  // namespace rhino::simulate
