// SPDX-License-Identifier: Apache-2.0
#include "lower/fusion.hpp"

#include <algorithm>
#include <map>
#include <numeric>
#include <optional>
#include <utility>

#include "lower/group_graph.hpp"
#include "lower/loop_space.hpp"
#include "rhino/index.hpp"

namespace rhino::lower {
namespace {

constexpr std::size_t kMaxOps = 256;
/// Rows shorter than this cost more than a second pass.
constexpr std::int64_t kMinRun = 16;

/// The iteration space of a group.
struct GroupSpace {
  std::int64_t elements = 1;
  std::int64_t columns = 0;  ///< 0: not fixed yet
  std::int64_t run = 0;      ///< greatest common divisor of the runs of its reductions; 0: none
};

class Fusion {
 public:
  Fusion(const Program& program, const Storage& storage, const std::vector<Attention>& attentions,
         std::int64_t longest_row)
      : program_(program),
        storage_(storage),
        attentions_(attentions),
        longest_row_(longest_row),
        attention_of_(program.ops.size(), -1),
        graph_(program.size()),
        spaces_(program.ops.size()),
        groups_(program.ops.size()),
        members_(program.ops.size()),
        relations_(program.ops.size()),
        consumers_(program.ops.size()),
        windows_(program.ops.size()),
        per_row_(program.ops.size()) {}

  std::vector<KernelGroup> run() {
    for (std::size_t index = 0; index < attentions_.size(); ++index) {
      for (const Attention::Member& member : attentions_[index].members)
        attention_of_[at(member.op)] = static_cast<std::int32_t>(index);
    }
    for (ValueId id = 0; id < program_.size(); ++id) {
      if (attention_of_[at(id)] >= 0) {
        add_to_attention(id);
        continue;
      }
      const bool has_elements = num_elements(program_.shape(id).dims) > 0;
      if (storage_.roles[at(id)] == Role::made && has_elements) add(id);
    }
    for (ValueId id = program_.size() - 1; id >= 0; --id) {
      for (ValueId consumer : consumers_[at(id)]) try_merge(id, consumer);
    }
    for (const auto& [base, readers] : readers_) merge_readers(readers);
    return finish();
  }

 private:
  bool is_loop(ValueId id) const {
    return storage_.roles[at(id)] == Role::made && runs_in_loop(program_, id);
  }

  /// The op that stands for `id` in the graph: an attention is one from the start.
  ValueId name_of(ValueId id) const {
    const std::int32_t index = attention_of_[at(id)];
    return index < 0 ? id : attentions_[at(index)].members.front().op;
  }

  void add_to_attention(ValueId id) {
    const ValueId name = name_of(id);
    members_[at(name)].push_back(id);
    connect(id, name);
  }

  void connect(ValueId id, ValueId name) {
    for (ValueId operand : program_.op(id).operands) {
      const ValueId source = storage_.source[at(operand)];
      if (source != kNoValue && name_of(source) != name) graph_.connect(name_of(source), name);
    }
  }

  void add(ValueId id) {
    members_[at(id)] = {id};
    connect(id, id);
    if (!is_loop(id)) return;
    const OpSpace space = space_of(program_, id, longest_row_);
    spaces_[at(id)] = space;
    groups_[at(id)] = {space.elements, space.columns, space.run};
    windows_[at(id)] = windows_of(program_, storage_, id);
    for (ValueId operand : program_.op(id).operands) {
      const Relation relation = relation_of(program_, storage_, id, operand);
      relations_[at(id)].push_back(relation);
      if (relation.kind == Relation::Kind::same || relation.kind == Relation::Kind::spread) {
        consumers_[at(storage_.source[at(operand)])].push_back(id);
      }
      note_reader(id, operand);
    }
  }

  void note_reader(ValueId id, ValueId operand) {
    const View& view = storage_.views[at(operand)];
    if (view.base == kNoValue || !is_dense(view, program_.shape(operand).dims)) return;
    std::vector<ValueId>& readers = readers_[view.base];
    if (readers.empty() || readers.back() != id) readers.push_back(id);
  }

  void merge_readers(const std::vector<ValueId>& readers) {
    for (std::size_t i = 1; i < readers.size(); ++i) {
      if (spaces_[at(readers[i - 1])].elements == spaces_[at(readers[i])].elements) {
        try_merge(readers[i - 1], readers[i]);
      }
    }
  }

