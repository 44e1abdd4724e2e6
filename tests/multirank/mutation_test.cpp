// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <set>

#include "gpt_plans.hpp"
#include "ir/initial_values.hpp"
#include "ir/reference.hpp"
#include "measure/reference_run.hpp"
#include "mutations.hpp"
#include "plan/plan_file.hpp"
#include "plan/plan_mesh.hpp"
#include "plan/validate.hpp"
#include "planning/plan_fit.hpp"
#include "rhino/error.hpp"
#include "rhino/index.hpp"

/// Correct plans of a small GPT on two ranks, spoilt one by one: the check of numerics must find
/// each, and what it finds must be what the mutation means.
namespace rhino {
namespace {

constexpr double kTolerance = 1e-4;

/// Gradients do not depend on the optimizer, but on the dtype.
const std::vector<check::StepValues>& reference(DType dtype = DType::f32) {
  static std::map<DType, std::vector<check::StepValues>> values;
  std::vector<check::StepValues>& made = values[dtype];
  if (made.empty()) {
    const RunDir dir;
    made = measure::reference_values(model(dtype == DType::f32 ? "adam" : "mixed").step,
                                     options_in(dir));
  }
  return made;
}

const check::CheckedTensor& tensor_named(const check::StepValues& values, const std::string& name) {
  return *std::find_if(values.gradients.begin(), values.gradients.end(),
                       [&](const check::CheckedTensor& tensor) { return tensor.name == name; });
}

/// Index of the gradient of parameter `name` in the outputs of the step.
std::int32_t gradient_output(const std::string& name) {
  const Program& step = model().step;
  const auto found =
      std::find_if(step.outputs.begin(), step.outputs.end(), [&](const Output& output) {
        return output.kind == OutputKind::gradient &&
               step.producer(step.inputs[at(output.input)].value).name == name;
      });
  REQUIRE(found != step.outputs.end());
  return static_cast<std::int32_t>(found - step.outputs.begin());
}

std::int32_t input_named(const std::string& name) {
  const Program& step = model().step;
  const auto found = std::find_if(step.inputs.begin(), step.inputs.end(), [&](const Input& input) {
    return step.producer(input.value).name == name;
  });
  REQUIRE(found != step.inputs.end());
  return static_cast<std::int32_t>(found - step.inputs.begin());
}

/// A plan, whether it is valid or not: the verdict of the first checked step that is wrong, or of
/// the last, and one gradient as it came out of the first.
struct Outcome {
  check::CheckResult check;
  std::vector<double> gradient;
  std::size_t num_right = 0;  ///< checked steps
};

Outcome outcome_of(const plan::ExecutionPlan& plan, const std::string& gradient,
                   const planning::CellModel& model = rhino::model()) {
  const Program& step = model.step;
  const RunDir dir;
  const runtime::SessionOptions options = options_in(dir);
  const auto session = runtime::start_session(plan, options);
  Outcome outcome;
  const std::vector<std::int64_t> numbers = measure::checked_steps(step);
  for (std::size_t k = 0; k < numbers.size(); ++k) {
    if (k > 0) session->reset(options.seed + k, numbers[k]);
    session->run_steps(1, false);
    if (k == 0) outcome.gradient = session->fetch({gradient_output(gradient)}).front().elements;
    outcome.check = measure::check_step(*session, {step, model.dtype, options.seed + k, numbers[k]},
                                        reference(model.dtype)[k]);
    if (!outcome.check.ok) break;
    ++outcome.num_right;
  }
  UNSCOPED_INFO("check: " << outcome.check.message);
  return outcome;
}

double relative_error(const std::vector<double>& actual, const std::vector<double>& expected) {
  REQUIRE(actual.size() == expected.size());
  double difference = 0, norm = 0;
  for (std::size_t i = 0; i < actual.size(); ++i) {
    difference += std::pow(actual[i] - expected[i], 2);
    norm += std::pow(expected[i], 2);
  }
  return std::sqrt(difference / norm);
}

/// The gradient of `name` where row i of the tokens is row rows[i] of the true ones.
std::vector<double> gradient_for_rows(const std::string& name,
                                      const std::vector<std::size_t>& rows) {
  const Program& step = model().step;
  std::vector<ir::Tensor> inputs = ir::initial_tensors(step, 7);
  std::vector<double>& moved = inputs[at(input_named("tokens"))].elements;
  const std::vector<double> tokens = moved;
  const std::size_t width = tokens.size() / rows.size();
  for (std::size_t e = 0; e < tokens.size(); ++e)
    moved[e] = tokens[rows[e / width] * width + e % width];
  return ir::evaluate(step, inputs)[at(gradient_output(name))].elements;
}

std::size_t largest_element(const std::vector<double>& elements) {
  const auto largest = std::max_element(elements.begin(), elements.end(), [](double a, double b) {
    return std::abs(a) < std::abs(b);
  });
  return static_cast<std::size_t>(largest - elements.begin());
}

/// Whether what `wait` ends brings something to the role's devices.
bool receives(const plan::Role& role, const plan::Instruction& wait) {
  return std::any_of(role.instructions.begin(), role.instructions.end(),
                     [&](const plan::Instruction& start) {
                       return start.kind == plan::InstructionKind::start &&
                              start.index == wait.index && start.instance == wait.instance &&
                              std::any_of(start.outputs.begin(), start.outputs.end(),
                                          [](std::int32_t buffer) { return buffer >= 0; });
                     });
}

TEST_CASE("plans as they are made pass the check") {
  const Split split =
      GENERATE(kData, kZero1, kZero2, kZero3, kTensor, kSequence, kStage, kBothWays);
  const std::int64_t num_micro_batches = GENERATE(2, 4);
  CAPTURE(split.strategy, split.schedule, num_micro_batches);
  const plan::ExecutionPlan plan =
      plan_of(split, num_micro_batches, model().step, kSmallBucketBytes);
  CHECK_NOTHROW(plan::validate(plan));
  const Outcome outcome = outcome_of(plan, "wte");
  CHECK(outcome.check.ok);
  CHECK(outcome.check.kind == "numerics");
}

TEST_CASE("a missing all-reduce of one gradient is wrong") {
  const std::int64_t bucket_bytes = GENERATE(GradientSums().bucket_bytes, kSmallBucketBytes);
  plan::ExecutionPlan plan = plan_of(kData, kMicroBatches, model().step, bucket_bytes);
  leave_out_reduction(plan, gradient_output("h1.mlp.up.weight"));
  const Outcome outcome = outcome_of(plan, "h1.mlp.up.weight");
  CHECK_FALSE(outcome.check.ok);
  CHECK(outcome.check.num_wrong == 1);
  CHECK_THAT(outcome.check.message,
             Catch::StartsWith("gradient of 'h1.mlp.up.weight' differs between replicas in"));
}

TEST_CASE("an all-reduce of one gradient done twice is wrong") {
  const std::int64_t bucket_bytes = GENERATE(GradientSums().bucket_bytes, kSmallBucketBytes);
  plan::ExecutionPlan plan = plan_of(kData, kMicroBatches, model().step, bucket_bytes);
  reduce_again(plan, gradient_output("h1.mlp.up.weight"));
  const Outcome outcome = outcome_of(plan, "h1.mlp.up.weight");
  CHECK_FALSE(outcome.check.ok);
  CHECK(outcome.check.num_wrong == 1);
  CHECK(outcome.check.message ==
        "gradient of 'h1.mlp.up.weight' is off by 1.0e+00 (tolerance 1e-04)");
}

TEST_CASE("a micro-batch that reads the rows of another is wrong") {
  const Split split = GENERATE(kData, kTensor, kStage);
  CAPTURE(split.strategy, split.sizes.size());
  plan::ExecutionPlan plan = plan_of(split);
  read_stale_rows(plan, input_named("tokens"), 1, 0);
  const Outcome outcome = outcome_of(plan, "wpe");
  CHECK_FALSE(outcome.check.ok);
  CHECK(outcome.check.num_wrong > 1);
  CHECK_THAT(outcome.check.message, Catch::Contains("gradient of '"));
  CHECK(relative_error(outcome.gradient, gradient_for_rows("wpe", {0, 1, 0, 1, 4, 5, 6, 7})) <
        kTolerance);
}

TEST_CASE("a tile whose halves arrive exchanged is wrong, and no valid plan") {
  plan::ExecutionPlan plan = plan_of(kStage);
  exchange_halves(plan);
  CHECK_THROWS_AS(plan::validate(plan), Error);
  const Outcome outcome = outcome_of(plan, "ln_f.scale");
  CHECK_FALSE(outcome.check.ok);
  CHECK_THAT(outcome.check.message, Catch::Contains("gradient of '"));
  // The second stage cannot tell it from a batch whose samples changed places.
  CHECK(relative_error(outcome.gradient,
                       gradient_for_rows("ln_f.scale", {1, 0, 3, 2, 5, 4, 7, 6})) < kTolerance);
}

TEST_CASE("a tied embedding whose other copy is not summed is wrong") {
  plan::ExecutionPlan plan = plan_of(kStage);
  forget_other_term(plan, gradient_output("wte"));
  const Outcome outcome = outcome_of(plan, "wte");
  CHECK_FALSE(outcome.check.ok);
  CHECK(outcome.check.num_wrong == 1);
  CHECK_THAT(outcome.check.message, Catch::Contains("gradient of 'wte' is off by"));
  // What is left is one term of the sum in the whole step.
  const Program& step = model().step;
  const std::vector<ir::Tensor> values = ir::evaluate_all(step, ir::initial_tensors(step, 7));
  const Op& sum = step.producer(step.outputs[at(gradient_output("wte"))].value);
  REQUIRE(sum.operands.size() == 2);
  const auto error_of = [&](std::size_t term) {
    return relative_error(outcome.gradient, values[at(sum.operands[term])].elements);
  };
  CHECK(std::min(error_of(0), error_of(1)) < kTolerance);
}

TEST_CASE("one element of a gradient with the wrong sign is wrong") {
  const Split split = GENERATE(kData, kTensor, kStage, kBothWays);
  CAPTURE(split.strategy, split.sizes.size(), split.schedule);
  plan::ExecutionPlan plan = plan_of(split);
  std::vector<double> expected = tensor_named(reference().front(), "ln_f.scale").elements;
  const std::size_t element = largest_element(expected);
  flip_element(plan, gradient_output("ln_f.scale"), element);
  CHECK_NOTHROW(plan::validate(plan));
  const Outcome outcome = outcome_of(plan, "ln_f.scale");
  CHECK_FALSE(outcome.check.ok);
  CHECK(outcome.check.num_wrong == 1);
  CHECK_THAT(outcome.check.message, Catch::Contains("gradient of 'ln_f.scale' is off by"));
  expected[element] *= -1;
  CHECK(relative_error(outcome.gradient, expected) < kTolerance);
}

TEST_CASE("every constant of both optimizers is checked") {
  const std::string optimizer = GENERATE("adam", "sgd", "mixed");
  const planning::CellModel& what = model(optimizer);
  const Program& step = what.step;
  const plan::ExecutionPlan plan = plan_of(optimizer == "mixed" ? kStage : kData, 2, step);
  CHECK(outcome_of(plan, "wte", what).num_right == measure::checked_steps(step).size());
  // Adam: both betas, in averages and in corrections, what they leave of 1, and 1; epsilon; the
  // rate. The loss scale: what it grows and shrinks by, and after how many updates.
  const std::map<std::string, std::size_t> num_constants =
      optimizer == "mixed"
          ? std::map<std::string, std::size_t>{{"loss_scale", 4}, {"step", 1}}
          : std::map<std::string, std::size_t>{{"h1.mlp.up.weight", optimizer == "adam" ? 9 : 2}};
  for (const auto& [state, expected] : num_constants) {
    const auto updated = std::ranges::find_if(step.outputs, [&](const Output& o) {
      return o.kind == OutputKind::updated_state &&
             step.producer(step.inputs[at(o.input)].value).name == state;
    });
    REQUIRE(updated != step.outputs.end());
    const std::vector<PlanConstant> constants =
        update_constants(plan, static_cast<std::int32_t>(updated - step.outputs.begin()));
    CHECK(constants.size() == expected);
    for (const PlanConstant& constant : constants) {
      plan::ExecutionPlan mutated = plan;
      scale_constant(mutated, constant, 1.1);
      CAPTURE(optimizer, constant.value,
              plan.programs[at(constant.program)]
                  .op(constant.value)
                  .attributes.get<ConstantAttr>()
                  .elements);
      CHECK_NOTHROW(plan::validate(mutated));
      const Outcome outcome = outcome_of(mutated, "wte", what);
      CHECK_FALSE(outcome.check.ok);
      CHECK(outcome.check.kind == "optimizer");
    }
  }
}

TEST_CASE("a factor of a pass that is half too large is wrong in 16 bits") {
  // But for the mask, where any large number does; the last index, which no token exceeds; and the
  // cube of GELU, of activations that are small before a first step.
  const std::set<double> unseen = {-1e30, 31, 0.044715 * std::sqrt(2 / M_PI)};
  const planning::CellModel& what = model("mixed");
  const plan::ExecutionPlan plan = plan_of(kStage, 2, what.step);
  const std::vector<PlanConstant> constants = pass_constants(plan);
  CHECK(constants.size() == 11);
  for (const PlanConstant& constant : constants) {
    plan::ExecutionPlan mutated = plan;
    scale_constant(mutated, constant, 1.5);
    const Op& op = plan.programs[at(constant.program)].op(constant.value);
    const double value = op.attributes.get<ConstantAttr>().elements.front();
    CAPTURE(value);
    const bool is_unseen = std::ranges::any_of(
        unseen, [&](double other) { return std::abs(value - other) < 1e-3 * std::abs(value); });
    CHECK(outcome_of(mutated, "wte", what).check.ok == is_unseen);
  }
}

TEST_CASE("whatever message of a checked step is corrupted, the step is wrong") {
  const Split split = GENERATE(kData, kZero3, kStage, kBothWays);
  const plan::ExecutionPlan plan = plan_of(split, 2, model().step, kSmallBucketBytes);
  const auto role = std::find_if(plan.roles.begin(), plan.roles.end(), [](const plan::Role& role) {
    return plan::rank_in(role.mesh, 1) >= 0;
  });
  int num_waits = 0;
  for (std::size_t i = 0; i < role->instructions.size(); ++i) {
    const plan::Instruction& wait = role->instructions[i];
    if (wait.kind != plan::InstructionKind::wait || !receives(*role, wait)) continue;
    const std::string step = std::to_string(1 + num_waits++ % 3);
    CAPTURE(split.strategy, split.schedule, i, step, plan.communications[at(wait.index)].name);
    const FaultRequest request("rank=1,step=" + step + ",instruction=" + std::to_string(i) +
                               ",kind=corrupt");
    const Outcome outcome = outcome_of(plan, "wte");
    CHECK_FALSE(outcome.check.ok);
    CHECK(outcome.num_right + 1 == std::stoul(step));
  }
  CHECK(num_waits > 0);
}

/// Two modelled devices, so that no calibration is needed, and fast ones, so that no measurement
/// beats its bound.
constexpr const char* kTopology = R"(name: two
source: made up
hosts: 1
devices_per_host: 2
device: {kind: emulated, name: fast, memory_bytes: 1e9, memory_bytes_per_s: 1e15, peak_flops: {f32: 1e15}}
links:
  intra_host: {bytes_per_s: 1e15, latency_s: 1e-6}
  inter_host: {bytes_per_s: 1e15, latency_s: 1e-6, shared_by: host}
)";

constexpr const char* kExperiment = R"(name: mutated
cases:
  - topology: two
    model: {gpt: {preset: 1m, hidden: 16, num_heads: 2, vocabulary: 32, sequence: 8}}
    batch: {global: 8, micro_batches: 4}
    search: search/grid
)";

