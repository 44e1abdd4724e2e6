// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>

#include "commands/commands.hpp"
#include "rhino/cluster.hpp"

namespace rhino::commands {

/// Runs `command` as the process that a launcher started: rank 0 as the controller of the run, once
/// all other ranks have come; these serve as agents until it is over, or, where the command is none
/// that takes hosts (`takes_hosts`), end at once. Without a launcher, or of one rank alone, it is
/// called at once. `say_errors` runs what may throw, and makes an exit code of that.
int run_launched(CommandLine line, bool takes_hosts,
                 const std::function<int(const CommandLine&)>& command,
                 const std::function<int(const std::function<int()>&)>& say_errors);

/// `devices 0-1 on host1, 2-3 on host2`
std::string describe_devices(const Cluster& cluster);

}  // namespace rhino::commands