  void try_merge(ValueId first, ValueId second) {
    const std::int32_t a = graph_.find(first), b = graph_.find(second);
    if (a == b || members_[at(a)].size() + members_[at(b)].size() > kMaxOps) return;
    const GroupSpace &space_a = groups_[at(a)], &space_b = groups_[at(b)];
    const std::optional<GroupSpace> merged =
        space_a.elements <= space_b.elements ? merged_space(a, b) : merged_space(b, a);
    if (!merged) return;
    const std::int32_t rows_group = space_a.elements == space_b.elements  ? -1
                                    : space_a.elements < space_b.elements ? a
                                                                          : b;
    if (!windows_split(a, b, *merged, rows_group) || !meets(a, b, *merged, rows_group)) return;
    if (!graph_.can_merge(a, b)) return;
    if (rows_group >= 0) {
      for (ValueId member : members_[at(rows_group)]) per_row_[at(member)] = true;
    }
    const std::int32_t kept = graph_.merge(a, b), gone = kept == a ? b : a;
    groups_[at(kept)] = *merged;
    std::vector<ValueId>& members = members_[at(kept)];
    members.insert(members.end(), members_[at(gone)].begin(), members_[at(gone)].end());
    members_[at(gone)].clear();
  }

  /// The space of both groups together, `small` with as many elements as `large` or one for each of
  /// its rows.
  std::optional<GroupSpace> merged_space(std::int32_t small, std::int32_t large) {
    const GroupSpace &s = groups_[at(small)], &l = groups_[at(large)];
    GroupSpace merged = l;
    if (s.elements == l.elements) {
      if (s.columns != 0 && l.columns != 0 && s.columns != l.columns) return std::nullopt;
      merged.columns = std::max(s.columns, l.columns);
      merged.run = std::gcd(s.run, l.run);
    } else {
      if (s.columns != 0 || l.elements % s.elements != 0) return std::nullopt;
      const std::int64_t columns = l.elements / s.elements;
      if (l.columns != 0 ? l.columns != columns : !spreads(small, large, columns))
        return std::nullopt;
      const bool all_total = std::ranges::all_of(members_[at(small)], [&](ValueId member) {
        return spaces_[at(member)].run == 0 || spaces_[at(member)].is_total;
      });
      if (!all_total) return std::nullopt;
      merged.columns = columns;
    }
    if (merged.run != 0 && merged.columns != 0 && merged.run % merged.columns != 0) {
      return std::nullopt;
    }
    const bool splits_runs = merged.run != s.run || merged.run != l.run;
    if (splits_runs && merged.run != 0 && merged.columns == 0 && merged.run < kMinRun) {
      return std::nullopt;
    }
    return merged;
  }

  /// Whether some op of `large` reads an element of `small` per row of so many columns.
  bool spreads(std::int32_t small, std::int32_t large, std::int64_t columns) {
    return std::ranges::any_of(members_[at(large)], [&](ValueId member) {
      const std::vector<ValueId>& operands = program_.op(member).operands;
      for (std::size_t i = 0; i < operands.size(); ++i) {
        const Relation& relation = relations_[at(member)][i];
        if (relation.kind == Relation::Kind::spread && relation.columns == columns &&
            graph_.find(storage_.source[at(operands[i])]) == small) {
          return true;
        }
      }
      return false;
    });
  }

  /// Whether rows begin where the windows that ops run over do.
  bool windows_split(std::int32_t a, std::int32_t b, const GroupSpace& space,
                     std::int32_t rows_group) const {
    if (space.columns == 0) return true;
    const auto fits = [&](ValueId member) {
      return per_row_[at(member)] || std::ranges::all_of(windows_[at(member)], [&](const Dims& w) {
               return splits_at(w, space.columns);
             });
    };
    return (a == rows_group || std::ranges::all_of(members_[at(a)], fits)) &&
           (b == rows_group || std::ranges::all_of(members_[at(b)], fits));
  }

  /// Whether ops of `a` and `b` read each other at their own elements only, once those of
  /// `rows_group` run per row.
  bool meets(std::int32_t a, std::int32_t b, const GroupSpace& space, std::int32_t rows_group) {
    return reads_fit(a, b, space, rows_group) && reads_fit(b, a, space, rows_group);
  }

