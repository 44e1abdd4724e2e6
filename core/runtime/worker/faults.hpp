// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

namespace rhino::runtime {

/// A fault on purpose, for tests of supervision. Off unless RHINO_FAULTS asks for one:
///   rank=1,kind=segv,step=2,instruction=5   before that instruction of that step (steps count from
///   1) rank=1,kind=hang,phase=prepare          while the rank compiles
///   rank=1,kind=slow,percent=8              all of its Runs take that much longer
///   rank=1,kind=lag,ms=400                  it rests so long before each instruction
///   ...,cell=ID                             in workers of that cell alone
/// Kinds: kill (SIGKILL), stop (SIGSTOP), segv, abort, hang, exit (code 0), throw, slow, lag;
/// corrupt: what the Wait of this instruction brought arrives with one element changed.
class Fault {
 public:
  /// What `text` asks of `rank`; empty or of another rank: nothing. Throws Error for what it does
  /// not know.
  Fault(const std::string& text, std::int32_t rank);
  /// From the environment.
  explicit Fault(std::int32_t rank);

  void in_prepare() const {
    if (prepare_) strike();
  }
  void before(std::int64_t step, std::int32_t instruction) const {
    if (step == step_ && instruction == instruction_) strike();
    if (lag_s_ > 0) rest(lag_s_);
  }
  /// Behind a Run that took so long.
  void after_run(double seconds) const {
    if (slowdown_ > 0) linger(slowdown_ * seconds);
  }
  bool slows() const { return slowdown_ > 0; }
  bool corrupts(std::int64_t step, std::int32_t instruction) const {
    return step == step_ && instruction == instruction_ && kind_ == "corrupt";
  }

 private:
  void strike() const;
  static void linger(double seconds);
  static void rest(double seconds);

  std::string kind_;
  bool prepare_ = false;
  std::int64_t step_ = -1;
  std::int32_t instruction_ = -1;
  double slowdown_ = 0, lag_s_ = 0;
};

}  // namespace rhino::runtime
