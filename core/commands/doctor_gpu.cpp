// SPDX-License-Identifier: Apache-2.0
// The first run on a machine with GPUs: all that a cell would need of them, from the bottom up,
// each step in a process of its own, so that what ends one leaves the others.
#include <fmt/core.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <set>
#include <sstream>

#include "check/device_cases.hpp"
#include "codec/binary.hpp"
#include "codec/json.hpp"
#include "codec/text_file.hpp"
#include "commands/commands.hpp"
#include "commands/gpu_links.hpp"
#include "config/cell_settings.hpp"
#include "planning/cell_inputs.hpp"
#include "report/table.hpp"
#include "rhino/error.hpp"
#include "rhino/index.hpp"
#include "topology/child_output.hpp"
#include "topology/gpu_libraries.hpp"
#include "topology/gpus.hpp"

namespace rhino::commands {

namespace {

namespace fs = std::filesystem;
using topology::ChildOutput;

/// One line of the report.
struct Finding {
  std::string status;  ///< ok | note | fail: it does not run | wrong: other numbers
  std::string what, value;
};
struct GpuReport {
  bool fake = false;  ///< the GPUs are what tests put in their place
  std::vector<Finding> findings;
};
constexpr auto members(const Finding*) {
  using codec::named;
  return std::tuple(named("status", &Finding::status), named("what", &Finding::what),
                    named("value", &Finding::value));
}
constexpr auto members(const GpuReport*) {
  using codec::named;
  return std::tuple(named("fake", &GpuReport::fake), named("findings", &GpuReport::findings));
}
struct ReportStyle {
  using Tables = std::tuple<>;
  static constexpr bool kObjects = true;
};

constexpr double kSilence_s = 120;
constexpr std::int64_t kProbedBytes = std::int64_t{64} << 20;
/// Kernels below this share of what memory, or dots, are known to reach are worth a line.
constexpr double kLeastShare = 0.5;
constexpr std::uint64_t kSeed = 1;
constexpr check::RateSizes kRates{}, kToyRates{.rows = 64, .columns = 64, .extent = 64};
/// In the environment: fakes are timed too, and said to be fakes.
constexpr const char* kTimesFakes = "RHINO_DOCTOR_TIMES_FAKES";

/// What is checked where no model is named: of each dtype the ops of a decoder.
constexpr const char* kModels[] = {
    "{gpt: {preset: 1m, num_layers: 1, hidden: 24, num_heads: 2, vocabulary: 37, sequence: 10}}",
    "{gpt: {preset: 1m, num_layers: 1, hidden: 24, num_heads: 2, vocabulary: 37, sequence: 10, "
    "dtype: bf16}}"};
/// Heads of these depths are what large models have: their attention is other kernels than that of
/// the models above, in several tiles.
constexpr int kHeadDepths[] = {64, 128};
constexpr const char* kAttentionModel =
    "{{gpt: {{preset: 1m, num_layers: 1, hidden: {}, num_heads: 1, vocabulary: 37, sequence: 130, "
    "dtype: {}}}}}";

std::string joined(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : ", ") + word;
  return text;
}

/// A file that a child reads, gone with this.
class CaseFile {
 public:
  explicit CaseFile(const std::vector<runtime::DeviceCase>& cases) {
    static int count = 0;
    path_ = fs::temp_directory_path() / fmt::format("rhino-cases-{}-{}", ::getpid(), count++);
    codec::BinaryWriter writer;
    writer.put(runtime::DeviceCases{cases});
    codec::write_file(path_, writer.take());
  }
  ~CaseFile() {
    std::error_code error;
    fs::remove(path_, error);
  }
  CaseFile(const CaseFile&) = delete;
  CaseFile& operator=(const CaseFile&) = delete;
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

/// What is told in one line where it is well.
struct Stage {
  std::string what;
  std::vector<runtime::DeviceCase> cases;
};

class GpuDoctor {
 public:
  explicit GpuDoctor(const CommandLine& line) : line_(line) {}