  bool reads_fit(std::int32_t reader, std::int32_t made, const GroupSpace& space,
                 std::int32_t rows_group) {
    const auto runs_per_row = [&](ValueId id, std::int32_t group) {
      return group == rows_group || per_row_[at(id)];
    };
    for (ValueId member : members_[at(reader)]) {
      const std::vector<ValueId>& operands = program_.op(member).operands;
      for (std::size_t i = 0; i < operands.size(); ++i) {
        const ValueId source = storage_.source[at(operands[i])];
        if (source == kNoValue || graph_.find(source) != made) continue;
        const bool is_reduction = program_.producer(source).kind == OpKind::reduce;
        if (is_reduction && spaces_[at(source)].columns == 0) return false;
        const bool row_value = is_reduction || runs_per_row(source, made);
        const bool row_op = runs_per_row(member, reader);
        const Relation& relation = relations_[at(member)][i];
        const bool fits = (relation.kind == Relation::Kind::same && row_value == row_op) ||
                          (relation.kind == Relation::Kind::spread && row_value && !row_op &&
                           relation.columns == space.columns);
        if (!fits) return false;
      }
    }
    return true;
  }

  std::vector<KernelGroup> finish() {
    std::vector<std::pair<std::int32_t, KernelGroup>> placed;
    for (ValueId id = 0; id < program_.size(); ++id) {
      if (members_[at(id)].empty()) continue;
      placed.emplace_back(graph_.position(id), group_of(id));
    }
    std::ranges::sort(placed, {}, [](const auto& entry) { return entry.first; });
    std::vector<KernelGroup> groups;
    groups.reserve(placed.size());
    for (auto& entry : placed) groups.push_back(std::move(entry.second));
    return groups;
  }

  KernelGroup group_of(std::int32_t name) {
    KernelGroup group;
    group.ops = members_[at(name)];
    std::ranges::sort(group.ops);
    if (attention_of_[at(name)] >= 0) {
      group.kind = KernelGroup::Kind::attention;
      group.attention = attentions_[at(attention_of_[at(name)])];
      return group;
    }
    if (!is_loop(name)) {
      const bool is_dot = program_.op(name).kind == OpKind::dot;
      group.kind = is_dot ? KernelGroup::Kind::dot : KernelGroup::Kind::other;
      const ValueId add = storage_.fused_add[at(name)];
      if (add != kNoValue) group.ops.push_back(add);
      return group;
    }
    const GroupSpace& space = groups_[at(name)];
    LoopNest nest;
    nest.columns = std::max<std::int64_t>(1, columns_of(space, group.ops));
    nest.rows = space.elements / nest.columns;
    for (ValueId op : group.ops) {
      nest.members.push_back({op, per_row_[at(op)], spaces_[at(op)].columns != 0});
    }
    group.kind = KernelGroup::Kind::loop;
    group.space = {nest.rows, nest.columns};
    group.nests.push_back(std::move(nest));
    return group;
  }

  /// A space without rows of its own takes those that make its reads regular; with nothing to say
  /// about it, it is one row.
  std::int64_t columns_of(const GroupSpace& space, const std::vector<ValueId>& ops) const {
    if (space.columns != 0) return space.columns;
    std::int64_t columns = space.run;
    for (ValueId op : ops) {
      columns = std::gcd(columns, leaf_columns(program_, storage_, op));
      for (const Dims& window : windows_[at(op)]) columns = std::gcd(columns, window.back());
    }
    if (columns >= kMinRun) return columns;
    if (space.run == 0) return space.elements;
    const bool whole_runs = std::ranges::all_of(ops, [&](ValueId op) {
      return std::ranges::all_of(windows_[at(op)],
                                 [&](const Dims& window) { return splits_at(window, space.run); });
    });
    return whole_runs ? space.run : columns;
  }

  const Program& program_;
  const Storage& storage_;
  const std::vector<Attention>& attentions_;
  const std::int64_t longest_row_;
  std::vector<std::int32_t> attention_of_;  ///< per op, -1: none
  GroupGraph graph_;
  std::vector<OpSpace> spaces_;                   ///< per op
  std::vector<GroupSpace> groups_;                ///< per group
  std::vector<std::vector<ValueId>> members_;     ///< per group
  std::vector<std::vector<Relation>> relations_;  ///< per op and operand
  std::vector<std::vector<ValueId>> consumers_;  ///< per op: ops that might run in one nest with it
  std::vector<std::vector<Dims>> windows_;       ///< per op, see windows_of
  std::vector<bool> per_row_;                    ///< per op
  std::map<ValueId, std::vector<ValueId>> readers_;  ///< loop ops that read a whole base in order
};

}  // namespace

std::vector<KernelGroup> fuse(const Program& program, const Storage& storage,
                              const std::vector<Attention>& attentions, std::int64_t longest_row) {
  return Fusion(program, storage, attentions, longest_row).run();
}

}  // namespace rhino::lower
