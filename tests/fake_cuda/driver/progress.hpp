// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace fake {

/// Runs one operation that another process waits for, or one that stands before such a one. False:
/// none can go on.
bool step_crossing();

#pragma GCC visibility push(default)

/// Starts, once per process, the thread that lets communication go on while the host is not inside
/// an entry point: a device needs no host to move.
void start_progress();

#pragma GCC visibility pop

}  // namespace fake
