// SPDX-License-Identifier: Apache-2.0
#include "check/numerics.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>
#include <utility>

#include "check/update_reference.hpp"
#include "rhino/error.hpp"
#include "rhino/index.hpp"

namespace rhino::check {
namespace {

/// The largest element error may exceed the norm's by this much.
constexpr double kElementSlack = 10;
/// How often what rounding to 16 bits makes of a gradient another rounding may differ.
constexpr double kNoise = 4;
/// The error of a gradient's size has to be this much less than the norm's.
constexpr double kSizeRigour = 8;

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
  double of_size = 0;     ///< |(g - r) . r| / |r|^2: what is left of it when roundings average out
};

Difference difference(const std::vector<double>& reference, const std::vector<double>& measured,
                      double floor) {
  double sum = 0, largest = 0, along = 0;
  for (std::size_t i = 0; i < reference.size(); ++i) {
    const double error = std::abs(measured[i] - reference[i]);
    sum += error * error;
    along += (measured[i] - reference[i]) * reference[i];
    if (!(error <= largest)) largest = error;
  }
  const double scale = std::max(norm(reference), floor);
  const double rms =
      scale / std::sqrt(static_cast<double>(std::max<std::size_t>(1, reference.size())));
  return {relative(std::sqrt(sum), scale), relative(largest, rms),
          relative(std::abs(along), scale * scale)};
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

  double tolerance() const { return result_.tolerance; }
  CheckResult result() const { return result_; }

 private:
  CheckResult result_;
  double worst_ = 0;
  bool counted_ = false;
};

bool has_size(Verdict& verdict, const std::string& what, const CheckedTensor& tensor,
              std::size_t size) {
  if (tensor.elements.size() == size) return true;
  verdict.wrong(what + " has " + std::to_string(tensor.elements.size()) + " elements instead of " +
                    std::to_string(size),
                1e300);
  return false;
}

void add_disagreeing(Verdict& verdict, const std::string& what, const CheckedTensor& tensor) {
  if (tensor.num_disagreeing == 0) return;
  verdict.wrong(
      what + " differs between replicas in " + std::to_string(tensor.num_disagreeing) + " elements",
      1e299);
}

/// `otherwise`: the same tensor of other roundings.
Difference allowed_difference(double tolerance, const CheckedTensor& reference,
                              const std::vector<const CheckedTensor*>& otherwise, double floor) {
  Difference allowed{tolerance, tolerance * kElementSlack, tolerance / kSizeRigour};
  for (const CheckedTensor* other : otherwise) {
    if (other->elements.size() != reference.elements.size()) continue;
    const Difference noise = difference(reference.elements, other->elements, floor);
    if (!std::isfinite(noise.of_norm)) continue;
    allowed.of_norm = std::max(allowed.of_norm, kNoise * noise.of_norm);
    allowed.of_element = std::max(allowed.of_element, kNoise * noise.of_element);
    // By chance it may be small beside the norm.
    allowed.of_size = std::max({allowed.of_size, kNoise * noise.of_size, noise.of_norm});
  }
  return allowed;
}

void add_tensor(Verdict& verdict, const std::string& what, const CheckedTensor& reference,
                const CheckedTensor& measured, double floor,
                const std::vector<const CheckedTensor*>& otherwise = {}) {
  verdict.next_tensor();
  if (!has_size(verdict, what, measured, reference.elements.size())) return;
  const Difference found = difference(reference.elements, measured.elements, floor);
  const Difference allowed = allowed_difference(verdict.tolerance(), reference, otherwise, floor);
  verdict.add(what, found.of_norm, allowed.of_norm);
  if (found.of_norm <= allowed.of_norm)
    verdict.add("the size of " + what, found.of_size, allowed.of_size);
  verdict.add("an element of " + what, found.of_element, allowed.of_element);
  add_disagreeing(verdict, what, measured);
}

/// Below this a tensor is as good as zero, beside the others.
double floor_of(const std::vector<CheckedTensor>& tensors) {
  double square = 0;
  for (const CheckedTensor& tensor : tensors) square += std::pow(norm(tensor.elements), 2);
  return 1e-6 * std::sqrt(square);
}

void require_as_many(std::size_t reference, std::size_t measured, const char* what) {
  if (reference != measured)
    throw Error(std::string("the runs to compare have different numbers of ") + what);
}

void add_gradients(Verdict& verdict, const std::vector<CheckedTensor>& reference,
                   const std::vector<CheckedTensor>& measured,
                   const std::vector<const StepValues*>& otherwise) {
  require_as_many(reference.size(), measured.size(), "gradients");
  for (const StepValues* other : otherwise)
    require_as_many(reference.size(), other->gradients.size(), "gradients");
  const double floor = floor_of(reference);
  for (std::size_t i = 0; i < reference.size(); ++i) {
    std::vector<const CheckedTensor*> others;
    for (const StepValues* other : otherwise) others.push_back(&other->gradients[i]);
    add_tensor(verdict, "gradient of '" + reference[i].name + "'", reference[i], measured[i], floor,
               others);
  }
}

/// Masks have infinite elements: where both have the same one, they are equal.
void drop_equal_infinities(CheckedTensor& a, CheckedTensor& b) {
  for (std::size_t i = 0; i < std::min(a.elements.size(), b.elements.size()); ++i) {
    if (std::isinf(a.elements[i]) && a.elements[i] == b.elements[i])
      a.elements[i] = b.elements[i] = 0;
  }
}

void add_outputs(Verdict& verdict, std::vector<CheckedTensor> reference,
                 std::vector<CheckedTensor> measured) {
  require_as_many(reference.size(), measured.size(), "outputs");
  for (std::size_t i = 0; i < reference.size(); ++i)
    drop_equal_infinities(reference[i], measured[i]);
  for (std::size_t i = 0; i < reference.size(); ++i)
    add_tensor(verdict, "output '" + reference[i].name + "'", reference[i], measured[i], 0);
}

/// What rounding may do to a sum of `terms`: twice, f64 and f32; once, 16 bits, which hold what was
/// added up in f32.
double rounding(DType dtype, double sum, double terms) {
  switch (dtype) {
    case DType::f64: return 0x1p-51 * terms;
    case DType::f16: return std::max(0x1p-10 * sum, 0x1p-24);  // the last place of subnormals
    case DType::bf16: return 0x1p-7 * sum;
    default: return 0x1p-22 * terms;
  }
}

struct Expected {
  const ir::Tensor& tensor;
  const std::vector<double>& before;
  bool is_weight = false;     ///< a parameter, or its master
  double inner_rounding = 0;  ///< see UpdateReference
};

/// The largest error over what is allowed. A weight's change may be what is left of moments that
/// cancel, so that the rounding of an element is that of its neighbours' changes.
double largest_excess(const Expected& expected, const std::vector<double>& found,
                      double tolerance) {
  const std::vector<double>& wanted = expected.tensor.elements;
  std::vector<double> change(wanted.size());
  for (std::size_t i = 0; i < wanted.size(); ++i) change[i] = wanted[i] - expected.before[i];
  const double typical = norm(change) / std::sqrt(static_cast<double>(wanted.size()));
  double largest = 0;
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    const double allowed =
        tolerance * (std::abs(change[i]) + (expected.is_weight ? typical / 10 : 0)) +
        expected.inner_rounding * (std::abs(change[i]) + typical) +
        rounding(expected.tensor.shape.dtype, std::abs(wanted[i]),
                 std::abs(wanted[i]) + std::abs(expected.before[i]));
    largest = std::max(largest, relative(std::abs(found[i] - wanted[i]), allowed));
  }
  return largest;
}

