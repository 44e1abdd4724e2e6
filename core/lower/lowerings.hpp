// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <unordered_map>

#include "lower/lower.hpp"

namespace rhino::lower {

/// Programs that have been lowered, those that compute alike once: stages of equal layers, the Runs
/// of one plan and the next, a plan priced more than once. Names make no difference.
class Lowerings {
 public:
  explicit Lowerings(Kernels kernels) : kernels_(kernels) {}
  std::shared_ptr<const LoweredProgram> of(const Program& program);
  /// Of what stands in for a program with collectives: the same for all that compute alike.
  std::shared_ptr<const LoweredProgram> of(const Program& program,
                                           const std::function<Program()>& stand_in);

 private:
  struct Known {
    Program program;
    std::shared_ptr<const LoweredProgram> lowered;
  };
  const Kernels kernels_;
  std::unordered_multimap<std::size_t, Known> known_;  ///< by hash
  std::int64_t num_ops_ = 0;                           ///< of all
};

}  // namespace rhino::lower
