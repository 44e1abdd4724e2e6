// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <utility>

#include "ir/autodiff.hpp"
#include "ir/op_info.hpp"
#include "ir/op_traits.hpp"
#include "rhino/index.hpp"

namespace rhino::ir {
namespace {

bool is_view(OpKind kind) { return traits(kind).view || kind == OpKind::convert; }

bool is_cheap(OpKind kind) {
  return is_elementwise(kind) || is_view(kind) || kind == OpKind::constant || kind == OpKind::iota;
}

bool is_contraction(OpKind kind) { return traits(kind).op_class == OpClass::contraction; }

/// Forward values that backward ops read, inputs and constants aside.
std::vector<bool> read_by_backward(const Program& program) {
  std::vector<bool> read(program.ops.size());
  for (const Op& op : program.ops) {
    if (op.phase != Phase::backward) continue;
    for (ValueId operand : op.operands) {
      const Op& value = program.producer(operand);
      read[at(operand)] = value.phase == Phase::forward && value.kind != OpKind::parameter &&
                          value.kind != OpKind::constant;
    }
  }
  return read;
}

/// Of parameters and no batch: once a step, whoever reads it.
std::vector<bool> made_of_weights(const Program& program) {
  std::vector<bool> weights(program.ops.size()), batch(program.ops.size());
  for (const Input& input : program.inputs) {
    batch[at(input.value)] = input.kind == InputKind::batch;
    weights[at(input.value)] = input.kind == InputKind::parameter;
  }
  for (ValueId id = 0; id < program.size(); ++id) {
    for (ValueId operand : program.op(id).operands) {
      if (batch[at(operand)]) batch[at(id)] = true;
      if (weights[at(operand)]) weights[at(id)] = true;
    }
    if (batch[at(id)]) weights[at(id)] = false;
  }
  return weights;
}

class Recomputation {
 public:
  explicit Recomputation(const Program& program)
      : program_(program),
        kept_(read_by_backward(program)),
        weights_(made_of_weights(program)),
        sources_(program.ops.size()),
        depths_(program.ops.size()),
        renamed_(program.ops.size(), kNoValue),
        repetitions_(program.ops.size(), kNoValue) {}

  Program run() {
    keep_bases_of_views();
    for (ValueId id = 0; id < program_.size(); ++id) classify(id);
    return rewrite();
  }

 private:
  /// Where backward gets a forward value from.
  enum class Source : std::uint8_t {
    nowhere,   ///< not at hand
    given,     ///< an input, or made of inputs and constants alone
    kept,      ///< stored by the forward pass
    repeated,  ///< computed again from values at hand
  };

  void keep_bases_of_views() {
    const std::vector<std::vector<ValueId>> users = users_of(program_);
    for (ValueId base = program_.size() - 1; base >= 0; --base) {
      if (!is_forward(base)) continue;
      std::vector<ValueId> views;
      std::int64_t view_bytes = 0;
      for (ValueId user : users[at(base)]) {
        if (!kept_[at(user)] || !is_view(program_.op(user).kind)) continue;
        views.push_back(user);
        view_bytes += num_bytes(program_.shape(user));
      }
      if (!views.empty() && (kept_[at(base)] || num_bytes(program_.shape(base)) <= view_bytes)) {
        for (ValueId view : views) kept_[at(view)] = false;
        kept_[at(base)] = true;
      }
    }
  }

  bool is_forward(ValueId id) const { return program_.op(id).phase == Phase::forward; }

  void classify(ValueId id) {
    const Op& op = program_.op(id);
    if (!is_forward(id)) return;
    for (ValueId operand : op.operands) {
      depths_[at(id)] = std::max(depths_[at(id)], depths_[at(operand)]);
    }
    if (is_contraction(op.kind)) ++depths_[at(id)];
    sources_[at(id)] = source_of(id);
  }

