// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <functional>
#include <map>
#include <queue>
#include <utility>

#include "ir/flops.hpp"
#include "lower/attention_passes.hpp"
#include "lower/placement.hpp"
#include "rhino/index.hpp"

namespace rhino::lower {
namespace {

/// Appends the nests of `next` to `group`.
void append(KernelGroup& group, KernelGroup next) {
  group.ops.insert(group.ops.end(), next.ops.begin(), next.ops.end());
  const auto size = [](const KernelGroup& g) { return g.space[0] * g.space[1]; };
  if (size(next) > size(group)) group.space = next.space;
  for (LoopNest& nest : next.nests) group.nests.push_back(std::move(nest));
}

class Scheduling {
 public:
  Scheduling(std::vector<KernelGroup> groups, const Dependencies& dependencies)
      : groups_(std::move(groups)),
        dependencies_(dependencies),
        num_needed_(groups_.size()),
        batch_of_need_(groups_.size(), -1) {
    for (const std::vector<std::int32_t>& users : dependencies_.users) {
      for (std::int32_t user : users) ++num_needed_[at(user)];
    }
  }

  std::vector<KernelGroup> run() {
    for (std::size_t group = 0; group < groups_.size(); ++group) {
      if (num_needed_[group] == 0) push(static_cast<std::int32_t>(group));
    }
    while (!ready_.empty()) {
      const std::int32_t group = ready_.top().second;
      ready_.pop();
      emit(group);
    }
    return std::move(scheduled_);
  }

 private:
  void push(std::int32_t group) { ready_.emplace(std::ranges::max(groups_[at(group)].ops), group); }

  void emit(std::int32_t group) {
    const bool is_loop = groups_[at(group)].kind == KernelGroup::Kind::loop;
    const bool joins = is_loop && !scheduled_.empty() &&
                       scheduled_.back().kind == KernelGroup::Kind::loop &&
                       batch_of_need_[at(group)] != current_batch();
    if (joins) {
      append(scheduled_.back(), std::move(groups_[at(group)]));
    } else {
      scheduled_.push_back(std::move(groups_[at(group)]));
    }
    for (std::int32_t user : dependencies_.users[at(group)]) {
      batch_of_need_[at(user)] = current_batch();
      if (--num_needed_[at(user)] == 0) push(user);
    }
  }

  std::int32_t current_batch() const { return static_cast<std::int32_t>(scheduled_.size()) - 1; }

  using Entry = std::pair<ValueId, std::int32_t>;  ///< last op and group
  std::vector<KernelGroup> groups_;
  const Dependencies& dependencies_;
  std::vector<std::int32_t> num_needed_;     ///< per group: not yet scheduled
  std::vector<std::int32_t> batch_of_need_;  ///< per group: the last kernel that it needs
  std::priority_queue<Entry, std::vector<Entry>, std::greater<>> ready_;
  std::vector<KernelGroup> scheduled_;
};

/// Bytes of bases, each once, as much of each as is touched.
class Traffic {
 public:
  void touch(ValueId base, std::int64_t bytes) {
    std::int64_t& known = bytes_[base];
    known = std::max(known, bytes);
  }
  std::vector<ValueId> bases() const {
    std::vector<ValueId> result;
    for (const auto& entry : bytes_) result.push_back(entry.first);
    return result;
  }
  double bytes() const {
    double sum = 0;
    for (const auto& entry : bytes_) sum += static_cast<double>(entry.second);
    return sum;
  }

 private:
  std::map<ValueId, std::int64_t> bytes_;
};

class TemporaryPlacement {
 public:
  TemporaryPlacement(LoweredProgram& lowered, const Storage& storage)
      : lowered_(lowered),
        storage_(storage),
        kernel_of_(lowered.program.ops.size(), -1),
        in_memory_(lowered.program.ops.size()),
        lifetimes_(lowered.program.ops.size()),
        overwritten_(lowered.program.ops.size()) {
    for (std::size_t kernel = 0; kernel < lowered.groups.size(); ++kernel) {
      for (ValueId op : lowered.groups[kernel].ops) {
        kernel_of_[at(op)] = static_cast<std::int32_t>(kernel);
      }
    }
  }

