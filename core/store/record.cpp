// SPDX-License-Identifier: Apache-2.0
#include "store/record.hpp"

#include <array>
#include <nlohmann/json.hpp>

#include "rhino/error.hpp"

namespace rhino::store {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::array kStatusNames = {"ok",      "infeasible", "oom",    "failed",
                                     "timeout", "wrong",      "invalid"};

Status status_from(const std::string& name) {
  for (std::size_t i = 0; i < kStatusNames.size(); ++i) {
    if (name == kStatusNames[i]) return static_cast<Status>(i);
  }
  throw Error("unknown status '" + name + "'");
}

Json summary_json(const Record& r) {
  const Summary& s = r.summary;
  return {{"n", s.n},
          {"median_s", s.median_s},
          {"ci95_s", {s.ci95_low_s, s.ci95_high_s}},
          {"mad_s", s.mad_s},
          {"min_s", s.min_s},
          {"max_s", s.max_s},
          {"makespan_s", s.makespan_s},
          {"noisy", s.noisy}};
}

Json throughput_json(const Throughput& t) {
  return {{"samples_per_s", t.samples_per_s},
          {"tokens_per_s", t.tokens_per_s},
          {"model_flops", t.model_flops},
          {"hardware_flops", t.hardware_flops},
          {"flops_formula", t.flops_formula},
          {"peak_flops", t.peak_flops},
          {"mfu", t.mfu}};
}

Json communication_json(const CommunicationFigures& c) {
  if (c.kind.empty()) return Json::object();
  return {{"kind", c.kind},
          {"bytes", c.bytes},
          {"bytes_between_hosts", c.bytes_between_hosts},
          {"measured_bytes_between_hosts", c.measured_bytes_between_hosts},
          {"num_messages", c.num_messages},
          {"effective_bytes_per_s", c.effective_bytes_per_s},
          {"bus_bytes_per_s", c.bus_bytes_per_s}};
}

Json breakdown_json(const Record& r) {
  Json list = Json::array();
  for (const DeviceBreakdown& d : r.breakdown) {
    list.push_back({{"device", d.device},
                    {"compute_s", d.compute_s},
                    {"communication_s", d.communication_s},
                    {"exposed_communication_s", d.exposed_communication_s},
                    {"bubble_s", d.bubble_s}});
  }
  return list;
}

Json baselines_json(const Record& r) {
  Json list = Json::array();
  for (const BaselineRatio& b : r.baselines) {
    list.push_back({{"name", b.name},
                    {"ratio", b.ratio},
                    {"ci95", {b.ci95_low, b.ci95_high}},
                    {"verdict", b.verdict}});
  }
  return list;
}

void read_summary(const Json& json, Summary& s) {
  s = {.n = json.at("n"),
       .median_s = json.at("median_s"),
       .ci95_low_s = json.at("ci95_s").at(0),
       .ci95_high_s = json.at("ci95_s").at(1),
       .mad_s = json.at("mad_s"),
       .min_s = json.at("min_s"),
       .max_s = json.at("max_s"),
       .makespan_s = json.at("makespan_s"),
       .noisy = json.at("noisy")};
}

void read_throughput(const Json& json, Throughput& t) {
  t = {.samples_per_s = json.at("samples_per_s"),
       .tokens_per_s = json.at("tokens_per_s"),
       .model_flops = json.at("model_flops"),
       .hardware_flops = json.at("hardware_flops"),
       .flops_formula = json.at("flops_formula"),
       .peak_flops = json.at("peak_flops"),
       .mfu = json.at("mfu")};
}

/// Records of cells of models, and those of before, have none.
void read_communication(const Json& json, CommunicationFigures& c) {
  if (!json.contains("communication") || json.at("communication").empty()) return;
  const Json& figures = json.at("communication");
  c = {.kind = figures.at("kind"),
       .bytes = figures.at("bytes"),
       .bytes_between_hosts = figures.at("bytes_between_hosts"),
       .measured_bytes_between_hosts = figures.at("measured_bytes_between_hosts"),
       .num_messages = figures.at("num_messages"),
       .effective_bytes_per_s = figures.at("effective_bytes_per_s"),
       .bus_bytes_per_s = figures.at("bus_bytes_per_s")};
}

Record from_json(const Json& json) {
  Record r;
  r.run_id = json.at("run_id");
  r.cell_id = json.at("cell_id");
  r.label = json.at("label");
  r.status = status_from(json.at("status"));
  r.message = json.at("message");
  r.case_index = json.at("case");
  r.baseline_of = json.at("baseline_of").get<std::vector<std::string>>();
  r.independent = json.at("independent").get<std::map<std::string, std::string>>();
  r.global_batch = json.at("global_batch");
  r.num_micro_batches = json.at("num_micro_batches");
  r.num_devices = json.at("num_devices");
  r.oversubscribed = json.at("oversubscribed");
  r.samples_s = json.at("samples_s").get<std::vector<double>>();
  read_summary(json.at("summary"), r.summary);
  read_throughput(json.at("throughput"), r.throughput);
  read_communication(json, r.communication);
  for (const Json& d : json.at("breakdown")) {
    r.breakdown.push_back({d.at("device"), d.at("compute_s"), d.at("communication_s"),
                           d.at("exposed_communication_s"), d.at("bubble_s")});
  }
  r.predicted_peak_bytes = json.at("memory").at("predicted_peak_bytes");
  r.measured_peak_bytes = json.at("memory").at("measured_peak_bytes");
  r.bound_s = json.at("bound").at("seconds");
  r.bound_kind = json.at("bound").at("kind");
  r.bound_efficiency = json.at("bound").at("efficiency");
  r.predicted_step_s = json.at("prediction").at("step_s");
  r.prediction_error = json.at("prediction").at("relative_error");
  r.calibration = json.at("prediction").at("calibration");
  const Json& search = json.at("search");
  r.search_s = search.at("seconds");
  r.num_evaluated = search.at("evaluated");
  r.seed = search.at("seed");
  r.cut_by_deadline = search.at("cut_by_deadline");
  r.strategy = search.at("strategy");
  r.rejected = search.at("rejected").get<std::vector<std::string>>();
  const Json& check = json.at("check");
  r.check_kind = check.at("kind");
  r.check_max_error = check.at("max_error");
  r.check_tolerance = check.at("tolerance");
  r.check_num_wrong = check.at("num_wrong");
  for (const Json& b : json.at("baseline")) {
    r.baselines.push_back(
        {b.at("name"), b.at("ratio"), b.at("ci95").at(0), b.at("ci95").at(1), b.at("verdict")});
  }
  r.environment = json.at("environment").get<std::map<std::string, std::string>>();
  r.artifacts = json.at("artifacts").get<std::map<std::string, std::string>>();
  return r;
}

}  // namespace

