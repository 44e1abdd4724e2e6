// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "runtime/transport/shared_memory.hpp"
#include "runtime/transport/transport.hpp"

namespace rhino {

struct RankGroupOptions {
  std::int32_t num_ranks = 2;
  std::string tls;         ///< UCX_TLS of the ranks; empty: as the environment says
  double deadline_s = 60;  ///< of all together: then they are killed
  bool oversubscribed = true;
  std::int64_t window_chunks = plan::kWindowPieces;
  std::int64_t chunk_bytes = plan::kPieceBytes;
  std::int64_t shared_bytes = 0;  ///< of RankContext::shared
  bool check_leaks = true;  ///< under a leak sanitizer; not where a transport gives up its messages
};

/// What a rank's function gets: rank r drives device r + `kFirstDevice`, so that mixing both up
/// shows.
struct RankContext {
  static constexpr DeviceId kFirstDevice = 10;
  std::int32_t rank = 0, num_ranks = 1;
  /// For buffers; nullptr where no bytes were asked for.
  std::unique_ptr<runtime::SharedMemory> shared;
  std::unique_ptr<runtime::Transport> transport;  ///< connected
  DeviceId device() const { return kFirstDevice + rank; }
  /// Returns when all ranks have come here; does not use the transport.
  void barrier();

  std::vector<int> barrier_fds;  ///< to and from the parent
};

/// How a rank ended: empty when its function returned, else the Error, signal or exit code.
struct RankOutcome {
  std::string failure;
  bool killed = false;  ///< by the deadline
};

/// Forks one process per rank, connects their transports (addresses travel through sockets) and
/// runs `body` in each. A rank fails by throwing. Never blocks for longer than the deadline.
std::vector<RankOutcome> run_ranks(const RankGroupOptions& options,
                                   const std::function<void(RankContext&)>& body);

/// The failures as one text, empty when all went well: for REQUIRE(failures(run_ranks(...)) == "").
std::string failures(const std::vector<RankOutcome>& outcomes);

}  // namespace rhino
