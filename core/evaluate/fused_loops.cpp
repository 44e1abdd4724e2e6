// SPDX-License-Identifier: Apache-2.0
#include "evaluate/fused_loops.hpp"

#include <algorithm>
#include <map>
#include <numeric>
#include <set>
#include <utility>

#include "lower/attention_passes.hpp"
#include "lower/lower.hpp"
#include "rhino/index.hpp"

namespace rhino::evaluate {
namespace {

/// Ops of passes that are kept, which take some hundred bytes each.
constexpr std::size_t kMostKept = 1 << 18;

}  // namespace

/// The ops of a pass as a program of their own: first its key, which tells how it is lowered.
class FusedLoops::PassProgram {
 public:
  PassProgram(FusedLoops& loops, const Frame& frame, const PassOps& pass)
      : loops_(loops), graph_(loops.graph_), rows_(frame.rows), frame_(frame), pass_(pass) {
    key_.push_back(static_cast<std::int32_t>(rows_.num_single));
    for (const ValueId id : pass.ops) append(id);
    key_.push_back(-1);
    for (const ValueId id : pass.ops) {
      const bool is_own = &frame_.passes[at(std::max(frame_.made_in[at(id)], 0))] == &pass;
      if ((frame_.leaves[at(id)] && is_own) || pass.departing.contains(id))
        outputs_.push_back(loops_.own_[at(id)]);
    }
    key_.insert(key_.end(), outputs_.begin(), outputs_.end());
  }
  ~PassProgram() {
    for (const Own& own : ops_) loops_.own_[at(own.id)] = -1;
  }
  PassProgram(const PassProgram&) = delete;

  const std::vector<std::int32_t>& key() const { return key_; }
  std::size_t size() const { return ops_.size(); }
  ValueId value(std::int32_t own) const { return ops_[at(own)].id; }
  /// None of what is there before, nor of the loops around a kernel.
  bool has_traffic(std::int32_t own) const { return ops_[at(own)].has_traffic; }

  Program program() const {
    Program program;
    for (const Own& own : ops_) {
      Op& op = program.ops.emplace_back();
      if (own.is_input) {
        op = {.kind = OpKind::parameter, .shape = graph_.shape(own.id)};
        program.inputs.push_back({.value = program.size() - 1});
      } else {
        op = graph_.op(own.id);
        std::copy_n(operands_.begin() + own.first_operand, op.operands.size(), op.operands.begin());
      }
      for (std::size_t d = 0; d < op.shape.dims.size(); ++d)
        if ((own.cut_dims >> d & 1) != 0) keep_single_row(op.shape.dims, d);
    }
    for (const ValueId output : outputs_) program.outputs.push_back({output});
    return program;
  }

 private:
  /// Rows of the batch lie along dim `d`, or, where some at a time share statistics, along the next
  /// one, too.
  void keep_single_row(std::vector<std::int64_t>& dims, std::size_t d) const {
    const std::int64_t parts = std::gcd(dims[d], rows_.num_single),
                       together = rows_.num_single / parts;
    dims[d] /= parts;
    if (together > 1 && d + 1 < dims.size() && dims[d + 1] == together) dims[d + 1] = 1;
  }

  struct Own {
    ValueId id = kNoValue;
    std::ptrdiff_t first_operand = 0;
    bool is_input = false, has_traffic = false;
    std::uint32_t cut_dims = 0;  ///< to single rows, a bit each
  };

  std::int32_t append(ValueId id) {
    const bool makes = pass_.makes(id);
    Own own{.id = id,
            .is_input = !makes && !frame_.is_copied[at(id)],
            .has_traffic = makes && frame_.work[at(id)] != OpWork::kernel,
            .cut_dims = rows_.cut_dims.empty() ? 0 : rows_.cut_dims[at(id)]};
    std::vector<std::int32_t> operands;
    if (!own.is_input) {
      for (const ValueId operand : graph_.op(id).operands) {
        const std::int32_t known = loops_.own_[at(operand)];
        operands.push_back(known >= 0 ? known : append(operand));
      }
    }
    own.first_operand = std::ssize(operands_);
    operands_.insert(operands_.end(), operands.begin(), operands.end());
    write_key(own, operands);
    ops_.push_back(own);
    return loops_.own_[at(id)] = static_cast<std::int32_t>(ops_.size()) - 1;
  }

  void write_key(const Own& own, const std::vector<std::int32_t>& operands) {
    const std::int32_t number =
        own.is_input ? loops_.shape_number_[at(own.id)] : graph_.class_of(own.id);
    key_.push_back(4 * number + (own.is_input ? 2 : 0) + (own.has_traffic ? 1 : 0));
    key_.insert(key_.end(), operands.begin(), operands.end());
    if (rows_.num_single > 0) key_.push_back(static_cast<std::int32_t>(own.cut_dims));
  }

