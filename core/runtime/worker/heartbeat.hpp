// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <thread>

#include "runtime/progress.hpp"
#include "topology/file_descriptor.hpp"

namespace rhino::runtime {

/// A thread that counts heartbeats whatever the rank computes or waits for, and ends the process
/// when the controller is gone.
class Heartbeat {
 public:
  /// `page` and the open `control_fd` must live longer.
  Heartbeat(ProgressPage& page, int control_fd);
  ~Heartbeat();

 private:
  void beat(ProgressPage& page, int control_fd) const;

  topology::FileDescriptor stop_;
  std::thread thread_;
};

}  // namespace rhino::runtime