  Source source_of(ValueId id) const {
    const Op& op = program_.op(id);
    if (op.kind == OpKind::parameter) return Source::given;
    const Source otherwise = kept_[at(id)] ? Source::kept : Source::nowhere;
    if (!is_cheap(op.kind)) return otherwise;
    if (weights_[at(id)] && kept_[at(id)] && !traits(op.kind).view) return Source::kept;
    Source source = Source::given;
    for (ValueId operand : op.operands) {
      const Source from = sources_[at(operand)];
      const bool crosses = depths_[at(operand)] < depths_[at(id)];
      if (from == Source::nowhere || (from == Source::repeated && crosses)) return otherwise;
      if (from != Source::given) source = Source::repeated;
    }
    return source;
  }

  Program rewrite() {
    result_.name = program_.name;
    result_.ops.reserve(program_.ops.size() + program_.ops.size() / 4);
    for (ValueId id = 0; id < program_.size(); ++id) {
      Op op = program_.op(id);
      for (ValueId& operand : op.operands) {
        operand = op.phase == Phase::backward ? at_hand(operand) : renamed_[at(operand)];
      }
      renamed_[at(id)] = append(std::move(op));
    }
    // Of imports origins may stand behind.
    for (ValueId id = 0; id < program_.size(); ++id) {
      const ValueId origin = program_.op(id).origin;
      if (origin != kNoValue) result_.ops[at(renamed_[at(id)])].origin = renamed_[at(origin)];
    }
    result_.inputs = program_.inputs;
    result_.outputs = program_.outputs;
    for (Input& input : result_.inputs) input.value = renamed_[at(input.value)];
    for (Output& output : result_.outputs) output.value = renamed_[at(output.value)];
    return std::move(result_);
  }

  /// The value `id` as backward ops read it; repeats it where it is to be repeated.
  ValueId at_hand(ValueId id) {
    const Source source = sources_[at(id)];
    const bool repeat = source == Source::repeated ||
                        (source == Source::given && program_.op(id).kind != OpKind::parameter);
    if (!repeat) return renamed_[at(id)];
    if (repetitions_[at(id)] == kNoValue) {
      Op op = program_.op(id);
      op.name.clear();
      op.phase = Phase::backward;
      op.origin = renamed_[at(id)];
      for (ValueId& operand : op.operands) operand = at_hand(operand);
      repetitions_[at(id)] = append(std::move(op));
    }
    return repetitions_[at(id)];
  }

  ValueId append(Op op) {
    result_.ops.push_back(std::move(op));
    return result_.size() - 1;
  }

  const Program& program_;
  std::vector<bool> kept_, weights_;
  std::vector<Source> sources_;
  std::vector<std::int32_t> depths_;  ///< contractions on the longest way from an input
  std::vector<ValueId> renamed_;      ///< values of program_ in result_
  std::vector<ValueId> repetitions_;  ///< and their repetitions
  Program result_;
};

}  // namespace

Program recompute_cheap(const Program& program) { return Recomputation(program).run(); }

std::vector<ValueId> repeated_ops(const Program& program) {
  std::vector<ValueId> repeated(program.ops.size(), kNoValue);
  for (ValueId id = 0; id < program.size(); ++id) {
    const Op& op = program.op(id);
    if (op.phase != Phase::backward || op.origin == kNoValue) continue;
    const Op& original = program.op(op.origin);
    const auto alike = [&](ValueId ours, ValueId theirs) {
      return ours == theirs || repeated[at(ours)] == theirs;
    };
    if (original.phase == Phase::forward && op.kind == original.kind &&
        op.shape == original.shape && op.attributes == original.attributes &&
        std::ranges::equal(op.operands, original.operands, alike)) {
      repeated[at(id)] = op.origin;
    }
  }
  return repeated;
}

std::int64_t kept_bytes(const Program& program) {
  const std::vector<bool> read = read_by_backward(program);
  std::int64_t bytes = 0;
  for (ValueId id = 0; id < program.size(); ++id) {
    if (read[at(id)]) bytes += num_bytes(program.shape(id));
  }
  return bytes;
}

}  // namespace rhino::ir
