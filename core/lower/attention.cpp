// SPDX-License-Identifier: Apache-2.0
#include "lower/attention.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "ir/op_info.hpp"
#include "lower/attention_passes.hpp"
#include "lower/attention_region.hpp"
#include "lower/prepare.hpp"
#include "rhino/index.hpp"

namespace rhino::lower {
namespace {

using Part = Attention::Part;

constexpr std::size_t kMostMembers = 160;

bool is_result(Part part) { return part == Part::row_result || part == Part::column_result; }

class AttentionSearch {
 public:
  explicit AttentionSearch(const Program& program)
      : program_(program),
        needed_(needed_ops(program)),
        same_(same_ops(program, needed_)),
        users_(ir::users_of(program)),
        group_of_result_(program.ops.size(), -1) {}

  WithAttention run() {
    find();
    while (drop_one_that_shows()) {
    }
    return rewritten();
  }

  /// Per op: it is of an attention, whoever else reads its scores.
  std::vector<bool> members() {
    find();
    return marked([](const Attention::Member&) { return true; });
  }

  /// Of any result alone, for passes may be cut between those of one attention.
  std::vector<double> least_shares() {
    std::map<ValueId, double> least;
    for_each_region([&](const AttentionRegion& region) {
      const double share = seen_share(region.attention);
      for (const Attention::Member& member : region.attention.members) {
        double& own = least.try_emplace(member.op, 1).first->second;
        own = std::min(own, share);
      }
    });
    std::vector<double> result(program_.ops.size(), 1);
    for (std::size_t id = 0; id < result.size(); ++id) {
      if (const auto found = least.find(same_[id]); found != least.end())
        result[id] = found->second;
    }
    return result;
  }

  /// Per op: it is of an attention that shows nothing, and no result.
  std::vector<bool> inside() {
    find();
    while (drop_one_that_shows()) {
    }
    std::vector<bool> result =
        marked([](const Attention::Member& member) { return !is_result(member.part); });
    add_made_of_nothing(result);
    for (const Output& output : program_.outputs) result[at(output.value)] = false;
    return result;
  }

 private:
  template <class F>
  std::vector<bool> marked(F&& is_wanted) const {
    std::set<ValueId> all;
    for (const Group& group : groups_) {
      if (group.is_dropped) continue;
      for (const Attention::Member& member : group.attention.members) {
        if (is_wanted(member)) all.insert(member.op);
      }
    }
    std::vector<bool> result(program_.ops.size());
    for (std::size_t id = 0; id < result.size(); ++id) result[id] = all.contains(same_[id]);
    return result;
  }

  /// What members read and no input is in, as masks: only where it is made is it known what it
  /// says.
  void add_made_of_nothing(std::vector<bool>& result) const {
    std::vector<bool> varies(program_.ops.size());
    for (ValueId id = 0; id < program_.size(); ++id) {
      const Op& op = program_.op(id);
      varies[at(id)] =
          op.kind == OpKind::parameter ||
          std::ranges::any_of(op.operands, [&](ValueId operand) { return varies[at(operand)]; });
    }
    for (ValueId id = program_.size(); id-- > 0;) {
      for (const ValueId user : users_[at(id)]) {
        if (result[at(user)] && !varies[at(id)]) result[at(id)] = true;
      }
    }
  }

  void find() {
    for_each_region([&](AttentionRegion region) { place(std::move(region)); });
  }

  template <class F>
  void for_each_region(F&& f) const {
    std::set<std::int64_t> sizes;  // of what a softmax may be over
    for (const Op& op : program_.ops) {
      const auto* reduce = op.attributes.get_if<ReduceAttr>();
      if (reduce != nullptr && reduce->reduction == Reduction::max)
        sizes.insert(num_elements(program_.shape(op.operands[0]).dims));
    }
    for (ValueId id = 0; id < program_.size(); ++id) {
      if (!needed_[at(id)] || program_.op(id).kind != OpKind::dot) continue;
      for (std::size_t scores : {0U, 1U}) {
        const ValueId operand = program_.op(id).operands[scores];
        if (!sizes.contains(num_elements(program_.shape(operand).dims))) continue;
        auto region = attention_region(program_, same_, id, scores);
        if (!region) continue;
        f(*std::move(region));
        break;
      }
    }
  }

  struct Group {
    Attention attention;
    std::vector<ValueId> results;
    bool is_dropped = false;
  };

