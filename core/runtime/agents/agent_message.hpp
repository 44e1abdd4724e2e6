// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <tuple>
#include <vector>

#include "runtime/message.hpp"

/// What the controller and the agents of other hosts say to each other, in frames as with workers.
/// Frames to and from a worker pass through its agent as they are, with session and rank.
///
///     report   agent: HostReport, once, first
///     clock    controller: nothing; agent: ClockReply, at once
///     start    controller: StartRequest; agent: StartReply, or an error
///     beat     agent: Beat of a session, several times a second
///     log      agent: text that a rank has printed
///     tile     agent: bytes of fetched tiles, behind those before; then the reply to `fetch`
///     ended    agent: EndNote of a rank
///     finish   controller: the session's workers are to end, at once with an error
///     leave    controller: the run is over
namespace rhino::runtime {

struct ClockReply {
  double now_s = 0;  ///< of the agent's monotonic clock
};
constexpr auto members(const ClockReply*) { return std::tuple(&ClockReply::now_s); }

/// Workers of the frame's session.
struct StartRequest {
  std::string cell;
  std::int32_t num_ranks = 0;  ///< on all hosts
  std::int32_t num_threads = 1;
  std::vector<std::int32_t> ranks;  ///< to be started here
  std::string plan;                 ///< encoded
};
constexpr auto members(const StartRequest*) {
  using R = StartRequest;
  return std::tuple(&R::cell, &R::num_ranks, &R::num_threads, &R::ranks, &R::plan);
}
struct StartReply {
  std::vector<std::int32_t> pids;  ///< per rank of the request
};
constexpr auto members(const StartReply*) { return std::tuple(&StartReply::pids); }

/// What the page of a rank says, see ProgressPage.
struct RankBeat {
  std::uint64_t heartbeats = 0, progress = 0;
  std::int64_t step = 0, taking_bytes = 0;
  std::int32_t activity = 0, instruction = 0, blocked = 0;
  bool is_stopped = false, is_ending = false;
};
constexpr auto members(const RankBeat*) {
  using R = RankBeat;
  return std::tuple(&R::heartbeats, &R::progress, &R::step, &R::taking_bytes, &R::activity,
                    &R::instruction, &R::blocked, &R::is_stopped, &R::is_ending);
}
struct Beat {
  std::vector<RankBeat> ranks;  ///< as in the request
};
constexpr auto members(const Beat*) { return std::tuple(&Beat::ranks); }

struct EndNote {
  std::string how;  ///< HostWorkers::end_of()
  bool for_memory = false;
};
constexpr auto members(const EndNote*) { return std::tuple(&EndNote::how, &EndNote::for_memory); }

}  // namespace rhino::runtime
