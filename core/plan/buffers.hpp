// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

#include "lower/lower.hpp"
#include "plan/block_layout.hpp"
#include "plan/execution_plan.hpp"

namespace rhino::plan {

/// When the blocks of a role run that are laid out alike.
struct LayoutTime {
  std::int32_t first = -1, last = -1;  ///< the beginning of the first, the end of the last
  bool is_once = false;  ///< one alone: its item i runs at first + 1 + i, copies behind all items
};

/// The buffers of one role while its list is being written. Time grows with what the list has
/// written. Instances of as many bytes that are never alive together share a place, those of a
/// resident a buffer there, and the same temporary of all micro-batches is one: the number of
/// buffers does not grow with the number of micro-batches, but to that of residents times places.
class BufferPool {
 public:
  explicit BufferPool(const std::vector<Resident>& residents)
      : residents_(residents), handles_(residents.size()) {}

  /// Once it is known which residents are stored in others, before any is used.
  void find_roots();

  /// Handles of instances, used at `time`.
  std::int32_t resident(std::int32_t resident, std::int32_t micro_batch, std::int32_t time);
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

  /// Decides where everything lies; `times` per layout. Afterwards buffer_of() gives the index in
  /// `role.buffers` of a handle.
  void allocate(Role& role, const std::vector<LayoutTime>& times);
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
  /// The temporaries of one block, laid out once. Those of one that runs once take turns with all
  /// else; blocks that run again and again share memory of their own.
  struct Temporaries {
    const BlockLayout* block = nullptr;
    std::vector<std::int32_t> handles;  ///< -1: not used
  };
  /// What is to be laid out, and per buffer in which of it it lies, and where.
  struct Contents {
    struct Part {
      std::size_t of = 0;
      std::int64_t offset = 0;
    };
    std::vector<lower::Lifetime> lifetimes;
    std::vector<Part> buffers;
  };

  void add_residents(Role& role, Contents& contents);
  void add_temporaries(Role& role, const std::vector<LayoutTime>& times, Contents& contents);
  void add_once(const Temporaries& temporaries, std::int32_t begin, Role& role, Contents& contents);
  void add_pooled(const Temporaries& temporaries, std::size_t pool, Role& role, Contents& contents);
  static void use(Instance& instance, std::int32_t time);
  std::int32_t new_handle();

  static constexpr std::int32_t kEnd = std::numeric_limits<std::int32_t>::max();

  const std::vector<Resident>& residents_;
  std::vector<std::int32_t> root_;  ///< per resident the one that it is stored in, or itself
  std::vector<Instance> instances_;
  std::vector<std::int32_t> buffer_of_;
  /// Per resident and micro-batch, one where all have the same; -1: none.
  std::vector<std::vector<std::int32_t>> handles_;
  std::vector<std::int32_t> instance_of_;  ///< per handle; -1: a temporary
  std::vector<Temporaries> temporaries_;   ///< by layout
};

}  // namespace rhino::plan