const char* status_name(Status status) { return kStatusNames[static_cast<std::size_t>(status)]; }

std::string encode(const Record& r) {
  const Json json = {
      {"schema_version", Record::kSchemaVersion},
      {"run_id", r.run_id},
      {"cell_id", r.cell_id},
      {"label", r.label},
      {"status", status_name(r.status)},
      {"message", r.message},
      {"case", r.case_index},
      {"baseline_of", r.baseline_of},
      {"independent", r.independent},
      {"global_batch", r.global_batch},
      {"num_micro_batches", r.num_micro_batches},
      {"num_devices", r.num_devices},
      {"oversubscribed", r.oversubscribed},
      {"samples_s", r.samples_s},
      {"summary", summary_json(r)},
      {"throughput", throughput_json(r.throughput)},
      {"communication", communication_json(r.communication)},
      {"breakdown", breakdown_json(r)},
      {"memory",
       {{"predicted_peak_bytes", r.predicted_peak_bytes},
        {"measured_peak_bytes", r.measured_peak_bytes}}},
      {"bound",
       {{"seconds", r.bound_s}, {"kind", r.bound_kind}, {"efficiency", r.bound_efficiency}}},
      {"prediction",
       {{"step_s", r.predicted_step_s},
        {"relative_error", r.prediction_error},
        {"calibration", r.calibration}}},
      {"search",
       {{"seconds", r.search_s},
        {"evaluated", r.num_evaluated},
        {"seed", r.seed},
        {"cut_by_deadline", r.cut_by_deadline},
        {"strategy", r.strategy},
        {"rejected", r.rejected}}},
      {"check",
       {{"kind", r.check_kind},
        {"max_error", r.check_max_error},
        {"tolerance", r.check_tolerance},
        {"num_wrong", r.check_num_wrong}}},
      {"baseline", baselines_json(r)},
      {"environment", r.environment},
      {"artifacts", r.artifacts}};
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

Record decode_record(const std::string& line, const std::string& file) {
  try {
    const Json json = Json::parse(line);
    const int version = json.at("schema_version");
    if (version != Record::kSchemaVersion)
      throw Error("schema version " + std::to_string(version) + ", this engine reads " +
                  std::to_string(Record::kSchemaVersion));
    return from_json(json);
  } catch (const Json::exception& error) {
    throw Error(file + ": torn record: " + error.what());
  } catch (const Error& error) {
    throw Error(file + ": " + error.what());
  }
}

}  // namespace rhino::store