void write(const std::string& path, const std::string& text) {
  std::ofstream stream(path);
  stream << text;
  REQUIRE(stream.good());
}

TEST_CASE("a plan file with wrong numerics ends as wrong with exit code 7") {
  const char* bench = std::getenv("RHINO_BENCH");
  REQUIRE(bench != nullptr);
  plan::ExecutionPlan plan = plan_of(kData);
  reduce_again(plan, gradient_output("h1.mlp.up.weight"));
  CHECK_NOTHROW(plan::validate(plan));
  const RunDir dir;
  std::filesystem::create_directory(dir.path() + "/topologies");
  write(dir.path() + "/topologies/two.yaml", kTopology);
  write(dir.path() + "/mutated.yaml", kExperiment);
  config::CellSpec cell = small_gpt();
  cell.search.id = "search/grid";
  plan.search = cell.search.id;
  plan.resharding = cell.resharding.id;
  plan.schedule = cell.schedule.id;
  plan.program = planning::program_text(cell, &model());
  plan.cluster.name = "two";
  write(dir.path() + "/mutated.json", plan::encode(plan));
  const int status = std::system(("cd " + dir.path() + " && " + bench +
                                  " mutated.yaml --plan mutated.json --out run > output 2>&1")
                                     .c_str());
  std::ifstream output(dir.path() + "/output"), records(dir.path() + "/run/records.jsonl");
  INFO(std::string(std::istreambuf_iterator<char>(output), {}));
  REQUIRE(WIFEXITED(status));
  CHECK(WEXITSTATUS(status) == 7);
  const std::string record{std::istreambuf_iterator<char>(records), {}};
  CHECK_THAT(record, Catch::Contains("\"status\":\"wrong\"") &&
                         Catch::Contains("gradient of 'h1.mlp.up.weight' is off by 1.0e+00"));
}

}  // namespace
}  // namespace rhino
