// SPDX-License-Identifier: Apache-2.0
#include <catch2/catch.hpp>
#include <limits>
#include <random>

#include "codec/binary.hpp"
#include "ir/builder.hpp"
#include "plan/plan_fields.hpp"
#include "plan/plan_file.hpp"
#include "plan_harness.hpp"
#include "rhino/error.hpp"
#include "sharding/complete.hpp"

using namespace rhino;
using namespace rhino::plan;

namespace {

Program layer_program() {
  ir::Builder b("layer");
  const ValueId x =
      b.input(InputKind::batch, {DType::f32, {4, 8}}, {Initializer::Kind::normal, 0, 1}, "x");
  const ValueId w = b.input(InputKind::parameter, {DType::f32, {8, 8}},
                            {Initializer::Kind::uniform, -0.1, 0.1}, "w");
  const ValueId y = b.dot(x, w, DotAttr{{}, {}, {1}, {0}});
  const ValueId least = b.fill({DType::f32, {4, 8}}, -std::numeric_limits<double>::infinity());
  b.set_phase(Phase::backward, y);
  const ValueId sum = b.reduce(b.binary(OpKind::maximum, y, least), {0, 1}, Reduction::sum);
  b.output(sum, OutputKind::loss);
  b.output(w, OutputKind::updated_state, 1);
  return std::move(b).finish();
}

Cluster two_devices() {
  Cluster cluster;
  cluster.name = "two \"quoted\"\n";
  cluster.hosts = {{"a", {0, 1}}};
  cluster.host_of = {0, 0};
  cluster.models = {
      {DeviceKind::cpu, "m", 1e9, 1.25e10, 1e-6, {{DType::f32, 1e11}, {DType::bf16, 0.1}}}};
  cluster.model_of = {0, 0};
  cluster.intra_host = {1e10, 3e-7};
  return cluster;
}

Role role_on(const Mesh& mesh) {
  Role role;
  role.mesh = mesh;
  role.buffers = {{{DType::f32, {4, 8}}, 0, true},
                  {{DType::f32, {8, 8}}, 128, true},
                  {{DType::f32, {}}, 384, false}};
  role.instructions = {
      {InstructionKind::run, 0, 0, {0, 1}, {2, 1}, 0, plan::InstructionPhase::forward},
      {InstructionKind::start, 0, 0, {2}, {-1}, 0, plan::InstructionPhase::forward},
      {InstructionKind::wait, 0, 0, {}, {}, 0, plan::InstructionPhase::forward}};
  role.inputs = {{3,
                  0,
                  {DType::f32, {8, 8}},
                  {{{{{0, 8}}}, {}}, {}},
                  {Initializer::Kind::step, 1, 0},
                  InputKind::batch,
                  0,
                  1}};
  role.outputs = {{0, 2, {DType::f32, {}}, {}}};
  role.arena_bytes = 448;
  role.workspace_bytes = 64;
  return role;
}

ExecutionPlan sample_plan() {
  ExecutionPlan plan;
  plan.name = "sample";
  plan.search = "search/grid";
  plan.num_micro_batches = 2;
  plan.incomplete = true;
  plan.cluster = two_devices();
  plan.programs = {layer_program()};
  Communication transfer;
  transfer.parts = {{DType::f32, {}}, {DType::f32, {4}}};
  transfer.steps = {{0, 0, 1, {}, {}, {}, false, {}},
                    {1, 1, 0, {{2}, {2}}, {{0}, {2}}, {{2}, {2}}, true, {0}}};
  Communication sum{
      CommunicationKind::all_reduce, Reduction::max, {{DType::bf16, {3}}}, {{0, 1}}, {}, "sum"};
  plan.communications = {transfer, sum};
  plan.roles = {role_on({{{"data", 2}}, {0, 1}})};
  return plan;
}

Strategy sample_strategy() {
  Strategy strategy;
  strategy.name = "s";
  strategy.num_micro_batches = 4;
  strategy.chunks = {{{{{"data", 2}, {"tensor", 1}}, {0, 1}}, true}};
  strategy.chunk_of = {0, -1};
  strategy.specs = {{{{{{kMicroAxis, 8}, {0, 2}}}, {{}}}, {{1, Reduction::max}}}, {}};
  return strategy;
}

using Decode = ExecutionPlan (*)(std::string_view, const std::string&);

std::string message_of(const std::string& text, Decode decode = decode_plan) {
  try {
    decode(text, "p.json");
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

/// Of 4000 torn or changed plans, the number that was refused.
int num_refused(const std::string& whole, Decode decode) {
  const std::uint32_t seed = 7;
  CAPTURE(seed);
  std::mt19937 random(seed);
  int refused = 0;
  for (int round = 0; round < 4000; ++round) {
    std::string torn = whole;
    if (round % 8 == 0) torn.resize(random() % whole.size());
    else
      for (unsigned flips = 1 + random() % 3; flips > 0; --flips)
        torn[random() % torn.size()] = static_cast<char>(random());
    const std::string message = message_of(torn, decode);
    CHECK((message.empty() || message.starts_with("p.json: ")));
    refused += !message.empty();
  }
  return refused;
}

void check_both_codecs(const ExecutionPlan& plan) {
  CHECK(decode_plan(encode(plan), "p.json") == plan);
  CHECK(plan_from_bytes(to_bytes(plan), "p") == plan);
}

}  // namespace

TEST_CASE("a plan read back equals the plan written") {
  const ExecutionPlan plan = sample_plan();
  check_both_codecs(plan);
  check_both_codecs(ExecutionPlan{});
}

TEST_CASE("attributes of every kind survive") {
  ExecutionPlan plan = sample_plan();
  Program& program = plan.programs[0];
  const std::vector<std::int64_t> dims{3, -1, 4};
  constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
  const std::vector<Attributes> all = {
      ConstantAttr{{0.1, -0.0, 1e300, -std::numeric_limits<double>::infinity(), kNan, -kNan}},
      DimAttr{2},
      DimsAttr{dims},
      CompareAttr{Comparison::ge},
      ReduceAttr{dims, Reduction::logical_or},
      DotAttr{{0}, {1}, {2}, {3}},
      SliceAttr{dims, dims, {1}},
      PadAttr{dims, {-2}, {0}},
      GatherAttr{{1}, {0}, {0}, dims, 5},
      ScatterAttr{{1}, {0}, {0}, 2, Reduction::max},
      DynamicSliceAttr{dims},
      ConvolutionAttr{1, 2, 3, 4, 5, 6, dims, {1}, {2}, {3}, {4}, {5}, {6}, {7}, 8, 9},
      WindowAttr{dims, {1}, {2}, {3}, Reduction::min},
      RngAttr{~std::uint64_t{0}, -1.5, 2},
      CollectiveAttr{{0, 1}, Reduction::product}};
  for (const Attributes& attributes : all) {
    Op op;
    op.attributes = attributes;
    program.ops.push_back(op);
  }
  CHECK(all.size() + 1 == std::variant_size_v<Attributes::Types>);
  check_both_codecs(plan);
}

TEST_CASE("a torn, foreign or misdirected file is named with the reason") {
  const std::string text = encode(sample_plan());
  CHECK_THAT(message_of(text.substr(0, text.size() / 2)),
             Catch::StartsWith("p.json: not a whole rhino-bench plan"));
  std::string other = text;
  other.replace(other.find("plan"), 4, "PLAN");
  CHECK_THAT(message_of(other), Catch::Contains("p.json: this is not a rhino-bench plan"));
  other = text;
  const std::string version = "\"version\":" + std::to_string(ExecutionPlan::kVersion);
  other.replace(other.find(version), version.size(),
                "\"version\":" + std::to_string(ExecutionPlan::kVersion + 1));
  CHECK_THAT(
      message_of(other),
      Catch::Contains("version " + std::to_string(ExecutionPlan::kVersion + 1) + " of the format"));

  ExecutionPlan plan = sample_plan();
  plan.roles[0].instructions[0].inputs[0] = 7;
  CHECK_THAT(message_of(encode(plan)),
             Catch::Equals("p.json: role 0, instruction 0 names buffer 7 of 3"));
  plan = sample_plan();
  plan.communications[0].steps[0].after = {1};
  CHECK_THAT(message_of(encode(plan)),
             Catch::Contains("communication 0, step 0 comes after step 1"));
  plan = sample_plan();
  plan.roles[0].mesh.devices = {0, 2};
  CHECK_THAT(message_of(encode(plan)), Catch::Contains("a device that the cluster lacks"));
}

TEST_CASE("any truncation or flipped byte is read or refused, never worse") {
  CHECK(num_refused(encode(sample_plan()), decode_plan) > 2000);
  CHECK(num_refused(to_bytes(sample_plan()), plan_from_bytes) > 2000);
}

TEST_CASE("bytes that are cut short or too long are refused wherever that is") {
  const std::string whole = to_bytes(sample_plan());
  for (std::size_t size = 0; size < whole.size(); ++size)
    CHECK_FALSE(message_of(whole.substr(0, size), plan_from_bytes).empty());
  CHECK(message_of(whole + "x", plan_from_bytes) == "p.json: 1 bytes too many");
}

TEST_CASE("a size beyond the bytes is refused before memory is taken") {
  codec::BinaryWriter hostile;
  hostile.put(codec::Layout<std::vector<Box>>::kHash);
  hostile.put(std::uint64_t{1} << 60);
  CHECK_THROWS_WITH(codec::from_bytes<std::vector<Box>>(hostile.take(), "boxes"), "boxes: torn");
}

TEST_CASE("bytes of another type are foreign") {
  const std::string bytes = codec::to_bytes(sample_strategy());
  CHECK(codec::from_bytes<Strategy>(bytes, "s") == sample_strategy());
  CHECK_THAT(message_of(bytes, plan_from_bytes), Catch::Contains("another build"));
}

TEST_CASE("plans of a pipelined step are the same from text and from bytes") {
  StrategyDraft draft;
  draft.num_micro_batches = 4;
  draft.chunks = test::chunks_on({{2}, {2}});
  draft.batch_axis = 0;
  const Strategy strategy = sharding::complete(test::tiny_gpt_step(), draft);
  for (const char* schedule : {"gpipe", "1f1b", "eager_1f1b"}) {
    test::ScatterGather resharding;
    check_both_codecs(test::plan_of(test::tiny_gpt_step(), strategy, schedule, resharding));
  }
}

TEST_CASE("digits changed at random are read or refused, never worse") {
  const std::string text = encode(sample_plan());
  std::mt19937 random(11);
  for (int round = 0; round < 4000; ++round) {
    std::string changed = text;
    const std::size_t at = changed.find_first_of("0123456789", random() % (text.size() - 8));
    constexpr const char* kOther[] = {
        "9", "-1", "99999999999999999999", "4611686018427387904", "1e999", "[[]]", "null"};
    if (at != std::string::npos) changed.replace(at, 1, kOther[random() % 7]);
    try {
      const ExecutionPlan plan = decode_plan(changed, "p.json");
      CHECK(plan.roles.size() <= 1);
    } catch (const Error&) {
    }
  }
}

TEST_CASE("a plan of many micro-batches is written and read back") {
  ExecutionPlan plan = sample_plan();
  plan.num_micro_batches = 1 << 20;
  std::vector<Instruction> list;
  for (std::int32_t m = 0; m < 5000; ++m) {
    for (Instruction instruction : plan.roles[0].instructions) {
      instruction.instance = m;
      list.push_back(instruction);
    }
  }
  plan.roles[0].instructions = list;
  check_both_codecs(plan);
}
