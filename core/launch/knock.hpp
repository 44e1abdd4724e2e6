// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "topology/file_descriptor.hpp"

namespace rhino::launch {

/// Where a run's controller is to be found, and how it is known.
struct Meeting {
  std::vector<std::string> addresses;  ///< numeric: `10.0.0.1:4711`, `[fe80::1%eth0]:4711`
  std::string token;
  std::int32_t num_ranks = 0;  ///< of the run, as its launcher has it
};

/// A connection to the run's controller.
struct Knocked {
  topology::FileDescriptor socket;  ///< tuned (launch/endpoint.hpp) and blocking
  std::string address;              ///< of those of the meeting
  std::string interface;            ///< of this host, by whose route it goes
};

/// Tries all addresses at once, again where nobody listens yet, and takes the first that proves to
/// be the run's controller (launch/handshake.hpp): a bridge such as docker0 has one address on
/// every host, so that strangers, and controllers of other runs, are passed over. Throws Error that
/// says what each address answered: at the deadline, or once none is left.
Knocked knock(const Meeting& meeting, double deadline_s);

}  // namespace rhino::launch
