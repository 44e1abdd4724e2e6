// SPDX-License-Identifier: Apache-2.0
#include "store/record.hpp"

#include <array>
#include <cmath>

#include "codec/json.hpp"
#include "rhino/error.hpp"

namespace rhino::store {
namespace {

constexpr std::array kStatusNames = {"ok",      "infeasible", "oom",    "failed",
                                     "timeout", "wrong",      "invalid"};
static_assert(kStatusNames.size() == num_values(Status{}));

struct RecordStyle {
  using Tables = std::tuple<>;
  static constexpr bool kObjects = true;
  static std::string_view word(Status status) { return status_name(status); }
};

/// Throws Error where one is no time.
void check_times(const std::vector<double>& times_s) {
  for (const double seconds : times_s)
    if (!(seconds >= 0) || std::isinf(seconds))
      throw Error("seconds are expected where there is " + std::to_string(seconds));
}

void check_times(const std::vector<Round>& rounds) {
  for (const Round& round : rounds) {
    check_times(std::vector<double>{round.seconds});
    check_times(round.samples_s);
  }
}

}  // namespace

// The keys of results/README.md.
using codec::group;
using codec::named;

constexpr auto members(const Round*) {
  using R = Round;
  return std::tuple(
      named("number", &R::number), named("seconds", &R::seconds), named("samples_s", &R::samples_s),
      group("probe", named("dot_s", &R::probe_dot_s), named("stream_s", &R::probe_stream_s),
            codec::optional("latency_s", &R::probe_latency_s),
            codec::optional("handover_s", &R::probe_handover_s), named("others", &R::others)),
      named("disturbed", &R::disturbed), codec::optional("gpus", &R::gpus));
}

constexpr auto members(const Summary*) {
  using S = Summary;
  return std::tuple(named("n", &S::n), named("median_s", &S::median_s),
                    group("ci95_s", &S::ci95_low_s, &S::ci95_high_s), named("mad_s", &S::mad_s),
                    named("min_s", &S::min_s), named("max_s", &S::max_s),
                    named("makespan_s", &S::makespan_s), named("noisy", &S::noisy),
                    codec::optional("noise_floor", &S::noise_floor));
}

constexpr auto members(const Throughput*) {
  using T = Throughput;
  return std::tuple(named("samples_per_s", &T::samples_per_s),
                    named("tokens_per_s", &T::tokens_per_s), named("model_flops", &T::model_flops),
                    named("hardware_flops", &T::hardware_flops),
                    named("flops_formula", &T::flops_formula), named("peak_flops", &T::peak_flops),
                    named("mfu", &T::mfu));
}

constexpr auto members(const CommunicationFigures*) {
  using C = CommunicationFigures;
  return std::tuple(named("kind", &C::kind), named("bytes", &C::bytes),
                    named("bytes_between_hosts", &C::bytes_between_hosts),
                    named("measured_bytes_between_hosts", &C::measured_bytes_between_hosts),
                    named("num_messages", &C::num_messages),
                    codec::optional("predicted_cpu_s", &C::predicted_cpu_s),
                    named("effective_bytes_per_s", &C::effective_bytes_per_s),
                    named("bus_bytes_per_s", &C::bus_bytes_per_s));
}

constexpr auto members(const PipelineFigures*) {
  using P = PipelineFigures;
  return std::tuple(named("num_stages", &P::num_stages), named("work_s", &P::work_s),
                    named("bubble_s", &P::bubble_s), named("in_flight", &P::in_flight),
                    named("formula_s", &P::formula_s), named("exposed_s", &P::exposed_s));
}

constexpr auto members(const DeviceBreakdown*) {
  using D = DeviceBreakdown;
  return std::tuple(named("device", &D::device), named("compute_s", &D::compute_s),
                    named("communication_s", &D::communication_s),
                    named("exposed_communication_s", &D::exposed_communication_s),
                    named("bubble_s", &D::bubble_s),
                    codec::optional("staged_bytes", &D::staged_bytes),
                    codec::optional("alike", &D::alike));
}

constexpr auto members(const BaselineRatio*) {
  using B = BaselineRatio;
  return std::tuple(named("name", &B::name), named("ratio", &B::ratio),
                    group("ci95", &B::ci95_low, &B::ci95_high), named("verdict", &B::verdict),
                    codec::optional("num_rounds", &B::num_rounds),
                    codec::optional("rounds_needed", &B::rounds_needed));
}

constexpr auto members(const Record*) {
  using R = Record;
  return std::tuple(
      named("run_id", &R::run_id), named("cell_id", &R::cell_id), named("label", &R::label),
      named("status", &R::status), named("message", &R::message), named("case", &R::case_index),
      named("baseline_of", &R::baseline_of), named("independent", &R::independent),
      named("global_batch", &R::global_batch), named("num_micro_batches", &R::num_micro_batches),
      named("num_devices", &R::num_devices), named("oversubscribed", &R::oversubscribed),
      named("samples_s", &R::samples_s), codec::optional("rounds", &R::rounds),
      codec::optional("twin_rounds", &R::twin_rounds), named("summary", &R::summary),
      named("throughput", &R::throughput), codec::optional("communication", &R::communication),
      codec::optional("pipeline", &R::pipeline), named("breakdown", &R::breakdown),
      group("memory", named("predicted_peak_bytes", &R::predicted_peak_bytes),
            named("measured_peak_bytes", &R::measured_peak_bytes),
            codec::optional("small_page_bytes", &R::small_page_bytes)),
      group("bound", named("seconds", &R::bound_s), named("kind", &R::bound_kind),
            named("efficiency", &R::bound_efficiency),
            codec::optional("plan_seconds", &R::plan_bound_s),
            codec::optional("plan_kind", &R::plan_bound_kind)),
      group("prediction", named("step_s", &R::predicted_step_s),
            named("relative_error", &R::prediction_error), named("calibration", &R::calibration),
            codec::optional("devices_walked", &R::num_walked),
            codec::optional("exposed_s", &R::predicted_exposed_s),
            codec::optional("probe_dot_s", &R::calibrated_probe_dot_s),
            codec::optional("probe_stream_s", &R::calibrated_probe_stream_s)),
      codec::optional("published_step_s", &R::published_step_s),
      codec::optional("published_source", &R::published_source),
      codec::optional("published_lacks", &R::published_lacks),
      group("search", named("seconds", &R::search_s), named("evaluated", &R::num_evaluated),
            codec::beside(&R::search_bound_s, "bound_s", &R::search_bound_s),
            codec::beside(&R::search_bound_s, "gap", &R::search_gap), named("seed", &R::seed),
            named("strategy", &R::strategy), named("rejected", &R::rejected)),
      group("check", named("kind", &R::check_kind), named("max_error", &R::check_max_error),
            named("tolerance", &R::check_tolerance), named("num_wrong", &R::check_num_wrong)),
      named("baseline", &R::baselines), named("environment", &R::environment),
      named("artifacts", &R::artifacts));
}

const char* status_name(Status status) { return kStatusNames[static_cast<std::size_t>(status)]; }

bool is_simulated(const Record& record) {
  const auto backend = record.independent.find("backend");
  return backend != record.independent.end() && backend->second == "simulate";
}

bool is_fake(const Record& record) {
  const auto device = record.environment.find("device");
  return device != record.environment.end() && device->second.starts_with("fake ");
}

bool shares_devices(const Record& record) { return record.environment.contains("shared_device"); }

bool is_timed(const Record& record) {
  return record.status == Status::ok && !record.samples_s.empty() && !record.oversubscribed &&
         !is_fake(record) && !shares_devices(record);
}

std::string encode(const Record& record) {
  return "{\"schema_version\":" + std::to_string(Record::kSchemaVersion) + "," +
         codec::JsonWriter<RecordStyle>().text(record).substr(1);
}

Record decode_record(const std::string& line, const std::string& file) {
  try {
    const codec::JsonText json(line, "torn record");
    const std::int64_t version = json.root().at("schema_version").whole();
    if (version != Record::kSchemaVersion)
      throw Error("schema version " + std::to_string(version) + ", this engine reads " +
                  std::to_string(Record::kSchemaVersion));
    Record record = codec::JsonReader<RecordStyle>().read<Record>(json.root());
    check_times(record.samples_s);
    check_times(record.rounds);
    check_times(record.twin_rounds);
    return record;
  } catch (const Error& error) {
    throw Error(file + ": " + error.what());
  }
}

}  // namespace rhino::store
