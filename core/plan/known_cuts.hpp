// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <unordered_map>

#include "plan/cut.hpp"

namespace rhino::plan {

/// Programs that have been cut, those that compute alike and are cut for the same once: of one plan
/// and the next, which differs in another stage say, or in how gradients are summed up.
class KnownCuts {
 public:
  KnownCuts();
  ~KnownCuts();
  std::shared_ptr<const CutProgram> of(const CutProblem& problem);

 private:
  struct Known;
  std::unordered_multimap<std::size_t, std::unique_ptr<const Known>> known_;  ///< by hash
  std::int64_t num_ops_ = 0;                                                  ///< of all
};

}  // namespace rhino::plan
