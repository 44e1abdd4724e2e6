// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "plan/execution_plan.hpp"
#include "rhino/index.hpp"
#include "simulate/collectives.hpp"
#include "simulate/transfers.hpp"

namespace rhino::simulate {

/// One use of a communication.
struct Use {
  std::int32_t communication = 0;
  std::int32_t number = -1;  ///< among the transfers, or the collectives
  bool is_transfer = false;
  std::int32_t num_left = 0;  ///< processors that have not waited for it
};

/// The uses that some processor has still to wait for.
class Uses {
 public:
  using Instance = std::pair<std::int32_t, std::int32_t>;  ///< step, micro-batch (-1: once)

  /// All must live as long.
  Uses(const plan::ExecutionPlan& plan, Transfers& transfers, Collectives& collectives);

  /// So many processors more wait for each use of a communication.
  void add_users(std::int32_t communication, std::int32_t count);

  /// The index of a use, which begins where it has not.
  std::int32_t of(std::int32_t communication, Instance instance);
  const Use& operator[](std::int32_t index) const { return uses_[at(index)]; }
  /// By its number among the transfers.
  std::int32_t of_transfer(std::int32_t number) const { return of_transfer_[at(number)]; }
  /// One processor more has waited for it; with the last one it is over.
  void leave(std::int32_t index);

  /// Adds all of them and what they are about, `now` being micro-batch 0 of step 0. Returns where
  /// each stands among them.
  std::vector<std::int64_t> add_to(State& state, Instance now);
  /// They are of micro-batches that are so much further.
  void shift(std::int32_t micro_batches);

 private:
  struct Open {
    Instance instance;
    std::int32_t index = 0;
  };
  std::int32_t begin(std::int32_t communication);

  const plan::ExecutionPlan& plan_;
  Transfers& transfers_;
  Collectives& collectives_;
  std::vector<std::int32_t> num_users_;  ///< per communication: processors that wait for each use
  std::vector<std::vector<Open>> open_;  ///< per communication; few at a time
  std::vector<Use> uses_;
  std::vector<std::int32_t> free_, of_transfer_;
};

}  // namespace rhino::simulate