  void place(AttentionRegion region) {
    for (std::int32_t index : groups_by_maximum_[region.attention.maximum]) {
      Group& group = groups_[at(index)];
      std::optional<Group> joined = join(group, region);
      if (!joined || depends_on_itself(*joined)) continue;
      group = std::move(*joined);
      note(index);
      return;
    }
    const auto index = static_cast<std::int32_t>(groups_.size());
    groups_by_maximum_[region.attention.maximum].push_back(index);
    groups_.push_back({std::move(region.attention), {region.result}});
    note(index);
  }

  void note(std::int32_t index) {
    for (const Attention::Member& member : groups_[at(index)].attention.members) {
      if (is_result(member.part)) {
        group_of_result_[at(member.op)] = index;
      } else {
        groups_of_[member.op].insert(index);
      }
    }
  }

  static std::optional<Group> join(const Group& group, const AttentionRegion& region) {
    Group joined = group;
    Attention& a = joined.attention;
    const Attention& b = region.attention;
    if (a.extents != b.extents || a.batch != b.batch || a.rows != b.rows || a.column != b.column ||
        a.exponential != b.exponential || a.sum != b.sum)
      return std::nullopt;
    for (const Attention::Member& member : b.members) {
      const Attention::Member* known = a.member(member.op);
      if (known != nullptr && *known != member) return std::nullopt;
      if (known == nullptr) a.members.push_back(member);
    }
    std::ranges::stable_sort(a.members, {}, [](const Attention::Member& member) {
      return std::pair(is_result(member.part), member.op);
    });
    const auto num_products =
        std::ranges::count(a.members, Part::product, &Attention::Member::part);
    if (num_products > Attention::kMostProducts || a.members.size() > kMostMembers)
      return std::nullopt;
    if (a.causal != b.causal) a.causal.clear();
    a.depth = std::max(a.depth, b.depth);
    joined.results.push_back(region.result);
    return joined;
  }

  /// Values that a group reads and does not make.
  std::vector<ValueId> inputs_of(const Group& group) const {
    std::vector<ValueId> inputs;
    for (const Attention::Member& member : group.attention.members) {
      for (ValueId operand : program_.op(member.op).operands) {
        const Attention::Member* made = group.attention.member(same_[at(operand)]);
        if (made == nullptr || is_result(made->part)) inputs.push_back(operand);
      }
    }
    return inputs;
  }

  /// Whether what the group reads is made of what it makes, all groups being computed in one go.
  bool depends_on_itself(const Group& group) const {
    std::vector<bool> reached(program_.ops.size());
    std::vector<ValueId> open;
    const auto reach = [&](ValueId id) {
      if (!reached[at(id)]) open.push_back(id);
      reached[at(id)] = true;
    };
    const auto reach_results = [&](std::int32_t index) {
      for (ValueId result : groups_[at(index)].results) reach(result);
    };
    for (ValueId result : group.results) reach(result);
    while (!open.empty()) {
      const ValueId id = open.back();
      open.pop_back();
      for (ValueId user : users_[at(id)]) {
        if (!needed_[at(user)]) continue;
        reach(user);
        if (group_of_result_[at(user)] >= 0) reach_results(group_of_result_[at(user)]);
        const auto groups = groups_of_.find(same_[at(user)]);
        if (groups == groups_of_.end()) continue;
        for (std::int32_t index : groups->second) reach_results(index);
      }
    }
    return std::ranges::any_of(inputs_of(group), [&](ValueId input) { return reached[at(input)]; });
  }

  /// Members that are made of scores.
  static std::set<ValueId> made_of_scores(const Program& program, const std::vector<ValueId>& same,
                                          const Attention& attention) {
    std::set<ValueId> made;
    for (const Attention::Member& member : attention.members) {
      if (is_result(member.part)) continue;
      const bool is_made =
          std::ranges::any_of(program.op(member.op).operands,
                              [&](ValueId operand) { return made.contains(same[at(operand)]); });
      if (member.part == Part::product || is_made) made.insert(member.op);
    }
    return made;
  }

  /// Drops groups of which something is read elsewhere, for then it is in memory all the same.
  bool drop_one_that_shows() {
    covered_.clear();
    for (const Group& group : groups_) {
      if (!group.is_dropped) covered_.merge(made_of_scores(program_, same_, group.attention));
    }
    std::set<ValueId> shown;
    const auto show = [&](ValueId value) {
      if (covered_.contains(same_[at(value)])) shown.insert(same_[at(value)]);
    };
    for (const Output& output : program_.outputs) show(output.value);
    for (ValueId id = 0; id < program_.size(); ++id) {
      const std::int32_t group = group_of_result_[at(id)];
      if (!needed_[at(id)] || covered_.contains(same_[at(id)]) ||
          (group >= 0 && !groups_[at(group)].is_dropped))
        continue;
      for (ValueId operand : program_.op(id).operands) show(operand);
    }
    for (const Group& group : groups_) {
      if (group.is_dropped) continue;
      for (ValueId input : inputs_of(group)) show(input);
    }
    bool any = false;
    for (Group& group : groups_) {
      if (group.is_dropped) continue;
      group.is_dropped = std::ranges::any_of(
          shown, [&](ValueId value) { return group.attention.member(value) != nullptr; });
      any = any || group.is_dropped;
    }
    return any;
  }