  int run() {
    if (!line_.model.empty()) model_of(line_.model);  // what is wrong with it is told at once
    check_libraries();
    if (find_gpus() && check_memory() && has_compiler_) {
      const std::vector<Stage> all = stages();
      for (std::size_t ordinal : working_) {
        for (const Stage& stage : all) check_cases(ordinal, stage);
        check_rates(ordinal);
      }
    }
    check_links();
    if (line_.json) fmt::print("{}\n", codec::JsonWriter<ReportStyle>().text(report_));
    return exit_code();
  }

 private:
  void say(const std::string& status, const std::string& what, const std::string& value) {
    if (!line_.json) fmt::print("{:<5}  {:<24}  {}\n", status, what, value);
    std::fflush(stdout);
    report_.findings.push_back({status, what, value});
  }

  int exit_code() const {
    std::set<std::string> seen;
    for (const Finding& finding : report_.findings) seen.insert(finding.status);
    return seen.contains("wrong") ? kExitWrong : seen.contains("fail") ? kExitCellsFailed : kExitOk;
  }

  ChildOutput ask(std::vector<std::string> words) const {
    words.insert(words.begin(), topology::worker_beside());
    return topology::output_of(words, kSilence_s);
  }
  /// What a child that failed said last, without its name, else how it ended.
  static std::string reason(const ChildOutput& child) {
    constexpr std::string_view kName = "rhino-worker: ";
    const std::size_t at = child.errors.rfind(kName);
    if (child.exit_code != 1 || at == std::string::npos) return "its process " + child.how_it_ended;
    std::string sentence = child.errors.substr(at + kName.size());
    while (sentence.ends_with('\n')) sentence.pop_back();
    return sentence;
  }

  void check_libraries() {
    const ChildOutput child = ask({"gpu-libraries"});
    if (!child.how_it_ended.empty()) return say("fail", "libraries", reason(child));
    for (const topology::GpuLibrary& library : topology::decode_libraries(child.output).libraries) {
      const bool is_needed = library.name == "the NVIDIA driver" || library.name == "NVRTC";
      const std::string bad = is_needed ? "fail" : "note";
      if (library.name == "NVRTC") has_compiler_ = library.missing.empty() && library.lacks.empty();
      if (library.name == "NCCL") nccl_ = library;
      if (!library.missing.empty()) say(bad, library.name, library.missing);
      else if (!library.lacks.empty())
        say(bad, library.name, library.path + " is too old: it has no " + joined(library.lacks));
      else
        say("ok", library.name,
            library.version.empty() ? library.path : library.version + ", " + library.path);
    }
  }

  bool find_gpus() {
    gpus_ = topology::discover_gpus();
    report_.fake = gpus_.is_fake();
    if (!gpus_.missing.empty()) {
      say("fail", "GPUs", gpus_.missing);
      return false;
    }
    if (!gpus_.nvml_missing.empty())
      say("note", "clocks and links", "not known: " + gpus_.nvml_missing);
    else if (!gpus_.driver.empty()) say("ok", "driver", gpus_.driver);
    if (report_.fake)
      say("note", "fake", "these GPUs are fakes: what follows is computed on this host's CPU");
    return true;
  }

  /// False: there is none to go on with.
  bool check_memory() {
    for (std::size_t i = 0; i < gpus_.gpus.size(); ++i) {
      const std::string what = fmt::format("GPU {}", i);
      const ChildOutput child =
          ask({"gpu-memory", std::to_string(i), std::to_string(kProbedBytes)});
      const bool well = child.how_it_ended.empty();
      if (well) working_.push_back(i);
      say(well ? "ok" : "fail", what,
          well ? topology::describe(gpus_.gpus[i]) : gpus_.gpus[i].name + ": " + reason(child));
    }
    return !working_.empty();
  }