  void run() {
    find_what_is_in_memory();
    for (std::size_t kernel = 0; kernel < lowered_.groups.size(); ++kernel) describe(kernel);
    for (const Output& output : program().outputs) {
      extend(base_of(output.value), static_cast<std::int64_t>(lowered_.groups.size()));
    }
    for (std::size_t kernel = 0; kernel < lowered_.groups.size(); ++kernel) {
      for (const LoopNest& nest : lowered_.groups[kernel].nests) overwrite(kernel, nest);
      overwrite_table(kernel);
    }
    allocate_workspace();
  }

 private:
  const Program& program() const { return lowered_.program; }
  ValueId base_of(ValueId value) const { return lowered_.views[at(value)].base; }

  /// All but what only its own loop nest reads. (What another nest of the same kernel made is never
  /// read.)
  void find_what_is_in_memory() {
    for (const Output& output : program().outputs) in_memory_[at(base_of(output.value))] = true;
    for (const KernelGroup& group : lowered_.groups) {
      for (ValueId op : group.ops) {
        const ValueId base = base_of(op);
        const bool stays = group.attention && !is_result(*group.attention, op);
        if (base == kNoValue || stays) {
          // Computed where it is read, or from tile to tile.
        } else if (group.kind != KernelGroup::Kind::loop || base != op) {
          in_memory_[at(base)] = true;
        }
        for (ValueId operand : program().op(op).operands) {
          const ValueId source = storage_.source[at(operand)];
          const bool inside = source != kNoValue && kernel_of_[at(source)] == kernel_of_[at(op)];
          if (base_of(operand) != kNoValue && !inside) in_memory_[at(base_of(operand))] = true;
        }
      }
    }
  }

  void describe(std::size_t kernel) {
    KernelGroup& group = lowered_.groups[kernel];
    Traffic read, written;
    for (ValueId op : group.ops) {
      if (!group.attention) group.flops += ir::op_flops(program(), op);
      for (ValueId operand : program().op(op).operands) {
        if (base_of(operand) != op) note_read(kernel, operand, read);  // not parts made in place
      }
      const ValueId base = base_of(op);
      if (base == kNoValue || !in_memory_[at(base)]) continue;
      if (group.attention && !is_result(*group.attention, op)) continue;
      written.touch(base, num_bytes(program().shape(op)));
      extend(base, static_cast<std::int64_t>(kernel));
    }
    if (group.attention) group.flops = attention_flops(program(), *group.attention);
    group.inputs = read.bases();
    group.outputs = written.bases();
    group.bytes = read.bytes() + written.bytes();
  }

  void note_read(std::size_t kernel, ValueId operand, Traffic& read) {
    const ValueId base = base_of(operand), source = storage_.source[at(operand)];
    if (base == kNoValue) return;
    if (source != kNoValue && kernel_of_[at(source)] == static_cast<std::int32_t>(kernel)) return;
    read.touch(base,
               std::min(num_bytes(program().shape(base)), num_bytes(program().shape(operand))));
    extend(base, static_cast<std::int64_t>(kernel));
  }

  void extend(ValueId base, std::int64_t kernel) {
    Lifetime& lifetime = lifetimes_[at(base)];
    if (lifetime.bytes == 0) {
      lifetime = {num_bytes(program().shape(base)), kernel, kernel};
    } else {
      lifetime.first = std::min(lifetime.first, kernel);
      lifetime.last = std::max(lifetime.last, kernel);
    }
  }

  bool is_temporary(ValueId id) const {
    return lifetimes_[at(id)].bytes != 0 && lowered_.placed_out[at(id)] < 0 &&
           storage_.roles[at(id)] != Role::given;
  }

