// SPDX-License-Identifier: Apache-2.0
/// What search/rhino finds for the cases of experiments/rediscovery.yaml: what experts write there,
/// told by its structure, as the programs of devices and the specs of weights have it; and no
/// longer a step than any other cell of the case.
#include <algorithm>
#include <catch2/catch.hpp>
#include <limits>

#include "found_strategy.hpp"
#include "rhino/index.hpp"

namespace rhino::test {
namespace {

using Dims = std::vector<std::size_t>;
constexpr std::int64_t kAny = std::numeric_limits<std::int64_t>::max();

/// The cases of the experiment, in their order.
enum Case : std::int32_t {
  megatron,
  fused,
  small_weights,
  zero_1,
  zero_2,
  zero_3,
  vocabulary,
  sequence,
  experts
};

Found found_in(Case which) {
  Found found = test::found_in(RHINO_TEST_SOURCE "/experiments/rediscovery.yaml", which);
  for (const Planned& other : found.others) {
    INFO(found.searched.strategy.name << " takes " << found.searched.step_s << " s, " << other.name
                                      << " " << other.step_s << " s");
    CHECK(found.searched.step_s <= other.step_s * 1.002);
  }
  return found;
}

/// Two sums of activations over the devices in each layer's forward pass, and two in its backward
/// pass; one more where the embedding is looked up in parts, and one where logits are. What a sum
/// leaves scattered is gathered for the next dot; where the backward pass has the same for the
/// gradient of a weight it may be gathered again.
void check_two_sums_per_layer(const Planned& planned) {
  INFO(planned.name << ": " << planned.strategy.name);
  const std::int64_t activation =
      num_elements(planned.step->shape(value_of(*planned.step, "h0.out")));
  for (const auto phase : {sharding::ChunkPhase::forward, sharding::ChunkPhase::backward}) {
    const bool is_forward = phase == sharding::ChunkPhase::forward;
    const auto layers = crossings(planned, phase, {activation, activation});
    int sums = 0;
    for (std::size_t i = 0; i < layers.size(); ++i) {
      CAPTURE(is_forward, layers[i].first);
      const Crossings& layer = layers[i].second;
      sums += layer.sums;
      if (i < 2 || i + 1 == layers.size()) continue;
      CHECK(layer.sums == 2);
      CHECK(layer.gathers >= 2);
      CHECK(layer.gathers <= (is_forward ? 2 : 6));
      CHECK(layer.all_to_alls <= (is_forward ? 0 : 1));
    }
    const int num_layers = static_cast<int>(layers.size()) - 1;
    CHECK(sums >= 2 * num_layers);
    CHECK(sums <= 2 * num_layers + 1);
  }
}

void check_columns_then_rows(const Planned& planned) {
  INFO(planned.name << ": " << planned.strategy.name);
  CHECK(split_dims(planned, "h1.mlp.up.weight") == Dims{1});
  CHECK(split_dims(planned, "h1.mlp.down.weight") == Dims{0});
  CHECK(split_dims(planned, "h1.attn.out.weight") == Dims{0});
}

/// Of what is found, and of what experts write there: else the check is wrong.
void check_megatron(const Found& found) {
  const auto is_file = [](const Planned& other) {
    return other.name.find("/gpt_megatron") != std::string::npos;
  };
  CHECK(std::ranges::any_of(found.others, is_file));
  for (const Planned& other : found.others) {
    if (!is_file(other)) continue;
    check_two_sums_per_layer(other);
    check_columns_then_rows(other);
  }
  check_two_sums_per_layer(found.searched);
  check_columns_then_rows(found.searched);
}

/// Of the bytes of inputs of a kind, the part that lies on one device alone.
double share_held_once(const Planned& planned, InputKind kind) {
  double all = 0, once = 0;
  for (const Input& input : planned.step->inputs) {
    if (input.kind != kind) continue;
    const auto bytes = static_cast<double>(num_bytes(planned.step->shape(input.value)));
    all += bytes;
    once += num_copies(planned, input.value) == 1 ? bytes : 0;
  }
  return once / all;
}

/// Bytes that each of some devices receives for one mixture in a step, where tokens are cut over
/// them by groups: the sums of its experts' gradients of weights; or tokens on their way to experts
/// and back, and gradients likewise. The same where experts are cut and tokens are whole: two sums,
/// in the pass of which each device makes terms.
struct MixtureTraffic {
  double data = 0, expert = 0, tensor = 0;