void add_updated(Verdict& verdict, const Expected& expected, const CheckedTensor& found) {
  verdict.next_tensor();
  const std::string what = "updated '" + found.name + "'";
  if (!has_size(verdict, what, found, expected.tensor.elements.size())) return;
  const double tolerance = verdict.tolerance();
  verdict.add("an element of " + what,
              tolerance * largest_excess(expected, found.elements, tolerance), tolerance);
  add_disagreeing(verdict, what, found);
}

}  // namespace

bool is_finite(const StepValues& values) {
  return std::ranges::all_of(
      values.gradients, [](const CheckedTensor& gradient) { return is_finite(gradient.elements); });
}

double update_tolerance(DType dtype) { return dtype == DType::f64 ? 1e-9 : 1e-4; }

double check_tolerance(DType dtype, bool uses_tf32) {
  switch (dtype) {
    case DType::f32: return uses_tf32 ? 0x1p-8 : update_tolerance(dtype);
    case DType::f16: return 0x1p-7;
    case DType::bf16: return 0x1p-4;
    default: return update_tolerance(dtype);
  }
}

CheckResult compare_steps(const StepValues& reference, const StepValues& measured, double tolerance,
                          bool may_overflow, const std::vector<const StepValues*>& otherwise) {
  Verdict verdict(reference.outputs.empty() ? "numerics" : "outputs", tolerance);
  verdict.add("the loss",
              relative(std::abs(measured.loss - reference.loss), std::abs(reference.loss)),
              tolerance);
  if (measured.num_losses_disagreeing > 0)
    verdict.wrong("the loss differs between replicas", 1e299);
  if (may_overflow && !is_finite(reference)) {
    if (is_finite(measured)) verdict.wrong("no gradient overflows, as it should", 1e298);
    return verdict.result();
  }
  std::vector<const StepValues*> believed = otherwise;
  std::erase_if(believed, [&](const StepValues* other) {
    return !(relative(std::abs(other->loss - reference.loss), std::abs(reference.loss)) <=
             tolerance);
  });
  add_gradients(verdict, reference.gradients, measured.gradients, believed);
  add_outputs(verdict, reference.outputs, measured.outputs);
  return verdict.result();
}

CheckResult compare_update(const Program& step, const UpdateRun& run, double tolerance,
                           std::int64_t max_elements) {
  const UpdateReference reference(step, run, max_elements);
  const std::vector<ir::Tensor> expected = reference.updated();
  const double inner_rounding = reference.inner_rounding();
  Verdict verdict("optimizer", tolerance);
  for (std::size_t i = 0; i < expected.size(); ++i) {
    CheckedTensor found = run.updated[i];
    found.elements = reference.sample(found.shape).of(found.elements);
    const Input& replaced = reference.replaced(i);
    const bool is_weight =
        replaced.kind == InputKind::parameter || replaced.initializer.same_as >= 0;
    add_updated(verdict, {expected[i], reference.before(i), is_weight, inner_rounding}, found);
  }
  return verdict.result();
}

}  // namespace rhino::check