  void overwrite(std::size_t kernel, const LoopNest& nest) {
    for (const LoopNest::Member& member : nest.members) {
      const Lifetime& made = lifetimes_[at(member.op)];
      if (!is_temporary(member.op) || base_of(member.op) != member.op) continue;
      for (ValueId input : lowered_.groups[kernel].inputs) {
        const Lifetime& old = lifetimes_[at(input)];
        const bool is_last = old.last == static_cast<std::int64_t>(kernel);
        if (!is_temporary(input) || !is_last || old.bytes != made.bytes) continue;
        if (overwritten_[at(input)] || !is_read_before(kernel, nest, member.op, input)) continue;
        overwritten_[at(input)] = true;
        lowered_.placed_in[at(member.op)] = input;
        break;
      }
    }
  }

  /// A scatter or an update of a slice changes its table where that lies, if none reads it later.
  void overwrite_table(std::size_t kernel) {
    const KernelGroup& group = lowered_.groups[kernel];
    const ValueId id = group.ops.front();
    const Op& op = program().op(id);
    if (op.kind != OpKind::scatter && op.kind != OpKind::dynamic_update_slice) return;
    const ValueId table = base_of(op.operands[0]);
    if (table == kNoValue || !is_temporary(id) || !is_temporary(table) || overwritten_[at(table)])
      return;
    const auto reads =
        std::ranges::count(op.operands, table, [&](ValueId operand) { return base_of(operand); });
    const bool is_last = lifetimes_[at(table)].last == static_cast<std::int64_t>(kernel);
    if (reads != 1 || !is_last || lifetimes_[at(table)].bytes != lifetimes_[at(id)].bytes) return;
    overwritten_[at(table)] = true;
    lowered_.placed_in[at(id)] = table;
  }

  /// Whether all that the kernel reads of `input` it reads in `nest`, by `writer` or before it, at
  /// the elements that `writer` makes.
  bool is_read_before(std::size_t kernel, const LoopNest& nest, ValueId writer, ValueId input) {
    return std::ranges::all_of(lowered_.groups[kernel].ops, [&](ValueId reader) {
      const bool reads = std::ranges::any_of(program().op(reader).operands, [&](ValueId operand) {
        return base_of(operand) == input;
      });
      if (!reads) return true;
      const bool is_before =
          reader <= writer && std::ranges::count(nest.members, reader, &LoopNest::Member::op) == 1;
      return is_before && replaces(lowered_, nest, {writer, reader, input});
    });
  }

  /// The value that owns the memory which `id` lies in.
  ValueId owner(ValueId id) const {
    while (lowered_.placed_in[at(id)] != kNoValue) id = lowered_.placed_in[at(id)];
    return id;
  }

  void allocate_workspace() {
    std::map<ValueId, Lifetime> lives;  // of owners
    for (ValueId id = 0; id < program().size(); ++id) {
      if (!is_temporary(id)) continue;
      const Lifetime& own = lifetimes_[at(id)];
      Lifetime& life = lives.try_emplace(owner(id), own).first->second;
      life.first = std::min(life.first, own.first);
      life.last = std::max(life.last, own.last);
    }
    std::vector<Lifetime> lifetimes;
    for (const auto& entry : lives) lifetimes.push_back(entry.second);
    const Arena arena = allocate(lifetimes);
    lowered_.offsets.assign(program().ops.size(), -1);
    std::size_t next = 0;
    for (const auto& entry : lives) lowered_.offsets[at(entry.first)] = arena.offsets[next++];
    for (ValueId id = 0; id < program().size(); ++id) {
      if (is_temporary(id)) lowered_.offsets[at(id)] = lowered_.offsets[at(owner(id))];
    }
    lowered_.workspace_bytes = arena.bytes;
  }

  LoweredProgram& lowered_;
  const Storage& storage_;
  std::vector<std::int32_t> kernel_of_;  ///< per op
  std::vector<bool> in_memory_;          ///< per base
  std::vector<Lifetime> lifetimes_;      ///< per base, in kernels
  std::vector<bool> overwritten_;        ///< per base: another lies over it
};

}  // namespace

void schedule_groups(LoweredProgram& lowered, const Dependencies& dependencies) {
  lowered.groups = Scheduling(std::move(lowered.groups), dependencies).run();
}

void place_temporaries(LoweredProgram& lowered, const Storage& storage) {
  TemporaryPlacement(lowered, storage).run();
}

}  // namespace rhino::lower