  FusedLoops& loops_;
  const sharding::OpGraph& graph_;
  const Rows& rows_;
  const Frame& frame_;
  const PassOps& pass_;
  std::vector<Own> ops_;
  std::vector<std::int32_t> operands_, key_;
  std::vector<ValueId> outputs_;
};

class FusedLoops::LoopFinder {
 public:
  LoopFinder(const PassProgram& program, lower::Kernels kernels)
      : program_(program), traffic_(program.size()) {
    const Program pass = program.program();
    if (kernels.attention) is_inside_ = lower::inside_attention(pass);
    lowered_ = lower::lower(pass, kernels, made_for_);
  }

  Found run() {
    Found found;
    for (std::size_t own = 0; own < is_inside_.size(); ++own) {
      if (is_inside_[own]) found.inside.push_back(static_cast<std::int32_t>(own));
    }
    for (const lower::KernelGroup& group : lowered_.groups) {
      if (group.attention) found.attentions.push_back(attention_of(group));
      if (group.kind != lower::KernelGroup::Kind::loop) continue;
      list(group, found.num_launches);
      for (const lower::LoopNest& nest : group.nests) {
        for (const lower::LoopNest::Member& member : nest.members) {
          if (is_part(member.op)) continue;
          if (LoopTraffic* const traffic = traffic_of(member.op))
            traffic->nest = found.num_launches;
        }
        ++found.num_launches;
      }
    }
    for (std::size_t own = 0; own < traffic_.size(); ++own) {
      if (traffic_[own].launch >= 0 || traffic_[own].nest >= 0)
        found.traffic.emplace_back(own, std::move(traffic_[own]));
    }
    return found;
  }

 private:
  LoopTraffic* traffic_of(ValueId lowered) {
    const ValueId own = made_for_[at(lowered)];
    return program_.has_traffic(own) ? &traffic_[at(own)] : nullptr;
  }

  /// Of a reduction or a broadcast in two (lower/short_rows.hpp) the one that is of few elements.
  bool is_part(ValueId lowered) const {
    const Op& op = lowered_.program.op(lowered);
    if (op.kind != OpKind::reduce && op.kind != OpKind::reshape) return false;
    const Op& operand = lowered_.program.producer(op.operands[0]);
    const OpKind whole = op.kind == OpKind::reduce ? OpKind::reduce : OpKind::broadcast;
    return operand.kind == whole && made_for_[at(op.operands[0])] == made_for_[at(lowered)];
  }

  /// What lies in `base`; of a broadcast in two that which it repeats, as of any other.
  ValueId shown(ValueId base) const {
    const Op& op = lowered_.program.op(base);
    if (op.kind != OpKind::reshape || !is_part(base)) return made_for_[at(base)];
    const ValueId repeated = lowered_.views[at(op.operands[0])].base;
    return made_for_[at(repeated)];
  }

  PassAttention attention_of(const lower::KernelGroup& group) const {
    PassAttention made = described(*group.attention, group.inputs);
    const ValueId apart = product_apart(*group.attention);
    if (apart == kNoValue) return made;
    made.apart = made_for_[at(apart)];
    for (const bool needs_it : {false, true}) {
      std::vector<ValueId> results;
      for (const lower::Attention::Member& member : group.attention->members) {
        const bool is_result = lower::is_result(*group.attention, member.op);
        if (is_result && made_of(*group.attention, {member.op}).contains(apart) == needs_it)
          results.push_back(member.op);
      }
      if (!results.empty()) made.parts.push_back(part(group, results, apart));
    }
    return made;
  }

  PassAttention described(const lower::Attention& attention,
                          const std::vector<ValueId>& inputs) const {
    PassAttention made{attention, cost::attention_dots(lowered_.program, attention)};
    for (const ValueId input : inputs) made.inputs.push_back(made_for_[at(input)]);
    for (lower::Attention::Member& member : made.attention.members) {
      const ValueId own = made_for_[at(member.op)];
      if (lower::is_result(attention, member.op)) made.results.push_back(own);
      member.op = own;
    }
    return made;
  }

  /// Members that some of them are made of, themselves included.
  std::set<ValueId> made_of(const lower::Attention& attention, std::vector<ValueId> open) const {
    std::set<ValueId> all;
    while (!open.empty()) {
      const ValueId id = open.back();
      open.pop_back();
      if (attention.member(id) == nullptr || !all.insert(id).second) continue;
      const std::vector<ValueId>& operands = lowered_.program.op(id).operands;
      open.insert(open.end(), operands.begin(), operands.end());
    }
    return all;
  }

  ValueId product_apart(const lower::Attention& attention) const {
    const std::set<ValueId> softmax = made_of(attention, {attention.sum});
    ValueId found = kNoValue;
    for (const lower::Attention::Member& member : attention.members) {
      if (member.part == lower::Attention::Part::product && !softmax.contains(member.op))
        found = member.op;
    }
    return found;
  }

