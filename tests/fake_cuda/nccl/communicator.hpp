// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <atomic>
#include <cstdint>
#include <string>
#include <vector>

#include "entries.hpp"

namespace fake {

inline constexpr int kMaxRanks = 64;
inline constexpr std::size_t kRingBytes = std::size_t{64} << 10;

/// Bytes from one rank to another, both of which map them.
struct Channel {
  std::atomic<std::uint64_t> head, tail;  // written, read
  char data[kRingBytes];
};

/// What the ranks of a communicator share.
struct Shared {
  std::atomic<int> num_joined;
  std::atomic<int> pid[kMaxRanks];
  std::uint64_t device[kMaxRanks];  // host and ordinal
  char doing[kMaxRanks][128];       // for sentences about a rank that waits

  /// They follow in memory.
  Channel* channels() { return reinterpret_cast<Channel*>(this + 1); }
};

enum class Collective : int {
  kSend,
  kReceive,
  kAllReduce,
  kReduce,
  kAllGather,
  kReduceScatter,
  kBroadcast
};

/// One call of NCCL.
struct Call {
  Communicator* comm;
  Collective kind;
  const void* in;
  void* out;
  std::size_t count;
  NcclType type;
  NcclReduction how;
  int peer;  // or the root
  Stream* stream;
};

/// ncclComm_t.
struct Communicator {
  Shared* shared = nullptr;
  int size = 0, rank = 0;
  std::string name;
  bool blocking = true, ready = false, aborted = false;
  int async = kNcclSuccess;
  std::uint64_t next_number = 0;  // of collectives
  std::vector<Call>
      deferred;  // a non-blocking call that has returned before it put its work into streams
  int polls_left = 0;

  Channel& to(int peer) { return shared->channels()[rank * size + peer]; }
  Channel& from(int peer) { return shared->channels()[peer * size + rank]; }
};

NcclId make_id();
/// Joins without waiting for the others; a code of NCCL.
int join_communicator(Communicator** out, int size, const NcclId& id, int rank);
/// Whether all have joined; `code` gets what is wrong with them.
bool all_joined(Communicator& comm, int& code);
/// Whether the process of that rank has ended.
bool is_dead(const Communicator& comm, int rank);
/// Tells the others, on every communicator of this process, what it does.
void publish(const std::string& doing);

/// The last sentence about a wrong call.
void set_last_error(const std::string& sentence);
const std::string& last_error();

}  // namespace fake
