// SPDX-License-Identifier: Apache-2.0
#include "calibrate/drift.hpp"

#include <cmath>

#include "calibrate/probes.hpp"
#include "store/calibration_file.hpp"

namespace rhino::calibrate {
namespace {

/// A calibration takes six seconds, so it is rather made too often.
constexpr double kMostDotDrift = 0.05, kMostStreamDrift = 0.08, kMostCacheDrift = 0.12;
constexpr double kTrusted_s = 4;

bool is_near_one(double factor, double most) {
  return std::abs(std::log(factor)) <= std::log1p(most);
}

}  // namespace

cost::Calibration::FewProbes few_probes(const WorkerSetup& setup) {
  constexpr int kRuns = 3;
  const Sizes& sizes = sizes_of(setup);
  ProbePlan probes(cluster_of(setup));
  const auto [small, middle, large] = sizes.extents;
  probes.add_run(dot_probe({1, large, large, middle, 0}, DType::f32));  // cores that slept are slow
  std::vector<std::size_t> dots, caches;
  for (const cost::Calibration::Dot& dot : narrow_grid(sizes))
    dots.push_back(probes.add_run(dot_probe(dot, DType::f32)));
  const std::size_t stream = probes.add_run(stream_probe(sizes));
  for (const std::int64_t bytes : sizes.reuse_bytes) {
    if (bytes == sizes.reuse_bytes.back()) break;  // the stream tells of it
    caches.push_back(probes.add_run(update_probe(bytes / 4), {.warm = kWarmPasses}));
  }
  const auto session = runtime::start_session(probes.finish(), setup.session);
  std::vector<plan::StepTrace> steps;
  for (int i = 0; i < kRuns; ++i) steps.push_back(session->run_steps(1, true));
  const auto all_s = [&](const std::vector<std::size_t>& all) {
    double sum_s = 0;
    for (const std::size_t probe : all) sum_s += probes.seconds(steps, probe).typical;
    return sum_s;
  };
  return {all_s(dots), all_s({stream}), all_s(caches)};
}

Drift drift_of(const cost::Calibration& calibration, const cost::Calibration::FewProbes& now) {
  const cost::Calibration::FewProbes& then = calibration.few_probes;
  return {now.dots_s / then.dots_s, now.streams_s / then.streams_s, now.caches_s / then.caches_s};
}

bool holds(const Drift& drift) {
  return is_near_one(drift.dots, kMostDotDrift) && is_near_one(drift.streams, kMostStreamDrift) &&
         is_near_one(drift.caches, kMostCacheDrift);
}

cost::Calibration moved(cost::Calibration calibration, const Drift& drift) {
  const auto move_dots = [&](std::vector<cost::Calibration::Dot>& dots) {
    for (cost::Calibration::Dot& dot : dots) dot.seconds *= drift.dots;
  };
  move_dots(calibration.dots);
  move_dots(calibration.dots_of_columns);
  move_dots(calibration.dots_of_rows);
  for (auto& [dtype, narrow] : calibration.narrow_dots) move_dots(narrow.dots);
  for (auto& [kind, seconds] : calibration.element_s) seconds *= drift.dots;
  for (cost::Calibration::Fold& fold : calibration.folds) fold.seconds *= drift.dots;
  calibration.column_s *= drift.dots;
  for (cost::Calibration::Reach& reach : calibration.reach) {
    const double factor = reach == calibration.reach.back() ? drift.streams : drift.caches;
    reach.read_s *= factor, reach.write_s *= factor, reach.update_s *= factor;
  }
  for (cost::Calibration::FarRead& read : calibration.far_reads_of_dots) {
    const double factor =
        read == calibration.far_reads_of_dots.back() ? drift.streams : drift.caches;
    read.plain_s *= factor, read.of_rows_s *= factor;
  }
  calibration.memory_bytes_per_s /= drift.streams;
  calibration.copy_bytes_per_s /= drift.streams;
  calibration.few_probes.dots_s *= drift.dots;
  calibration.few_probes.streams_s *= drift.streams;
  calibration.few_probes.caches_s *= drift.caches;
  return calibration;
}

std::optional<cost::Calibration> renewed(const cost::Calibration& calibration,
                                         const WorkerSetup& setup) {
  if (drives_gpus(setup)) return calibration;
  const double age_s = store::calibration_age_s(calibration.fingerprint, store::cache_folder());
  if (age_s < kTrusted_s) return calibration;
  const Drift drift = drift_of(calibration, few_probes(setup));
  if (!holds(drift)) return std::nullopt;
  return moved(calibration, drift);
}

}  // namespace rhino::calibrate
