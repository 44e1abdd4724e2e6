// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <utility>
#include <vector>

#include "lower/lower.hpp"
#include "plan/block_layout.hpp"
#include "plan/execution_plan.hpp"

namespace rhino::plan {

/// The buffers of one role while its list is being written. Time is the index of a step of the
/// role. Instances of as many bytes that are never alive together share a place, those of a
/// resident a buffer there, and the same temporary of all micro-batches is one: the number of
/// buffers does not grow with the number of micro-batches, but to that of residents times places.
class BufferPool {
 public:
  BufferPool(const std::vector<Resident>& residents, std::int32_t num_steps)
      : residents_(residents), num_steps_(num_steps), handles_(residents.size()) {}

  /// Once it is known which residents are stored in others, before any is used.
  void find_roots();

  /// Handles of instances; `step` uses them.
  std::int32_t resident(std::int32_t resident, std::int32_t micro_batch, std::int32_t step);
  /// The resident that it is stored in, or itself.
  std::int32_t root(std::int32_t resident) const {
    return root_[static_cast<std::size_t>(resident)];
  }
  /// Whether each micro-batch has an instance of its own.
  bool has_one_each(std::int32_t root) const {
    return residents_[static_cast<std::size_t>(root)].per_micro_batch;
  }
  std::int32_t temporary(std::int32_t layout, std::int32_t index, const BlockLayout& block);
  /// Keeps its content from the beginning to the end of every step, and the next one.
  void make_persistent(std::int32_t handle);
  /// Keeps its content to the end of the step.
  void keep_to_end(std::int32_t handle);

  /// Decides where everything lies. Afterwards buffer_of() gives the index in `role.buffers` of a
  /// handle.
  void allocate(Role& role);
  std::int32_t buffer_of(std::int32_t handle) const {
    return buffer_of_[static_cast<std::size_t>(handle)];
  }
  /// Handles per resident that is stored in no other, by micro-batch from -1 on (one where all have
  /// the same), and the buffers of all handles.
  std::pair<std::vector<std::vector<std::int32_t>>, std::vector<std::int32_t>> take_handles() {
    return {std::move(handles_), std::move(buffer_of_)};
  }

 private:
  struct Instance {
    std::int32_t resident = -1, handle = -1;
    std::int32_t first = 0, last = 0;
    bool persistent = false;
  };
  /// The temporaries of one block: laid out once, in memory that the other blocks of the same phase
  /// share.
  struct Temporaries {
    const BlockLayout* block = nullptr;
    std::vector<std::int32_t> handles;  ///< -1: not used
  };
  enum class Pool : std::uint8_t { prologue, passes, update };
  struct Pooled {
    std::size_t buffer = 0, pool = 0;
  };

  struct PlacedResidents {
    std::vector<lower::Lifetime> lifetimes;  ///< per place
    std::vector<std::int32_t> place_of;      ///< per buffer
  };

  PlacedResidents place_residents(Role& role);
  std::vector<Pooled> place_temporaries(Role& role, std::array<lower::Lifetime, 3>& pools);
  void use(Instance& instance, std::int32_t step);
  std::int32_t new_handle();
  static Pool pool_of(const BlockLayout& block);

  const std::vector<Resident>& residents_;
  std::int32_t num_steps_;
  std::vector<std::int32_t> root_;  ///< per resident the one that it is stored in, or itself
  std::vector<Instance> instances_;
  std::vector<std::int32_t> buffer_of_;
  /// Per resident and micro-batch, one where all have the same; -1: none.
  std::vector<std::vector<std::int32_t>> handles_;
  std::vector<std::int32_t> instance_of_;  ///< per handle; -1: a temporary
  std::vector<Temporaries> temporaries_;   ///< by layout
};

}  // namespace rhino::plan
