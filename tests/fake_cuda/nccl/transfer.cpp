// SPDX-License-Identifier: Apache-2.0
#include "transfer.hpp"

#include <algorithm>
#include <cstring>
#include <set>
#include <tuple>

#include "../common/settings.hpp"
#include "reduce.hpp"

namespace fake {
namespace {

const char* word(Collective kind) {
  static const char* const words[] = {"send",       "receive",        "all-reduce", "reduce",
                                      "all-gather", "reduce-scatter", "broadcast"};
  return words[static_cast<int>(kind)];
}

bool is_pair(Collective kind) { return kind <= Collective::kReceive; }
std::size_t bytes_of(const Call& call) { return call.count * bytes_of(call.type); }

/// Both directions of a pair mean one message.
Header header_of(const Call& call) {
  Header h{0,
           bytes_of(call),
           is_pair(call.kind) ? 0 : static_cast<int>(call.kind),
           static_cast<int>(call.type),
           0,
           0};
  const bool reduces = call.kind == Collective::kAllReduce || call.kind == Collective::kReduce ||
                       call.kind == Collective::kReduceScatter;
  if (reduces) h.how = static_cast<int>(call.how);
  if (call.kind == Collective::kBroadcast || call.kind == Collective::kReduce) h.root = call.peer;
  if (!is_pair(call.kind)) h.number = call.comm->next_number++;
  return h;
}

std::string describe(const Header& h) {
  return (h.kind ? std::string(word(static_cast<Collective>(h.kind))) + " number " +
                       std::to_string(h.number)
                 : std::string("a send or receive")) +
         " of " + std::to_string(h.bytes) + " bytes, type " + std::to_string(h.type) +
         ", reduction " + std::to_string(h.how) + ", root " + std::to_string(h.root);
}

void copy_in(Channel& channel, std::uint64_t at, const char* from, std::size_t n) {
  for (std::size_t i = 0; i < n;) {
    const std::size_t place = (at + i) % kRingBytes, run = std::min(n - i, kRingBytes - place);
    std::memcpy(channel.data + place, from + i, run);
    i += run;
  }
}

void copy_out(const Channel& channel, std::uint64_t at, char* to, std::size_t n) {
  for (std::size_t i = 0; i < n;) {
    const std::size_t place = (at + i) % kRingBytes, run = std::min(n - i, kRingBytes - place);
    std::memcpy(to + i, channel.data + place, run);
    i += run;
  }
}

std::chrono::milliseconds stuck_after() {
  return std::chrono::milliseconds(number_setting("FAKE_NCCL_STUCK_MS", 5000));
}

}  // namespace

bool Leg::send() {
  Channel& channel = comm->to(peer);
  const std::uint64_t head = channel.head, tail = channel.tail;
  if (moved == sizeof header + header.bytes) {
    over = head == tail;  // a send ends when it has been received
    return over;
  }
  const std::size_t space = kRingBytes - static_cast<std::size_t>(head - tail);
  std::size_t n = 0;
  if (moved == 0) {
    if (space < sizeof header) return false;
    copy_in(channel, head, reinterpret_cast<const char*>(&header), sizeof header);
    n = sizeof header;
  } else {
    n = std::min(sizeof header + header.bytes - moved, space);
    copy_in(channel, head, data + moved - sizeof header, n);
  }
  moved += n;
  channel.head = head + n;
  return n > 0;
}

bool Leg::receive() {
  Channel& channel = comm->from(peer);
  const std::uint64_t head = channel.head, tail = channel.tail;
  std::size_t n = static_cast<std::size_t>(head - tail);
  if (moved == 0) {
    Header theirs;
    if (n < sizeof theirs) return false;
    copy_out(channel, tail, reinterpret_cast<char*>(&theirs), sizeof theirs);
    if (!(theirs == header)) {
      set_last_error("rank " + std::to_string(comm->rank) + " of " + comm->name +
                     " takes part in " + describe(header) + ", rank " + std::to_string(peer) +
                     " in " + describe(theirs));
      comm->async = kNcclInternalError;
      return false;
    }
    n = sizeof theirs;
  } else {
    n = std::min(n, sizeof header + header.bytes - moved);
    copy_out(channel, tail, data + moved - sizeof header, n);
  }
  moved += n;
  channel.tail = tail + n;
  over = moved == sizeof header + header.bytes;
  return n > 0;
}

bool Leg::go() { return !over && (sends ? send() : receive()); }

std::string Transfer::name() const {
  return std::string("nccl ") + word(calls_[0].kind) + (calls_.size() > 1 ? " and others" : "");
}

bool Transfer::begin_call(Operation& op, std::size_t i) {
  const Call& call = calls_[i];
  Communicator& comm = *call.comm;
  const Header header = header_of(call);
  const std::size_t part = bytes_of(call);
  char* in = static_cast<char*>(const_cast<void*>(call.in));
  const bool is_root = comm.rank == call.peer;
  const auto send = [&](int peer, std::size_t offset) {
    legs_.push_back({&comm, peer, true, header, in + offset});
  };
  const auto receive = [&](int peer) {
    received_[i][peer].resize(part);
    legs_.push_back({&comm, peer, false, header, received_[i][peer].data()});
  };
  received_[i].resize(comm.size);
  if (call.kind == Collective::kReceive) {
    receive(call.peer);
    return true;
  }
  const bool scatters = call.kind == Collective::kReduceScatter;
  const bool reads = call.kind != Collective::kBroadcast || is_root;
  if (reads && !touch(op, in, scatters ? part * comm.size : part, false)) return false;
  if (call.kind == Collective::kSend) {
    send(call.peer, 0);
    return true;
  }
  const bool to_root = call.kind == Collective::kReduce,
             from_root = call.kind == Collective::kBroadcast;
  for (int peer = 0; peer < comm.size; ++peer) {
    if (peer == comm.rank) continue;
    if (to_root ? peer == call.peer : from_root ? is_root : true)
      send(peer, scatters ? part * peer : 0);
    if (to_root ? is_root : from_root ? peer == call.peer : true) receive(peer);
  }
  return true;
}

void Transfer::finish_call(Operation& op, std::size_t i) {
  const Call& call = calls_[i];
  Communicator& comm = *call.comm;
  const std::size_t part = bytes_of(call);
  const char* own = static_cast<const char*>(call.in);
  char* out = static_cast<char*>(call.out);
  const bool is_root = comm.rank == call.peer;
  if (call.kind == Collective::kSend || (call.kind == Collective::kReduce && !is_root)) return;
  if (!touch(op, out, call.kind == Collective::kAllGather ? part * comm.size : part, true)) return;
  if (call.kind == Collective::kReceive)
    return void(std::memcpy(out, received_[i][call.peer].data(), part));
  if (call.kind == Collective::kBroadcast) {
    return void(std::memmove(out, is_root ? own : received_[i][call.peer].data(), part));
  }
  if (call.kind == Collective::kReduceScatter) own += part * comm.rank;
  std::vector<const char*> parts;
  for (int r = 0; r < comm.size; ++r)
    parts.push_back(r == comm.rank ? own : received_[i][r].data());
  if (call.kind != Collective::kAllGather)
    return reduce_parts(parts, out, call.count, call.type, call.how);
  for (int r = 0; r < comm.size; ++r) std::memmove(out + part * r, parts[r], part);
}

bool Transfer::begin(Operation& op) {
  begun_ = true;
  said_ = false;
  moved_at_ = std::chrono::steady_clock::now();
  received_.assign(calls_.size(), {});
  for (std::size_t i = 0; i < calls_.size(); ++i) {
    if (!begin_call(op, i)) return false;
  }
  for (Leg& leg : legs_) {
    // A collective of one rank, or empty: nothing moves, and nothing has to.
    if (leg.header.bytes == 0 && is_pair(static_cast<Collective>(leg.header.kind))) leg.over = true;
  }
  publish(name() + " on " + calls_[0].comm->name);
  return true;
}

bool Transfer::move() {
  bool any = false;
  for (bool moved = true; moved;) {
    moved = false;
    std::set<std::tuple<Communicator*, int, bool>>
        busy;  // messages of a pair of ranks stay in order
    for (Leg& leg : legs_) {
      if (leg.over || !busy.insert({leg.comm, leg.peer, leg.sends}).second) continue;
      moved |= leg.go();
    }
    any |= moved;
  }
  return any;
}

void Transfer::say_stuck() {
  if (said_) return;
  said_ = true;
  const auto waits = std::find_if(legs_.begin(), legs_.end(), [](const Leg& l) { return !l.over; });
  if (waits == legs_.end()) return;
  const Communicator& comm = *waits->comm;
  set_last_error("stuck: rank " + std::to_string(comm.rank) + " of " + comm.name + " is in " +
                 name() + " and waits for rank " + std::to_string(waits->peer) +
                 (is_dead(comm, waits->peer)
                      ? ", which is dead"
                      : ", which is in " + std::string(comm.shared->doing[waits->peer])));
}

bool Transfer::progress(Operation& op) {
  const auto is_aborted = [](const Call& call) { return call.comm->aborted; };
  if (std::any_of(calls_.begin(), calls_.end(), is_aborted)) return true;
  if (!begun_ && !begin(op)) return true;
  if (std::any_of(calls_.begin(), calls_.end(),
                  [](const Call& call) { return call.comm->async != kNcclSuccess; })) {
    return false;
  }
  if (move()) moved_at_ = std::chrono::steady_clock::now();
  if (std::any_of(legs_.begin(), legs_.end(), [](const Leg& leg) { return !leg.over; })) {
    if (std::chrono::steady_clock::now() - moved_at_ > stuck_after()) say_stuck();
    return false;
  }
  for (std::size_t i = 0; i < calls_.size(); ++i) finish_call(op, i);
  publish("nothing since " + name());
  legs_.clear();
  received_.clear();
  begun_ = false;
  return true;
}

}  // namespace fake