  WithAttention rewritten() {
    result_.program.name = program_.name;
    renamed_.assign(program_.ops.size(), kNoValue);
    for (ValueId id = 0; id < program_.size(); ++id) {
      if (needed_[at(id)] && !covered_.contains(same_[at(id)])) make(id);
    }
    result_.program.inputs = program_.inputs;
    result_.program.outputs = program_.outputs;
    for (Input& input : result_.program.inputs) input.value = renamed_[at(input.value)];
    for (Output& output : result_.program.outputs) output.value = renamed_[at(output.value)];
    return std::move(result_);
  }

  const Group* live_group(ValueId result) const {
    const std::int32_t index = group_of_result_[at(result)];
    return index < 0 || groups_[at(index)].is_dropped ? nullptr : &groups_[at(index)];
  }

  /// Appends `id`, or its group, behind what it needs.
  void make(ValueId id) {
    std::vector<ValueId> open{id};
    while (!open.empty()) {
      const ValueId next = open.back();
      const Group* group = live_group(next);
      const std::size_t before = open.size();
      for (ValueId operand : group ? inputs_of(*group) : program_.op(next).operands) {
        if (renamed_[at(operand)] == kNoValue) open.push_back(operand);
      }
      if (open.size() > before) continue;
      open.pop_back();
      if (renamed_[at(next)] != kNoValue) continue;
      if (group != nullptr) {
        append(*group);
      } else {
        renamed_[at(next)] = append(next, {});
      }
    }
  }

  ValueId append(ValueId id, const std::map<ValueId, ValueId>& inside) {
    Op op = program_.op(id);
    op.origin = kNoValue;
    for (ValueId& operand : op.operands) {
      const auto made = inside.find(same_[at(operand)]);
      operand = made == inside.end() ? renamed_[at(operand)] : made->second;
    }
    result_.program.ops.push_back(std::move(op));
    result_.made_for.push_back(id);
    return result_.program.size() - 1;
  }

  void append(const Group& group) {
    Attention attention = group.attention;
    std::map<ValueId, ValueId> inside;
    for (Attention::Member& member : attention.members) {
      const ValueId made = append(member.op, inside);
      (is_result(member.part) ? renamed_[at(member.op)] : inside[member.op]) = made;
      member.op = made;
    }
    for (ValueId* named : {&attention.maximum, &attention.exponential, &attention.sum})
      *named = inside.at(*named);
    result_.attentions.push_back(std::move(attention));
  }

  const Program& program_;
  const std::vector<bool> needed_;
  const std::vector<ValueId> same_;
  const std::vector<std::vector<ValueId>> users_;
  std::vector<Group> groups_;
  std::map<ValueId, std::vector<std::int32_t>> groups_by_maximum_;
  std::map<ValueId, std::set<std::int32_t>> groups_of_;  ///< of members but for results
  std::vector<std::int32_t> group_of_result_;            ///< per op
  std::set<ValueId> covered_;  ///< members made of scores, of groups that are not dropped
  std::vector<ValueId> renamed_;
  WithAttention result_;
};

}  // namespace

const Attention::Member* Attention::member(ValueId op) const {
  const auto found = std::ranges::find(members, op, &Member::op);
  return found == members.end() ? nullptr : &*found;
}

std::vector<bool> are_attention(const Program& program, const std::vector<Attention>& attentions) {
  std::vector<bool> result(program.ops.size());
  for (const Attention& attention : attentions) {
    for (const Attention::Member& member : attention.members) result[at(member.op)] = true;
  }
  return result;
}

std::vector<bool> may_be_attention(const Program& program) {
  return AttentionSearch(program).members();
}

std::vector<double> least_shares(const Program& program) {
  return AttentionSearch(program).least_shares();
}

std::vector<bool> inside_attention(const Program& program) {
  return AttentionSearch(program).inside();
}

WithAttention with_attention(const Program& program) { return AttentionSearch(program).run(); }

}  // namespace rhino::lower
