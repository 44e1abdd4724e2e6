// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "topology/gpu_state.hpp"

namespace rhino::store {

/// What became of a cell. No row disappears: a cell that did not run has its status and a sentence.
enum class Status : std::uint8_t { ok, infeasible, oom, failed, timeout, wrong, invalid };

const char* status_name(Status status);
constexpr int num_values(Status) { return static_cast<int>(Status::invalid) + 1; }

/// One round of a cell: workers started anew, warmed up, and its repetitions.
struct Round {
  std::int64_t number = 0;        ///< cells of a case took turns in rounds of the same number
  double seconds = 0;             ///< per step: the median of the repetitions
  std::vector<double> samples_s;  ///< of the repetitions
  /// Before or after it, the quicker; on the slowest core.
  double probe_dot_s = 0, probe_stream_s = 0, probe_latency_s = 0;
  double probe_handover_s = 0;  ///< the longer
  double others = 0;            ///< cores that processes of others kept busy meanwhile
  bool disturbed = false;  ///< by them or by what the probes felt, however often it was repeated
  std::vector<topology::GpuRound> gpus = {};  ///< that ran it
};

/// Seconds per step of the rounds and what they come to.
struct Summary {
  std::int64_t n = 0;
  double median_s = 0, ci95_low_s = 0, ci95_high_s = 0, mad_s = 0, min_s = 0, max_s = 0;
  double makespan_s = 0;   ///< of a single step
  bool noisy = false;      ///< mad / median above max_noise
  double noise_floor = 0;  ///< |log-ratio| that the case's A/A pair came to
};

struct Throughput {
  double samples_per_s = 0, tokens_per_s = 0;
  double model_flops = 0;     ///< of one step, repetitions of forward ops not counted
  double hardware_flops = 0;  ///< of one step, all dots that ran
  std::string flops_formula;
  double peak_flops = 0;  ///< of all devices of the cell together
  double mfu = 0;
};

struct DeviceBreakdown {
  std::int32_t device = 0;
  double compute_s = 0, communication_s = 0, exposed_communication_s = 0, bubble_s = 0;
  double staged_bytes = 0;               ///< see plan::DeviceTrace
  std::vector<std::int32_t> alike = {};  ///< see plan::DeviceTrace; of a measured one empty
};

/// Of a cell of one communication alone.
struct CommunicationFigures {
  std::string kind;                ///< reshard | collective; empty: the cell is of a model
  double bytes = 0;                ///< of all tensors; a collective's largest buffer of a rank
  double bytes_between_hosts = 0;  ///< that the plan moves
  double measured_bytes_between_hosts = 0;  ///< counted at the interfaces, headers included; 0: not
  std::int64_t num_messages = 0;            ///< of the plan
  /// Of emulated hosts: seconds in which the machine's cores do what the plan asks of them. The
  /// prediction is no less: where it equals this, the CPU limits, not the network.
  double predicted_cpu_s = 0;
  double effective_bytes_per_s = 0;  ///< bytes / time; of a collective: algbw
  double bus_bytes_per_s = 0;        ///< of a collective: busbw of nccl-tests
  bool operator==(const CommunicationFigures&) const = default;
};

/// Of a cell of abstract stages.
struct PipelineFigures {
  std::int64_t num_stages = 0;  ///< 0: the cell is of something else
  /// Per stage, of one step back to back: its passes, and the steady period less those.
  std::vector<double> work_s, bubble_s;
  /// Per stage, micro-batches whose activations it keeps at most; a chunk of several is a part.
  std::vector<double> in_flight;
  double formula_s = 0;  ///< of a step, that the schedule's formula says; 0: it has none for this
  double exposed_s = 0;  ///< by which the simulated step is longer than with free transfers
  bool operator==(const PipelineFigures&) const = default;
};

/// This cell over a baseline of its case: > 1 is faster.
struct BaselineRatio {
  std::string name;
  double ratio = 0, ci95_low = 0, ci95_high = 0;  ///< the interval is 0 where nothing tells it
  std::string verdict;  ///< faster | slower | same | inconclusive | none (where no timing counts)
  std::int64_t num_rounds = 0;  ///< pairs of rounds behind it
  std::int64_t rounds_needed =
      0;  ///< of an inconclusive one: that might decide; 0: no number would
};

/// One cell of a run: one line of records.jsonl. Sections that do not apply are empty.
struct Record {
  static constexpr std::int32_t kSchemaVersion = 1;
  std::string run_id, cell_id, label;
  Status status = Status::ok;
  std::string message;
  std::map<std::string, std::string> independent;  ///< model, topology, search, resharding,
                                                   ///< schedule, backend, device, dtype, options
  std::int64_t global_batch = 0, num_micro_batches = 0, num_devices = 0;
  bool oversubscribed = false;
  std::vector<std::string> baseline_of;  ///< names of the baselines that this cell is
  std::int32_t case_index = 0;
  std::vector<double> samples_s;   ///< of the rounds, or of the simulation
  std::vector<Round> rounds;       ///< empty: not timed, simulated, or of before there were rounds
  std::vector<Round> twin_rounds;  ///< of the same cell once more, the A/A pair of its case
  Summary summary;
  Throughput throughput;
  CommunicationFigures communication;
  PipelineFigures pipeline;
  std::vector<DeviceBreakdown> breakdown;
  double predicted_peak_bytes = 0, measured_peak_bytes = 0, small_page_bytes = 0;
  double bound_s = 0, bound_efficiency = 0;
  std::string bound_kind;
  double plan_bound_s = 0;  ///< of the plan as it stands; 0: not known
  std::string plan_bound_kind;
  double predicted_step_s = 0, prediction_error = 0;  ///< relative: predicted / measured - 1
  double predicted_exposed_s = 0;                     ///< of that the most that a device is blocked
  std::int64_t num_walked = 0;  ///< devices that the simulator walked, for all
  std::string calibration;
  /// Round::probe_dot_s and the like, when the machine was calibrated; 0: it was not.
  double calibrated_probe_dot_s = 0, calibrated_probe_stream_s = 0;
  double published_step_s = 0;  ///< that others measured; 0: nobody
  std::string published_source;
  std::vector<std::string> published_lacks;  ///< effects that the model lacks, estimated
  double search_s = 0;
  std::int64_t num_evaluated = 0;
  double search_bound_s = 0;  ///< that the search has proved of all that it covers; 0: none
  double search_gap = 0;      ///< its strategy's simulated step above that, relative
  std::uint64_t seed = 0;
  std::string strategy;               ///< name of the one that ran
  std::vector<std::string> rejected;  ///< candidates and why
  std::string check_kind;             ///< numerics | outputs | elements | none
  double check_max_error = 0, check_tolerance = 0;
  std::int64_t check_num_wrong = 0;
  std::vector<BaselineRatio> baselines;
  std::map<std::string, std::string> environment;
  std::map<std::string, std::string>
      artifacts;  ///< plan, trace, log: paths relative to the run folder
};

bool is_simulated(const Record& record);
/// Its device is a fake, as tests put in the place of one: what it computes is checked, its times
/// mean nothing.
bool is_fake(const Record& record);
/// Ranks drove a GPU together: it is checked, and never timed.
bool shares_devices(const Record& record);
/// Its time counts.
bool is_timed(const Record& record);

/// One JSON line without newline, and back. Throws Error where the line is torn or of another
/// schema.
std::string encode(const Record& record);
Record decode_record(const std::string& line, const std::string& file);

}  // namespace rhino::store
