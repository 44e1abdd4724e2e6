// SPDX-License-Identifier: Apache-2.0
#include "simulate/transfers.hpp"

#include <algorithm>
#include <limits>
#include <utility>

namespace rhino::simulate {
namespace {

constexpr double kNever = std::numeric_limits<double>::infinity();

template <class Vector, class Index>
auto& at(Vector& vector, Index index) {
  return vector[static_cast<std::size_t>(index)];
}

}  // namespace

Transfers::Transfers(const plan::ExecutionPlan& plan, const cost::CostModel& cost)
    : cost_(cost),
      host_of_(plan.cluster.host_of),
      network_(plan.cluster),
      queues_(2 * host_of_.size()),
      num_launches_(host_of_.size()) {
  for (const plan::Communication& communication : plan.communications)
    wirings_.push_back(wire(communication));
}

Transfers::Message Transfers::describe(const plan::Communication& communication,
                                       const plan::TransferStep& step) {
  Message message{.from = step.from, .to = step.to};
  const std::int64_t bytes = plan::message_bytes(communication, step);
  message.takes_turn = plan::takes_turn(bytes) && step.from != step.to;
  message.num_blockers = message.takes_turn ? 2 : 1;
  if (bytes <= plan::kPieceBytes) {
    if (bytes > 0) message.bytes = {static_cast<double>(bytes)};
    return message;
  }
  const std::int64_t element_bytes = dtype_bytes(at(communication.parts, step.part).dtype);
  const plan::MessageCut cut(step.global.size, element_bytes);
  const std::int64_t num_bundles = std::min(cut.num_pieces(), kMostPieces);
  for (std::int64_t b = 0; b < num_bundles; ++b) {
    message.bytes.push_back(num_bundles == cut.num_pieces()
                                ? static_cast<double>(num_elements(cut.box(b)) * element_bytes)
                                : static_cast<double>(bytes) / static_cast<double>(num_bundles));
  }
  return message;
}

std::int32_t Transfers::member(Wiring& wiring, DeviceId device) {
  const auto [found, is_new] =
      wiring.members.try_emplace(device, static_cast<std::int32_t>(wiring.devices.size()));
  if (is_new) {
    wiring.devices.push_back(device);
    wiring.messages_of.emplace_back();
  }
  return found->second;
}

Transfers::Wiring Transfers::wire(const plan::Communication& communication) {
  Wiring wiring;
  for (std::size_t s = 0; s < communication.steps.size(); ++s) {
    const plan::TransferStep& step = communication.steps[s];
    const auto index = static_cast<std::int32_t>(s);
    Message message = describe(communication, step);
    if (!message.bytes.empty()) {
      message.sender = member(wiring, step.from);
      message.receiver = member(wiring, step.to);
      at(wiring.messages_of, message.sender).push_back(index);
      if (step.from != step.to) at(wiring.messages_of, message.receiver).push_back(index);
      for (const std::int32_t earlier : step.after) {
        Message& before = at(wiring.messages, earlier);
        if (before.bytes.empty()) continue;
        const bool follows =
            step.from != step.to && plan::follows_by_pieces(at(communication.steps, earlier), step);
        before.next.push_back(index);
        if (follows) message.followed = earlier;
        else ++message.num_blockers;
      }
    }
    wiring.messages.push_back(std::move(message));
  }
  return wiring;
}

std::int32_t Transfers::add(std::int32_t communication) {
  const Wiring& wiring = at(wirings_, communication);
  Use& use = uses_.emplace_back();
  use.number = static_cast<std::int32_t>(uses_.size() - 1);
  use.wiring = &wiring;
  for (const Message& message : wiring.messages)
    use.states.push_back({.num_blockers = message.num_blockers});
  use.launch.assign(wiring.devices.size(), -1);
  use.end_s.assign(wiring.devices.size(), kNever);
  for (const std::vector<std::int32_t>& messages : wiring.messages_of)
    use.num_left.push_back(static_cast<std::int32_t>(messages.size()));
  return use.number;
}

void Transfers::start(std::int32_t number, DeviceId device, double now_s) {
  now_s_ = now_s;
  Use& use = at(uses_, number);
  const Wiring& wiring = *use.wiring;
  const auto found = wiring.members.find(device);
  if (found == wiring.members.end()) return;
  at(use.launch, found->second) = at(num_launches_, device)++;
  const std::vector<std::int32_t>& messages = at(wiring.messages_of, found->second);
  for (const std::int32_t index : messages) {
    const Message& message = at(wiring.messages, index);
    if (message.from == device || message.takes_turn) --at(use.states, index).num_blockers;
  }
  for (const std::int32_t index : messages) {
    if (at(wiring.messages, index).from == device) make_ready(use, index);
    else if (at(use.states, index).num_arrived > 0) complete(use, index);
    else make_ready(use, index);
  }
}

double Transfers::end_s(std::int32_t number, DeviceId device) const {
  const Use& use = at(uses_, number);
  const auto found = use.wiring->members.find(device);
  return found == use.wiring->members.end() ? 0 : at(use.end_s, found->second);
}

double Transfers::next_s() {
  if (!called_.empty()) return now_s_;
  return std::min(events_.empty() ? kNever : events_.top().time_s, network_.next_arrival_s());
}

std::vector<Transfers::Ended> Transfers::advance() {
  const double event_s = events_.empty() ? kNever : events_.top().time_s;
  const double arrival_s = network_.next_arrival_s();
  if (!called_.empty() && std::min(event_s, arrival_s) > now_s_) {
    send_ready();
  } else if (event_s <= arrival_s) {
    now_s_ = event_s;
    const Piece piece = events_.top().piece;
    events_.pop();
    launch(piece);
  } else {
    now_s_ = arrival_s;
    for (const std::int32_t id : network_.take_arrived(now_s_)) arrive(at(pieces_, id));
  }
  return std::exchange(ended_, {});
}

void Transfers::push(double time_s, const Piece& piece) {
  events_.push({time_s, num_events_++, piece});
}

/// All pieces that wait for nothing more.
void Transfers::make_ready(Use& use, std::int32_t index) {
  const Message& message = at(use.wiring->messages, index);
  State& state = at(use.states, index);
  if (state.num_blockers > 0) return;
  if (message.from == message.to) {
    if (state.num_arrived > 0) return;
    state.num_arrived = static_cast<std::int32_t>(message.bytes.size());
    return complete(use, index);
  }
  std::int64_t most =
      std::min<std::int64_t>(std::ssize(message.bytes), state.num_arrived + plan::kWindowPieces);
  if (message.followed >= 0)
    most = std::min<std::int64_t>(most, at(use.states, message.followed).num_arrived);
  for (; state.num_ready < most; ++state.num_ready) {
    if (!message.takes_turn) {
      depart({&use, index, state.num_ready});
      continue;
    }
    Queue& queue = queue_of(message);
    queue.turns.push({at(use.launch, message.sender), index, state.num_ready, &use});
    call(queue);
  }
}

Transfers::Queue& Transfers::queue_of(const Message& message) {
  const bool crosses = at(host_of_, message.from) != at(host_of_, message.to);
  return at(queues_, 2 * message.from + (crosses ? 1 : 0));
}

/// Not at once: what else becomes ready at the same time may come first.
void Transfers::call(Queue& queue) {
  if (!std::exchange(queue.is_called, true)) called_.push_back(&queue);
}

void Transfers::send_ready() {
  for (Queue* queue : std::exchange(called_, {})) {
    queue->is_called = false;
    while (const std::optional<plan::Turn> turn = queue->turns.next())
      depart({static_cast<Use*>(turn->owner), turn->step, turn->piece});
  }
}

/// Pieces follow the first one of their message as the link allows.
void Transfers::depart(const Piece& piece) {
  const Message& message = at(piece.use->wiring->messages, piece.message);
  State& state = at(piece.use->states, piece.message);
  if (piece.bundle == 0) state.first_s = now_s_ + latency_s(message.from, message.to);
  push(std::max(now_s_, state.first_s), piece);
}

void Transfers::launch(const Piece& piece) {
  const Message& message = at(piece.use->wiring->messages, piece.message);
  network_.send({.id = static_cast<std::int32_t>(pieces_.size()),
                 .from = message.from,
                 .to = message.to,
                 .bytes = at(message.bytes, piece.bundle),
                 .is_small = !message.takes_turn},
                now_s_);
  pieces_.push_back(piece);
}

void Transfers::arrive(const Piece& piece) {
  Use& use = *piece.use;
  const Message& message = at(use.wiring->messages, piece.message);
  State& state = at(use.states, piece.message);
  ++state.num_arrived;
  if (message.takes_turn) {
    Queue& queue = queue_of(message);
    queue.turns.end({at(use.launch, message.sender), piece.message, piece.bundle});
    call(queue);
    make_ready(use, piece.message);
    pass_on(use, piece.message);
  }
  if (state.num_arrived < std::ssize(message.bytes)) return;
  leave(use, message.sender);
  if (at(use.launch, message.receiver) >= 0) complete(use, piece.message);
}

/// A piece has arrived that others follow.
void Transfers::pass_on(Use& use, std::int32_t index) {
  for (const std::int32_t next : at(use.wiring->messages, index).next) {
    if (at(use.wiring->messages, next).followed == index) make_ready(use, next);
  }
}

/// A message has arrived as a whole where it is expected.
void Transfers::complete(Use& use, std::int32_t index) {
  const Message& message = at(use.wiring->messages, index);
  leave(use, message.receiver);
  for (const std::int32_t next : message.next) {
    if (at(use.wiring->messages, next).followed != index) --at(use.states, next).num_blockers;
    make_ready(use, next);
  }
}

void Transfers::leave(Use& use, std::int32_t member) {
  if (--at(use.num_left, member) > 0) return;
  at(use.end_s, member) = now_s_;
  ended_.push_back({use.number, at(use.wiring->devices, member)});
}

}  // namespace rhino::simulate