  MixtureTraffic(const Planned& planned, double num_devices) {
    const auto bytes = [&](const char* name) {
      return static_cast<double>(
          num_bytes(planned.step->shape(value_of(*planned.step, std::string("h1.moe.") + name))));
    };
    const double part = (num_devices - 1) / num_devices;
    data = 2 * part * (bytes("up.weight") + bytes("down.weight"));
    expert = 2 * part * (bytes("sent") + bytes("made")) / num_devices;
    tensor = 2 * part * 2 * bytes("mixed");
  }
};

/// Each expert is on one device, groups of tokens are cut over all devices, and all that crosses in
/// a pass of a mixture is what goes to experts and what comes back, all to all.
void check_experts(const Planned& planned, double num_devices) {
  INFO(planned.name << ": " << planned.strategy.name);
  for (const char* name : {"h1.moe.up.weight", "h1.moe.down.weight"}) {
    CHECK(split_dims(planned, name) == Dims{0});
    CHECK(num_copies(planned, value_of(*planned.step, name)) == 1);
  }
  CHECK(split_dims(planned, "h1.moe.sent") == Dims{0});
  const auto slots = static_cast<double>(
      num_elements(planned.step->shape(value_of(*planned.step, "h1.moe.sent"))));
  const auto most = static_cast<std::int64_t>(slots / num_devices);
  for (const auto phase : {sharding::ChunkPhase::forward, sharding::ChunkPhase::backward}) {
    int num_mixtures = 0;
    for (const auto& [layer, of_layer] : crossings(planned, phase, {most / 2, kAny})) {
      if (layer != "h1" && layer != "h3") continue;
      CAPTURE(layer, phase == sharding::ChunkPhase::forward, of_layer.sums, of_layer.gathers);
      ++num_mixtures;
      CHECK(of_layer.all_to_alls == 2);
      // Beside the last layer lie the logits.
      if (layer == "h1") CHECK(of_layer.sums + of_layer.gathers == 0);
    }
    CHECK(num_mixtures == 2);
  }
}

}  // namespace

TEST_CASE("one sample: columns, then rows, and two sums per layer and pass") {
  const Found found = found_in(megatron);
  check_megatron(found);
  CHECK(split_dims(found.searched, "h1.attn.qkv.weight") == Dims{2});
}

TEST_CASE("a fused query, key and value are split by heads, in strides, without a reshard") {
  const Found found = found_in(fused);
  check_megatron(found);
  const ValueId weight = value_of(*found.searched.step, "h1.attn.qkv.weight");
  for (const Planned* planned : {&found.others.front(), &found.searched}) {
    const DimSharding& columns = planned->strategy.specs[at(weight)].dims[1];
    REQUIRE(!columns.splits.empty());
    CHECK(columns.splits.front().period == planned->step->shape(weight).dims[1] / 3);
  }
}

TEST_CASE("small weights and many samples: the batch is split and nothing but gradients crosses") {
  const Planned found = found_in(small_weights).searched;
  CHECK(found.strategy.chunks.size() == 1);
  for (const Input& input : found.step->inputs) {
    const std::string& name = found.step->producer(input.value).name;
    CAPTURE(name);
    if (input.kind == InputKind::parameter) CHECK(split_dims(found, name).empty());
    if (input.kind == InputKind::batch) CHECK(split_dims(found, name) == Dims{0});
  }
  for (const auto phase : {sharding::ChunkPhase::forward, sharding::ChunkPhase::backward}) {
    for (const auto& [layer, of_layer] : crossings(found, phase, {2, kAny}))
      CHECK(of_layer == Crossings());
  }
}

TEST_CASE("memory for one copy of the states: ZeRO 1") {
  CHECK(share_held_once(found_in(zero_1).searched, InputKind::optimizer_state) > 0.95);
}

TEST_CASE("memory for one copy of the gradients, too: ZeRO 2") {
  const Found found = found_in(zero_2);
  CHECK(share_held_once(found.searched, InputKind::optimizer_state) > 0.95);
  CHECK(found.searched.strategy.gradient_sums.scatter_each);
}

TEST_CASE("memory for one copy of everything: ZeRO 3") {
  const Found found = found_in(zero_3);
  CHECK(share_held_once(found.searched, InputKind::optimizer_state) > 0.95);
  CHECK(share_held_once(found.searched, InputKind::parameter) > 0.95);
}

TEST_CASE("a large vocabulary is split, in the embedding and in the loss") {
  const Planned found = found_in(vocabulary).searched;
  CHECK(split_dims(found, "wte") == Dims{0});
  CHECK(split_dims(found, "logits") == Dims{2});
  const std::int64_t logits = num_elements(found.step->shape(value_of(*found.step, "logits")));
  for (const auto phase : {sharding::ChunkPhase::forward, sharding::ChunkPhase::backward}) {
    for (const auto& [layer, of_layer] : crossings(found, phase, {logits / 4, kAny}))
      CHECK(of_layer == Crossings());
  }
}

TEST_CASE("long sequences: what lies between the split weights is split along the sequence") {
  const Found found = found_in(sequence);
  CHECK(split_dims(found.searched, "h1.mid") == Dims{1});
  CHECK(split_dims(found.searched, "h1.out") == Dims{1});
}

TEST_CASE("many large experts: they are on devices, and tokens go to them and come back") {
  const Found found = found_in(experts);
  REQUIRE(found.searched.strategy.chunks.size() == 1);
  const auto num_devices =
      static_cast<double>(found.searched.strategy.chunks.front().mesh.devices.size());
  const MixtureTraffic traffic(found.searched, num_devices);
  REQUIRE(traffic.expert < 0.5 * std::min(traffic.data, traffic.tensor));
  check_experts(found.others.front(), num_devices);
  check_experts(found.searched, num_devices);
}

}  // namespace rhino::test
