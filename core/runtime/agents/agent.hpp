// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>

#include "runtime/channel.hpp"

namespace rhino::runtime {

struct AgentOptions {
  std::string worker;                              ///< path of rhino-worker
  std::map<std::string, std::string> environment;  ///< of workers, on top of this process's
};

enum class AgentEnd { left, lost };

/// Starts, watches and ends the workers of this host as the controller at the other end says, until
/// it says `leave` or is gone; then no worker is left. What a worker says passes through
/// unread. Throws Error for what no controller of this build says.
AgentEnd serve_agent(Channel& controller, const AgentOptions& options);

}  // namespace rhino::runtime