  /// Of these results alone, where `apart` lies in memory.
  PassAttention part(const lower::KernelGroup& group, const std::vector<ValueId>& results,
                     ValueId apart) const {
    lower::Attention own = *group.attention;
    const std::set<ValueId> needed = made_of(own, results);
    std::erase_if(own.members, [&](const lower::Attention::Member& member) {
      return member.op == apart || !needed.contains(member.op);
    });
    std::set<ValueId> inputs;
    for (const lower::Attention::Member& member : own.members) {
      for (const ValueId operand : lowered_.program.op(member.op).operands) {
        const ValueId base = lowered_.views[at(operand)].base;
        if (operand == apart) inputs.insert(apart);
        else if (std::ranges::binary_search(group.inputs, base)) inputs.insert(base);
      }
    }
    return described(own, {inputs.begin(), inputs.end()});
  }

  void list(const lower::KernelGroup& group, std::int32_t launch) {
    std::set<ValueId> unread(group.inputs.begin(), group.inputs.end());
    bool opens = true;
    for (const ValueId op : group.ops) {
      LoopTraffic* const traffic = traffic_of(op);
      if (traffic == nullptr || is_part(op)) continue;
      traffic->launch = launch;
      traffic->opens = std::exchange(opens, false);
      traffic->writes = std::ranges::binary_search(group.outputs, lowered_.views[at(op)].base);
      for (const ValueId operand : lowered_.program.op(op).operands) {
        const ValueId base = lowered_.views[at(operand)].base;
        const bool is_read = std::ranges::binary_search(group.inputs, base);
        const bool is_new = unread.erase(base) > 0;
        if (!is_read) continue;
        const ValueId value = shown(base);
        if (value != made_for_[at(op)]) traffic->inputs.push_back(value);
        if (is_new) traffic->reads.push_back(value);
      }
    }
  }

  const PassProgram& program_;
  std::vector<LoopTraffic> traffic_;
  std::vector<bool> is_inside_;
  std::vector<ValueId> made_for_;
  lower::LoweredProgram lowered_;
};

FusedLoops::FusedLoops(const sharding::OpGraph& graph, lower::Kernels kernels)
    : graph_(graph),
      kernels_(kernels),
      shape_number_(at(graph.size())),
      own_(at(graph.size()), -1) {
  std::map<std::pair<DType, std::vector<std::int64_t>>, std::int32_t> numbers;
  for (ValueId id = 0; id < graph.size(); ++id) {
    const Shape& shape = graph.shape(id);
    const auto next = static_cast<std::int32_t>(numbers.size());
    shape_number_[at(id)] = numbers.try_emplace({shape.dtype, shape.dims}, next).first->second;
  }
}

void FusedLoops::find(const Frame& frame, PassOps& pass, std::int32_t& num_launches) {
  const PassProgram program(*this, frame, pass);
  const Found& found = this->found(program);
  for (const auto& [own, known] : found.traffic) {
    LoopTraffic traffic = known;
    for (std::int32_t* const number : {&traffic.launch, &traffic.nest}) {
      if (*number >= 0) *number += num_launches;
    }
    for (std::vector<ValueId>* const values : {&traffic.reads, &traffic.inputs}) {
      for (ValueId& value : *values) value = program.value(value);
    }
    pass.traffic[at(pass.place[at(program.value(own))])] = std::move(traffic);
  }
  num_launches += found.num_launches;
  list_attentions(found, program, pass);
}

void FusedLoops::list_attentions(const Found& found, const PassProgram& program, PassOps& pass) {
  pass.attention_of.assign(pass.ops.size(), -1);
  pass.is_inside.assign(pass.ops.size(), false);
  for (const std::int32_t own : found.inside) {
    const ValueId id = program.value(own);
    if (pass.makes(id)) pass.is_inside[at(pass.place[at(id)])] = true;
  }
  const auto rename = [&](PassAttention& attention) {
    for (std::vector<ValueId>* const values : {&attention.inputs, &attention.results}) {
      for (ValueId& value : *values) value = program.value(value);
    }
    for (lower::Attention::Member& member : attention.attention.members)
      member.op = program.value(member.op);
  };
  for (PassAttention attention : found.attentions) {
    rename(attention);
    std::ranges::for_each(attention.parts, rename);
    if (attention.apart != kNoValue) attention.apart = program.value(attention.apart);
    for (const lower::Attention::Member& member : attention.attention.members) {
      if (pass.makes(member.op))
        pass.attention_of[at(pass.place[at(member.op)])] =
            static_cast<std::int32_t>(pass.attentions.size());
    }
    pass.attentions.push_back(std::move(attention));
  }
}

const FusedLoops::Found& FusedLoops::found(const PassProgram& program) {
  const auto known = known_.find(program.key());
  if (known != known_.end()) return known->second;
  if (num_kept_ > kMostKept) known_.clear(), num_kept_ = 0;
  num_kept_ += program.size();
  return known_.emplace(program.key(), LoopFinder(program, kernels_).run()).first->second;
}

}  // namespace rhino::evaluate