  /// Of each case; what ends its process, or spoils it, is not laid to the others.
  std::vector<runtime::DeviceCaseResult> outcomes(
      std::size_t ordinal, const std::vector<runtime::DeviceCase>& cases) const {
    const CaseFile file(cases);
    std::vector<runtime::DeviceCaseResult> results;
    while (results.size() < cases.size()) {
      const std::size_t first = results.size();
      const ChildOutput child =
          ask({"gpu-cases", std::to_string(ordinal), file.path(), std::to_string(first)});
      std::istringstream lines(child.output);
      for (std::string line; std::getline(lines, line);) {
        const codec::JsonText json(line, "what the worker answered is torn");
        results.push_back(
            codec::JsonReader<ReportStyle>().read<runtime::DeviceCaseResult>(json.root()));
      }
      if (!child.how_it_ended.empty() && results.size() < cases.size())
        results.push_back({.failure = reason(child)});
      else if (results.size() == first)
        results.push_back({.failure = "its process ended without a word"});
    }
    return results;
  }

  /// What failed is a line each, the others are one together.
  void check_cases(std::size_t ordinal, const Stage& stage) {
    const std::string what = on(ordinal, stage.what);
    const std::vector<runtime::DeviceCase>& cases = stage.cases;
    std::size_t good = 0;
    double error = 0;
    const std::vector<runtime::DeviceCaseResult> results = outcomes(ordinal, cases);
    for (std::size_t i = 0; i < cases.size(); ++i) {
      const runtime::DeviceCase& one = cases[i];
      const runtime::DeviceCaseResult& result = results[i];
      error = std::max(error, result.error);
      if (result.failure.empty()) {
        ++good;
        continue;
      }
      say(result.is_wrong ? "wrong" : "fail", what,
          one.name + ": " + result.failure +
              (result.is_wrong
                   ? fmt::format(" (error {:.1e}, {:.0e} is allowed)", result.error, one.tolerance)
                   : ""));
    }
    const bool all = good == cases.size();
    say(all ? "ok" : "note", what,
        fmt::format("{} of {} equal the reference, largest error {:.1e}", good, cases.size(),
                    error));
  }

  /// Where there are several GPUs.
  std::string on(std::size_t ordinal, const std::string& what) const {
    return gpus_.gpus.size() > 1 ? fmt::format("GPU {}, {}", ordinal, what) : what;
  }

  static std::pair<std::string, planning::CellModel> model_of(const std::string& text) {
    std::vector<config::CellSpec> cells(1);
    config::apply_overrides(cells, {{"model", text}, {"batch", "{global: 2, micro_batches: 1}"}});
    if (Options(cells.front().model.options).get<std::string>("dtype", "") ==
        dtype_name(DType::f16))
      config::apply_overrides(cells, {{"optimizer", "{adam: {loss_scale: dynamic}}"}});
    return {cells.front().model.id, planning::build_model(cells.front())};
  }

  static Stage attention(DType dtype) {
    const std::string name(dtype_name(dtype));
    Stage stage{"attention of " + name, {}};
    for (const int depth : kHeadDepths) {
      const auto [id, model] = model_of(fmt::format(kAttentionModel, depth, name));
      for (runtime::DeviceCase& one : check::attention_cases(model.step, kSeed))
        stage.cases.push_back(std::move(one));
    }
    return stage;
  }

  /// From the bottom up; each GPU computes them all.
  std::vector<Stage> stages() const {
    std::vector<Stage> all;
    std::vector<std::string> models(std::begin(kModels), std::end(kModels));
    if (!line_.model.empty()) models = {line_.model};
    for (const std::string& text : models) {
      const auto [id, model] = model_of(text);
      check::StepCases parts = check::step_cases(model.step, kSeed);
      const std::string name = id + " " + std::string(dtype_name(model.dtype));
      all.push_back({"ops of " + name, std::move(parts.ops)});
      all.push_back({"kernels of " + name, parts.kernels});
      all.push_back({"step of " + name, parts.whole});
      all.push_back({"graphs of " + name, check::as_graphs(std::move(parts.kernels))});
      all.push_back({"step as a graph, " + name, check::as_graphs(std::move(parts.whole))});
    }
    if (line_.model.empty()) {
      for (const DType dtype : {DType::bf16, DType::f16}) all.push_back(attention(dtype));
    }
    for (const DType dtype : {DType::f32, DType::bf16, DType::f16})
      all.push_back({"dots of " + std::string(dtype_name(dtype)),
                     check::dot_ways(check::dot_cases(dtype, kSeed))});
    for (const DType dtype : {DType::f32, DType::bf16, DType::f16})
      all.push_back({"convolutions of " + std::string(dtype_name(dtype)),
                     check::convolution_cases(dtype, kSeed)});
    return all;
  }

