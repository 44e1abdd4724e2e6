// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>

namespace rhino::plugin {

/// How supervised work ended.
struct Verdict {
  int status = 0;              ///< of its process, as waitpid gives it
  bool took_too_much = false;  ///< it was ended because files that are memory held too much
};

/// Runs `work`, which never returns, in a child, and ends with it all that it started, also what
/// left its session. It does so when the work ends, on SIGTERM, when the process `parent` ends, and
/// when files that live in memory (memfds, tmpfs) and are open in these processes, but were not
/// open before, hold more than `memory_bytes` (0: never). Then writes its Verdict to the
/// descriptor `verdict` and exits. For a process forked for it, with SIGTERM blocked, so that none
/// is lost.
[[noreturn]] void supervise(const std::function<void()>& work, std::int64_t memory_bytes,
                            int parent, int verdict);

}  // namespace rhino::plugin
