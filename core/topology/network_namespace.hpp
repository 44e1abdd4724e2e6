// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "topology/file_descriptor.hpp"

namespace rhino::topology {

/// Descriptors of the namespaces that a process enters to be on a host of its own.
struct HostNamespaces {
  int network = -1, ipc = -1;
};

/// A network and an IPC namespace without a name: the kernel removes them, and every interface in
/// them, once the last descriptor and the last process inside are gone. So nothing outlives this
/// process, however it ends.
struct OwnedNamespaces {
  FileDescriptor network, ipc;
  HostNamespaces borrow() const { return {network.get(), ipc.get()}; }
};

/// New, empty ones. Throws Error where this process may not make any.
OwnedNamespaces make_namespaces();

/// A program of the system that works on one network namespace.
struct NamespaceCommand {
  int network = -1;                    ///< descriptor of the namespace
  std::vector<std::string> arguments;  ///< argv; the program is looked for as a shell does
  std::string input = {};              ///< its standard input; at most 64 KiB
  std::vector<int> inherited = {};     ///< descriptors that it finds under the same numbers
};

/// Runs it to its end and returns what it printed. Throws Error with the first line of its
/// complaint, or saying that it is not installed.
std::string run_inside(const NamespaceCommand& command);

}  // namespace rhino::topology