  /// Fakes are timed where a test wants to see that this runs, at sizes for a CPU.
  void check_rates(std::size_t ordinal) {
    const std::string what = on(ordinal, "speed");
    if (report_.fake && std::getenv(kTimesFakes) == nullptr)
      return say("note", what, "not timed: no time of a fake is a GPU's");
    const DeviceModel model = topology::gpu_model(gpus_.gpus[ordinal]);
    for (const check::RateCase& rate : check::rate_cases(report_.fake ? kToyRates : kRates)) {
      const runtime::DeviceCaseResult result = outcomes(ordinal, {rate.run}).front();
      if (!result.failure.empty()) say("fail", what, rate.run.name + ": " + result.failure);
      else say_rate(what, rate, result.seconds, model);
    }
  }

  void say_rate(const std::string& what, const check::RateCase& rate, double seconds,
                const DeviceModel& model) {
    const bool is_dot = rate.flops > 0;
    const double reached = (is_dot ? rate.flops : rate.bytes) / seconds;
    const std::string figures =
        fmt::format("{}: {}, {:.4g} {}", rate.run.name, report::format_seconds(seconds),
                    reached * 1e-9, is_dot ? "GFLOP/s" : "GB/s");
    if (report_.fake) return say("note", what, "fake, of this host's CPU: " + figures);
    const auto sustained = model.sustained_flops.find(rate.dtype);
    const double known = !is_dot ? model.stream_bytes_per_s
                         : sustained != model.sustained_flops.end()
                             ? sustained->second
                             : model.peak_flops.at(rate.dtype);
    say(reached >= kLeastShare * known ? "ok" : "note", what,
        fmt::format("{}, {:.0f} % of what is known to be reached", figures, 100 * reached / known));
  }

  /// Why plans for several GPUs cannot run; empty: they can be tried.
  std::string no_links() const {
    if (!nccl_.missing.empty()) return "plans for several GPUs need NCCL, and " + nccl_.missing;
    if (const std::string old = too_old_nccl(nccl_.version); !old.empty()) return old;
    if (!nccl_.lacks.empty()) return nccl_.path + " has no " + joined(nccl_.lacks);
    if (working_.size() < gpus_.gpus.size()) return "not all of them work";
    return "";
  }

  void check_links() {
    const std::string what = "between GPUs";
    if (gpus_.gpus.empty()) return;
    if (gpus_.gpus.size() == 1) return say("note", what, "there is one GPU alone");
    if (const std::string reason = no_links(); !reason.empty()) return say("fail", what, reason);
    const std::vector<LinkCase> cases = link_cases(topology::gpu_cluster(gpus_, 0));
    std::size_t good = 0;
    for (const LinkCase& link : cases) {
      const LinkResult result = run_link_case(link);
      if (result.failure.empty()) ++good;
      else say(result.is_wrong ? "wrong" : "fail", what, link.name + ": " + result.failure);
    }
    say(good == cases.size() ? "ok" : "note", what,
        fmt::format("{} of {} communications of {} GPUs deliver every element", good, cases.size(),
                    gpus_.gpus.size()));
  }

  const CommandLine& line_;
  GpuReport report_;
  topology::GpuInventory gpus_;
  topology::GpuLibrary nccl_;
  std::vector<std::size_t> working_;  ///< GPUs whose memory is well
  bool has_compiler_ = false;
};

}  // namespace

int doctor_gpu(const CommandLine& line) { return GpuDoctor(line).run(); }

}  // namespace rhino::commands
