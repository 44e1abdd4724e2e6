// SPDX-License-Identifier: Apache-2.0
#include "simulate/transfers.hpp"

#include <algorithm>
#include <tuple>
#include <utility>

#include "plan/shares.hpp"
#include "rhino/index.hpp"

namespace rhino::simulate {

Transfers::Transfers(const plan::ExecutionPlan& plan, const cost::CostModel& cost,
                     const Classes& classes, const Grid& grid)
    : cost_(cost),
      grid_(grid),
      network_(cost.links().bytes_per_s(), grid),
      queues_(2 * at(cost.links().num_devices())),
      num_launches_(at(cost.links().num_devices())) {
  for (const plan::Communication& communication : plan.communications)
    wirings_.push_back(wire(plan, communication, classes));
}

/// Into its pieces, or as many equal bundles of them.
void Transfers::cut(const plan::Communication& communication, const plan::TransferStep& step,
                    Message& message) {
  const std::int64_t bytes = plan::message_bytes(communication, step);
  const std::int64_t element_bytes = dtype_bytes(communication.parts[at(step.part)].dtype);
  const plan::MessageCut pieces(step.global.size, element_bytes);
  message.num_bundles = static_cast<std::int32_t>(std::min(pieces.num_pieces(), kMostPieces));
  if (message.num_bundles < pieces.num_pieces()) {
    message.bytes = message.last_bytes = static_cast<double>(bytes) / message.num_bundles;
  } else if (bytes > 0) {
    const auto bytes_of = [&](std::int64_t piece) {
      return static_cast<double>(num_elements(pieces.box(piece)) * element_bytes);
    };
    message.period = static_cast<std::int32_t>(pieces.num_per_row());
    message.bytes = bytes_of(0);
    message.last_bytes = bytes_of(message.period - 1);
  }
}

Transfers::Message Transfers::describe(const plan::Communication& communication,
                                       const plan::TransferStep& step, const Ends& ends,
                                       const Classes& classes) {
  Message message{.is_local = ends.from == ends.to};
  cut(communication, step, message);
  message.takes_turn =
      plan::takes_turn(plan::message_bytes(communication, step)) && !message.is_local;
  message.num_blockers = message.takes_turn ? 2 : 1;
  if (message.is_local) return message;
  const std::vector<std::int32_t>& host_of = cost_.cluster().host_of;
  const bool crosses = host_of[at(ends.from)] != host_of[at(ends.to)];
  message.queue = 2 * ends.from + (crosses ? 1 : 0);
  message.latency_s = grid_(cost_.link(ends.from, ends.to).latency_s);
  const DeviceId end = message.takes_turn ? ends.to : (crosses ? -2 : -1);
  const auto [connection, is_new] = connections_.try_emplace({ends.from, end}, 0);
  if (is_new) connection->second = network_.add_connection();
  message.connection = connection->second;
  Network::Route& route = routes_[{ends.from, ends.to}];
  if (route.empty()) route = classes.route(cost_.links(), ends.from, ends.to);
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

Transfers::Wiring Transfers::wire(const plan::ExecutionPlan& plan,
                                  const plan::Communication& communication,
                                  const Classes& classes) {
  Wiring wiring;
  const plan::SharedSteps shared(plan, communication);
  const std::vector<plan::TransferStep>& steps = shared.stated();
  const auto for_each_walked = [&](auto&& f) {
    for (std::int64_t share = 0; share < shared.num_shares(); ++share) {
      for (const plan::TransferStep& step : steps) {
        const DeviceId from = shared.device(share, step.from);
        if (classes.is_walked(from)) f(step, from, share);
      }
    }
  };
  std::unordered_map<DeviceId, std::vector<std::int32_t>> sent;  // by who is walked
  for_each_walked([&](const plan::TransferStep& step, DeviceId from, std::int64_t share) {
    const DeviceId to = shared.device(share, step.to);
    sent[from].push_back(static_cast<std::int32_t>(wiring.messages.size()));
    wiring.messages.push_back(describe(communication, step, {from, to}, classes));
    add_ends(from, classes.representative[at(to)], wiring);
  });
  std::vector<std::size_t> number;  // of each step, among those of its sender
  std::unordered_map<DeviceId, std::size_t> num_sent;
  for (const plan::TransferStep& step : steps) number.push_back(num_sent[step.from]++);
  std::vector<After> list;
  std::int32_t own = 0;
  for_each_walked([&](const plan::TransferStep& step, DeviceId, std::int64_t share) {
    for (const std::int32_t earlier : step.after) {
      const DeviceId from = shared.device(share, steps[at(earlier)].from);
      list.push_back({sent[classes.representative[at(from)]][number[at(earlier)]], own,
                      step.from != step.to && plan::follows_by_pieces(steps[at(earlier)], step)});
    }
    ++own;
  });
  put_after(std::move(list), wiring);
  return wiring;
}

/// Of the message that was added last.
void Transfers::add_ends(DeviceId from, DeviceId to, Wiring& wiring) {
  Message& message = wiring.messages.back();
  if (message.num_bundles == 0) return;
  const auto index = static_cast<std::int32_t>(wiring.messages.size()) - 1;
  message.sender = member(wiring, from);
  message.receiver = member(wiring, to);
  wiring.sends[at(message.sender)].push_back(index);
  if (!message.is_local) wiring.receives[at(message.receiver)].push_back(index);
}

/// Several of a class arrive as one. What has no bytes is never waited for.
void Transfers::put_after(std::vector<After> list, Wiring& wiring) {
  const auto key = [](const After& one) { return std::tuple(one.before, one.follows, one.own); };
  std::erase_if(list, [&](const After& one) {
    return wiring.messages[at(one.before)].num_bundles == 0 ||
           wiring.messages[at(one.own)].num_bundles == 0;
  });
  std::sort(list.begin(), list.end(),
            [&](const After& a, const After& b) { return key(a) < key(b); });
  list.erase(std::unique(list.begin(), list.end(),
                         [&](const After& a, const After& b) { return key(a) == key(b); }),
             list.end());
  for (const After& one : list) {
    const auto index = static_cast<std::int32_t>(wiring.after.size());
    wiring.after.push_back(one.own);
    Message& earlier = wiring.messages[at(one.before)];
    Range& range = one.follows ? earlier.followers : earlier.next;
    if (range.first == range.last) range.first = index;
    range.last = index + 1;
    if (one.follows) wiring.messages[at(one.own)].followed = one.before;
    else ++wiring.messages[at(one.own)].num_blockers;
  }
}

std::int32_t Transfers::add(std::int32_t communication) {
  Wiring& wiring = wirings_[at(communication)];
  if (wiring.free_uses.empty()) {
    wiring.free_uses.push_back(static_cast<std::int32_t>(uses_.size()));
    uses_.push_back({.number = wiring.free_uses.back(), .wiring = &wiring});
  }
  Use& use = uses_[at(wiring.free_uses.back())];
  wiring.free_uses.pop_back();
  use.progress.clear();
  for (const Message& message : wiring.messages)
    use.progress.push_back({.num_blockers = message.num_blockers});
  use.launch.assign(wiring.devices.size(), -1);
  use.end_s.assign(wiring.devices.size(), kNever);
  use.num_left.clear();
  for (std::size_t d = 0; d < wiring.devices.size(); ++d) {
    use.num_left.push_back(
        static_cast<std::int32_t>(wiring.sends[d].size() + wiring.receives[d].size()));
  }
  return use.number;
}

void Transfers::remove(std::int32_t use) {
  uses_[at(use)].wiring->free_uses.push_back(use);
  // A device that found its messages there has left before it was told so.
  std::erase_if(ended_,
                [use](const Ended& ended) { return ended.device >= 0 && ended.use == use; });
}

void Transfers::start(std::int32_t number, DeviceId device, double now_s) {
  now_s_ = now_s;
  Use& use = uses_[at(number)];
  const Wiring& wiring = *use.wiring;
  const auto found = wiring.members.find(device);
  if (found == wiring.members.end()) return;
  const std::size_t own = at(found->second);
  use.launch[own] = num_launches_[at(device)]++;
  for (const std::int32_t index : wiring.sends[own]) --use.progress[at(index)].num_blockers;
  for (const std::int32_t index : wiring.receives[own]) {
    if (wiring.messages[at(index)].takes_turn) --use.progress[at(index)].num_blockers;
  }
  for (const std::int32_t index : wiring.sends[own]) make_ready(use, index);
  for (const std::int32_t index : wiring.receives[own]) {
    const bool has_arrived = use.progress[at(index)].num_arrived > 0;
    if (has_arrived) complete(use, index);
    else make_ready(use, index);
  }
}

std::int32_t Transfers::add_flow() {
  flows_.push_back({.connection = network_.add_connection()});
  return static_cast<std::int32_t>(flows_.size()) - 1;
}

void Transfers::send_flow(std::int32_t flow, const FlowMessage& message, double now_s) {
  flows_[at(flow)].route = &message.route;
  flows_[at(flow)].bytes = message.bytes;
  events_.push({now_s + grid_(message.latency_s), num_events_++, {nullptr, flow, 0}});
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

/// Of what is ready, that is what waits for its turn which is not in the network or on its way
/// there.
void Transfers::add_to(State& state, const std::vector<std::int32_t>& uses) const {
  std::vector<std::int64_t> place(uses_.size(), -1);
  for (std::size_t i = 0; i < uses.size(); ++i) {
    place[at(uses[i])] = static_cast<std::int64_t>(i);
    add_use(state, uses_[at(uses[i])]);
  }
  const auto add_piece = [&](const Piece& piece) {
    state.add(piece.use == nullptr ? -1 : place[at(piece.use->number)]);
    state.add(std::int64_t{piece.message});
    state.add(std::int64_t{piece.bundle});
  };
  state.add(static_cast<std::int64_t>(events_.size()));
  for (auto events = events_; !events.empty(); events.pop()) {
    state.add_time(events.top().time_s);
    add_piece(events.top().piece);
  }
  network_.add_to(state, [&](std::int32_t id) { add_piece(pieces_[at(id)]); });
}

void Transfers::add_use(State& state, const Use& use) const {
  for (const Progress& own : use.progress) {
    state.add(std::int64_t{own.num_blockers});
    state.add(std::int64_t{own.num_ready});
    state.add(std::int64_t{own.num_arrived});
    state.add(std::max(0.0, own.first_s - state.now_s()));
  }
  for (std::size_t d = 0; d < use.launch.size(); ++d) {
    const std::int64_t launch = use.launch[d];
    state.add(launch < 0 ? 1 : launch - num_launches_[at(use.wiring->devices[d])]);
    state.add(std::int64_t{use.num_left[d]});
    state.add(use.end_s[d] < kNever ? 1.0 : 0.0);
  }
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
  Progress& state = use.progress[at(index)];
  if (state.num_blockers > 0) return;
  if (message.is_local) {
    if (state.num_arrived > 0) return;
    state.num_arrived = message.num_bundles;
    return complete(use, index);
  }
  constexpr auto kWindow = static_cast<std::int32_t>(plan::kWindowPieces);
  std::int32_t most = std::min(message.num_bundles, state.num_arrived + kWindow);
  if (message.followed >= 0) most = std::min(most, use.progress[at(message.followed)].num_arrived);
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
  for (Queue* queue : called_) {
    queue->is_called = false;
    std::sort(queue->small.begin(), queue->small.end(),
              [&](const plan::Turn& a, const plan::Turn& b) { return place(a) < place(b); });
    for (const plan::Turn& turn : queue->small) depart(turn);
    queue->small.clear();
    while (const std::optional<plan::Turn> turn = queue->turns.next()) depart(*turn);
  }
  called_.clear();
}

/// Pieces follow the first one of their message as the link allows.
void Transfers::depart(const plan::Turn& turn) {
  Use& use = *static_cast<Use*>(turn.owner);
  Progress& state = use.progress[at(turn.step)];
  if (turn.piece == 0) state.first_s = now_s_ + use.wiring->messages[at(turn.step)].latency_s;
  const Piece piece{&use, turn.step, turn.piece};
  if (state.first_s > now_s_) events_.push({state.first_s, num_events_++, piece});
  else launch(piece);
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
  network_.send({.id = id,
                 .connection = message.connection,
                 .route = message.route,
                 .bytes = message.bytes_of(piece.bundle)},
                now_s_);
}

void Transfers::arrive(const Piece& piece) {
  if (piece.use == nullptr) return ended_.push_back({piece.message, -1});
  Use& use = *piece.use;
  const Message& message = use.wiring->messages[at(piece.message)];
  Progress& state = use.progress[at(piece.message)];
  ++state.num_arrived;
  if (message.takes_turn) {
    call(message).turns.end({use.launch[at(message.sender)], piece.message, piece.bundle});
    make_ready(use, piece.message);
    make_followers_ready(use, message);
  }
  if (state.num_arrived < message.num_bundles) return;
  leave(use, message.sender);
  if (use.launch[at(message.receiver)] >= 0) complete(use, piece.message);
}

/// A message has arrived as a whole where it is expected.
void Transfers::complete(Use& use, std::int32_t index) {
  const Message& message = use.wiring->messages[at(index)];
  leave(use, message.receiver);
  for (std::int32_t i = message.next.first; i < message.next.last; ++i) {
    const std::int32_t next = use.wiring->after[at(i)];
    --use.progress[at(next)].num_blockers;
    make_ready(use, next);
  }
  make_followers_ready(use, message);
}

void Transfers::make_followers_ready(Use& use, const Message& message) {
  for (std::int32_t i = message.followers.first; i < message.followers.last; ++i)
    make_ready(use, use.wiring->after[at(i)]);
}

void Transfers::leave(Use& use, std::int32_t member) {
  if (--use.num_left[at(member)] > 0) return;
  use.end_s[at(member)] = now_s_;
  ended_.push_back({use.number, use.wiring->devices[at(member)]});
}

}  // namespace rhino::simulate
