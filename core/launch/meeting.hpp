// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "launch/environment.hpp"
#include "launch/knock.hpp"
#include "launch/place.hpp"

namespace rhino::launch {

/// What is known of a run's meeting before rank 0 listens.
struct Rendezvous {
  std::string host = {};   ///< where rank 0 is, by name or number; empty: PMIx tells
  std::uint16_t port = 0;  ///< where it has to listen; 0: anywhere
  std::string token = {};  ///< empty: rank 0 makes it and PMIx tells
  std::string pmix_program = {};
};

/// For a place that is not local. `pmix`: of rank 0 a new token. `env`: MASTER_ADDR and MASTER_PORT
/// (the next port under torchrun, whose own store holds that one), else what a step of srun has in
/// common: its first host, and a port from its ids; RHINO_TOKEN. Throws Error, one sentence, that
/// says what to set.
Rendezvous prepare(const Place& place, const Environment& environment);

/// Rank 0 gives the addresses that it listens at, the others get them. By PMIx all ranks have to
/// call it within `deadline_s` of each other. Throws Error, also where PMIx knows another rank or
/// number of ranks than `place`.
Meeting meet(const Place& place, const Rendezvous& rendezvous,
             const std::vector<std::string>& listening, double deadline_s);

}  // namespace rhino::launch
