// SPDX-License-Identifier: Apache-2.0
#include "models/mixture.hpp"

#include <utility>

#include "models/gating.hpp"
#include "rhino/error.hpp"

namespace rhino::models {
namespace {

/// The layer over tokens [groups, tokens, hidden].
class Experts {
 public:
  Experts(ir::Builder& b, const Mixture& mixture, std::int64_t hidden, DType dtype)
      : b_(b), mixture_(mixture), hidden_(hidden), dtype_(dtype) {}

  Mixed run(ValueId tokens) {
    const ValueId router =
        expert_weight("router", {hidden_, mixture_.experts}, kDeviation, {"hidden", "expert"});
    const Gating gating =
        top2_gating(b_, b_.dot(tokens, router, {{}, {}, {2}, {0}}), mixture_.capacity);
    // [groups, experts, slots, hidden]
    const ValueId sent =
        b_.dot(convert_to(b_, gating.dispatch, dtype_), tokens, {{0}, {0}, {1}, {1}});
    b_.name(sent, "moe.sent");
    const ValueId combine = convert_to(b_, gating.combine, dtype_);
    b_.name(combine, "moe.combine");
    const ValueId mixed = b_.dot(combine, made(sent), {{0}, {1}, {2, 3}, {0, 2}});
    b_.name(mixed, "moe.mixed");
    return {mixed, gating.imbalance};
  }

 private:
  /// [groups, experts, slots, hidden] to [experts, groups, slots, hidden].
  ValueId made(ValueId x) {
    const std::int64_t count = mixture_.experts, ffn = mixture_.ffn;
    const Names wide_dims{"expert", "hidden", "ffn"};
    const ValueId up = expert_weight("up", {count, hidden_, ffn}, kDeviation, wide_dims);
    const ValueId gate = mixture_.is_gated
                             ? expert_weight("gate", {count, hidden_, ffn}, kDeviation, wide_dims)
                             : kNoValue;
    const ValueId down = expert_weight("down", {count, ffn, hidden_}, mixture_.deviation,
                                       {"expert", "ffn", "hidden"});
    const ValueId wide = b_.dot(x, up, {{1}, {0}, {3}, {1}});
    b_.name(wide, "moe.up");
    const ValueId active = mixture_.is_gated
                               ? b_.mul(silu(b_, b_.dot(x, gate, {{1}, {0}, {3}, {1}})), wide)
                               : gelu(b_, wide);
    const ValueId result = b_.dot(active, down, {{0}, {0}, {3}, {1}});
    b_.name(result, "moe.made");
    return result;
  }

  ValueId expert_weight(const std::string& name, std::vector<std::int64_t> dims, double deviation,
                        Names names) {
    return weight(b_, {dtype_, std::move(dims)}, deviation, "moe." + name + ".weight",
                  std::move(names));
  }

  ir::Builder& b_;
  const Mixture& mixture_;
  std::int64_t hidden_;
  DType dtype_;
};

}  // namespace

Mixed mixture_of_experts(ir::Builder& builder, ValueId x, const Mixture& mixture) {
  const Shape shape = builder.shape(x);
  const std::int64_t hidden = shape.dims[2];
  const ValueId tokens =
      builder.reshape(x, {shape.dims[0] * shape.dims[1] / mixture.group, mixture.group, hidden});
  const Mixed mixed = Experts(builder, mixture, hidden, shape.dtype).run(tokens);
  return {builder.reshape(mixed.value, shape.dims), mixed.imbalance};
}

void check_mixture(const std::string& model, const Mixture& mixture, std::int64_t batch,
                   std::int64_t sequence) {
  if (mixture.experts < 2) throw Error(model + ": every token goes to two experts, of at least 2");
  if (mixture.group % sequence != 0 && sequence % mixture.group != 0)
    throw Error(model + ": groups of " + std::to_string(mixture.group) +
                " tokens are no whole samples of " + std::to_string(sequence) +
                ", nor whole parts of one");
  if (batch * sequence % mixture.group != 0)
    throw Error(model + ": " + std::to_string(batch) + " samples of " + std::to_string(sequence) +
                " tokens do not divide into groups of " + std::to_string(mixture.group));
}

double mixture_weights(const Mixture& mixture, std::int64_t hidden) {
  const auto number = [](std::int64_t size) { return static_cast<double>(size); };
  const double slots = number(mixture.experts) * number(mixture.capacity);
  const double matrices = mixture.is_gated ? 3 : 2;
  const double made = slots / number(mixture.group) * matrices * number(mixture.ffn);
  // Forward: sent and mixed. Backward: of tokens, of weights to combine, of what experts made.
  const double moved = slots * 5 / 3;
  return number(hidden) * (number(mixture.experts) + made + moved);
}

}  // namespace rhino::models
