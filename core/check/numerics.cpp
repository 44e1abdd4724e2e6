// SPDX-License-Identifier: Apache-2.0
#include "check/numerics.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>
#include <utility>

#include "ir/op_info.hpp"
#include "ir/reference.hpp"
#include "ir/training_step.hpp"
#include "rhino/error.hpp"

namespace rhino::check {
namespace {

/// The largest element error may exceed the norm's by this much.
constexpr double kElementSlack = 10;

double norm(const std::vector<double>& elements) {
  double sum = 0;
  for (const double element : elements) sum += element * element;
  return std::sqrt(sum);
}

/// |a - b| over `scale`; infinite where either is no number.
double relative(double difference, double scale) {
  const double value = scale > 0 ? difference / scale
                                 : (difference == 0 ? 0 : std::numeric_limits<double>::infinity());
  return std::isnan(value) ? std::numeric_limits<double>::infinity() : value;
}

struct Difference {
  double of_norm = 0;     ///< |g - r| / |r|
  double of_element = 0;  ///< max |g - r| / rms(r)
};

Difference difference(const std::vector<double>& reference, const std::vector<double>& measured,
                      double floor) {
  double sum = 0, largest = 0;
  for (std::size_t i = 0; i < reference.size(); ++i) {
    const double error = std::abs(measured[i] - reference[i]);
    sum += error * error;
    if (!(error <= largest)) largest = error;
  }
  const double scale = std::max(norm(reference), floor);
  const double rms =
      scale / std::sqrt(static_cast<double>(std::max<std::size_t>(1, reference.size())));
  return {relative(std::sqrt(sum), scale), relative(largest, rms)};
}

/// Gathers what is wrong: counts the tensors and keeps the worst for the sentence.
class Verdict {
 public:
  Verdict(std::string kind, double tolerance)
      : result_{.ok = true, .kind = std::move(kind), .tolerance = tolerance} {}

  /// What is added from here on is about one more tensor, counted once however much is wrong with
  /// it.
  void next_tensor() { counted_ = false; }

  void add(const std::string& what, double error, double allowed) {
    result_.max_error = std::max(result_.max_error, error * result_.tolerance / allowed);
    if (error <= allowed) return;
    char numbers[96];
    std::snprintf(numbers, sizeof numbers, " is off by %.1e (tolerance %.0e)", error, allowed);
    wrong(what + numbers, error / allowed);
  }

  void wrong(const std::string& sentence, double severity) {
    if (!std::exchange(counted_, true)) ++result_.num_wrong;
    result_.ok = false;
    if (severity > worst_) worst_ = severity, result_.message = sentence;
  }

  CheckResult result() const { return result_; }

 private:
  CheckResult result_;
  double worst_ = 0;
  bool counted_ = false;
};

void add_tensor(Verdict& verdict, const std::string& what, const std::vector<double>& reference,
                const CheckedTensor& measured, double floor, double tolerance) {
  verdict.next_tensor();
  if (measured.elements.size() != reference.size()) {
    verdict.wrong(what + " has " + std::to_string(measured.elements.size()) +
                      " elements instead of " + std::to_string(reference.size()),
                  1e300);
    return;
  }
  const Difference found = difference(reference, measured.elements, floor);
  verdict.add(what, found.of_norm, tolerance);
  verdict.add("an element of " + what, found.of_element, tolerance * kElementSlack);
  if (measured.num_disagreeing > 0) {
    verdict.wrong(what + " differs between replicas in " +
                      std::to_string(measured.num_disagreeing) + " elements",
                  1e299);
  }
}

/// Every op reads and writes whole tensors of one parameter's shape, or scalars spread over it:
/// then elements are independent, and a few stand for all.
bool is_elementwise_program(const Program& program) {
  return std::all_of(program.ops.begin(), program.ops.end(), [&](const Op& op) {
    if (op.kind == OpKind::broadcast) return program.shape(op.operands[0]).dims.empty();
    if (op.kind == OpKind::constant) return op.attributes.get<ConstantAttr>().elements.size() == 1;
    return op.kind == OpKind::parameter || ir::is_elementwise(op.kind);
  });
}

/// The same program on `count(shape)` elements of every tensor.
template <class Count>
Program resized(Program program, Count&& count) {
  for (Op& op : program.ops) {
    if (!op.shape.dims.empty()) op.shape.dims = {count(num_elements(op.shape))};
  }
  return program;
}

/// `count` elements of a tensor at equal distances, the last one included.
std::vector<double> spread(const std::vector<double>& elements, std::int64_t count) {
  const auto size = static_cast<std::int64_t>(elements.size());
  std::vector<double> some;
  some.reserve(static_cast<std::size_t>(count));
  for (std::int64_t i = 0; i < count; ++i)
    some.push_back(
        elements[static_cast<std::size_t>(count == 1 ? 0 : i * (size - 1) / (count - 1))]);
  return some;
}

}  // namespace

double check_tolerance(DType dtype) { return dtype == DType::f64 ? 1e-9 : 1e-4; }

CheckResult compare_steps(const StepValues& reference, const StepValues& measured,
                          double tolerance) {
  Verdict verdict("numerics", tolerance);
  verdict.add("the loss",
              relative(std::abs(measured.loss - reference.loss), std::abs(reference.loss)),
              tolerance);
  double square = 0;
  for (const CheckedTensor& gradient : reference.gradients)
    square += std::pow(norm(gradient.elements), 2);
  const double floor = 1e-6 * std::sqrt(square);
  if (reference.gradients.size() != measured.gradients.size())
    throw Error("the runs to compare have different numbers of gradients");
  for (std::size_t i = 0; i < reference.gradients.size(); ++i) {
    add_tensor(verdict, "gradient of '" + reference.gradients[i].name + "'",
               reference.gradients[i].elements, measured.gradients[i], floor, tolerance);
  }
  return verdict.result();
}

CheckResult compare_update(const Program& step, const std::vector<CheckedTensor>& initial,
                           const std::vector<CheckedTensor>& gradients,
                           const std::vector<CheckedTensor>& updated, double tolerance,
                           std::int64_t max_elements) {
  const Program whole = ir::update_only(step);
  const bool sampled = is_elementwise_program(whole);
  const auto count = [&](std::int64_t size) {
    return sampled ? std::min(size, max_elements) : size;
  };
  const Program program = sampled ? resized(whole, count) : whole;
  std::vector<ir::Tensor> inputs;
  std::size_t state = 0, gradient = 0;
  for (const Input& input : program.inputs) {
    const Shape& shape = program.shape(input.value);
    if (input.kind == InputKind::scalar) {
      inputs.push_back(
          {shape, {input.initializer.kind == Initializer::Kind::step ? 1.0 : input.initializer.a}});
      continue;
    }
    const CheckedTensor& source =
        input.kind == InputKind::batch ? gradients[gradient++] : initial[state++];
    inputs.push_back(
        {shape, sampled ? spread(source.elements, num_elements(shape)) : source.elements});
  }
  const std::vector<ir::Tensor> expected = ir::evaluate(program, inputs);
  Verdict verdict("optimizer", tolerance);
  for (std::size_t i = 0; i < expected.size(); ++i) {
    CheckedTensor found = updated[i];
    if (sampled)
      found.elements =
          spread(found.elements, static_cast<std::int64_t>(expected[i].elements.size()));
    // A state that stays zero has no scale of its own.
    add_tensor(verdict, "updated '" + found.name + "'", expected[i].elements, found, 1e-12,
               tolerance);
  }
  return verdict.result();
}

}  // namespace rhino::check
