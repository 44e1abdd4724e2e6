// SPDX-License-Identifier: Apache-2.0
#include <sys/mman.h>
#include <unistd.h>

#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>
#include <map>

#include "measure/cell_run.hpp"
#include "plan/assemble.hpp"
#include "plan/plan_file.hpp"
#include "plan/validate.hpp"
#include "session_fixture.hpp"

/// What becomes of a plan on its way from the child that plans to the workers: calls of these
/// functions are counted where they go from one file to another (the linker's --wrap), here and in
/// all children alike.
namespace rhino {
namespace {

enum What { kOutline, kValidate, kOrder, kContents, kToBytes, kFromBytes, kEncode, kNumWhats };

struct Counts {
  int here[kNumWhats] = {}, in_children[kNumWhats] = {};
};

Counts& counts() {
  static auto* shared = static_cast<Counts*>(
      ::mmap(nullptr, sizeof(Counts), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0));
  return *shared;
}

const pid_t kHere = ::getpid();
void count(What what) { ++(::getpid() == kHere ? counts().here : counts().in_children)[what]; }

}  // namespace

#define RHINO_OUTLINE "_ZN5rhino4plan7outlineERKNS0_13AssembleInputE"
#define RHINO_VALIDATE "_ZN5rhino4plan8validateERKNS0_13ExecutionPlanE"
#define RHINO_ORDER "_ZN5rhino4plan14validate_orderERKNS0_13ExecutionPlanE"
#define RHINO_CONTENTS "_ZN5rhino4plan17validate_contentsERKNS0_13ExecutionPlanE"
#define RHINO_TO_BYTES "_ZN5rhino4plan8to_bytesB5cxx11ERKNS0_13ExecutionPlanE"
#define RHINO_FROM_BYTES                                                              \
  "_ZN5rhino4plan15plan_from_bytesESt17basic_string_viewIcSt11char_traitsIcEERKNSt7_" \
  "_cxx1112basic_stringIcS3_SaIcEEE"
#define RHINO_ENCODE "_ZN5rhino4plan6encodeB5cxx11ERKNS0_13ExecutionPlanE"

plan::PlanOutline real_outline(const plan::AssembleInput&) asm("__real_" RHINO_OUTLINE);
plan::PlanOutline wrap_outline(const plan::AssembleInput&) asm("__wrap_" RHINO_OUTLINE);
plan::PlanOutline wrap_outline(const plan::AssembleInput& input) {
  count(kOutline);
  return real_outline(input);
}

void real_validate(const plan::ExecutionPlan&) asm("__real_" RHINO_VALIDATE);
void wrap_validate(const plan::ExecutionPlan&) asm("__wrap_" RHINO_VALIDATE);
void wrap_validate(const plan::ExecutionPlan& plan) {
  count(kValidate);
  real_validate(plan);
}

void real_order(const plan::ExecutionPlan&) asm("__real_" RHINO_ORDER);
void wrap_order(const plan::ExecutionPlan&) asm("__wrap_" RHINO_ORDER);
void wrap_order(const plan::ExecutionPlan& plan) {
  count(kOrder);
  real_order(plan);
}

void real_contents(const plan::ExecutionPlan&) asm("__real_" RHINO_CONTENTS);
void wrap_contents(const plan::ExecutionPlan&) asm("__wrap_" RHINO_CONTENTS);
void wrap_contents(const plan::ExecutionPlan& plan) {
  count(kContents);
  real_contents(plan);
}

std::string real_to_bytes(const plan::ExecutionPlan&) asm("__real_" RHINO_TO_BYTES);
std::string wrap_to_bytes(const plan::ExecutionPlan&) asm("__wrap_" RHINO_TO_BYTES);
std::string wrap_to_bytes(const plan::ExecutionPlan& plan) {
  count(kToBytes);
  return real_to_bytes(plan);
}

plan::ExecutionPlan real_from_bytes(std::string_view,
                                    const std::string&) asm("__real_" RHINO_FROM_BYTES);
plan::ExecutionPlan wrap_from_bytes(std::string_view,
                                    const std::string&) asm("__wrap_" RHINO_FROM_BYTES);
plan::ExecutionPlan wrap_from_bytes(std::string_view bytes, const std::string& what) {
  count(kFromBytes);
  return real_from_bytes(bytes, what);
}

std::string real_encode(const plan::ExecutionPlan&) asm("__real_" RHINO_ENCODE);
std::string wrap_encode(const plan::ExecutionPlan&) asm("__wrap_" RHINO_ENCODE);
std::string wrap_encode(const plan::ExecutionPlan& plan) {
  count(kEncode);
  return real_encode(plan);
}

namespace {

constexpr const char* kTopology = R"(name: two
source: made up
hosts: 1
devices_per_host: 2
device: {kind: emulated, name: fast, memory_bytes: 1e9, memory_bytes_per_s: 1e15, peak_flops: {f32: 1e15}}
links:
  intra_host: {bytes_per_s: 1e15, latency_s: 1e-6}
  inter_host: {bytes_per_s: 1e15, latency_s: 1e-6, shared_by: host}
)";

constexpr const char* kExperiment = R"(name: once
cases:
  - topology: two
    model: {branching: {width: 8, depth: 2}}
    batch: {global: 8, micro_batches: 2}
    check: none
    search: SEARCH
)";

void write(const std::string& path, std::string text, const std::string& search = "") {
  if (const auto at = text.find("SEARCH"); at != std::string::npos) text.replace(at, 6, search);
  std::ofstream(path) << text;
}

/// Runs the only cell of kExperiment in `dir`; counts() are of this run alone.
store::Record run_cell(const RunDir& dir, const std::string& search) {
  const std::string path = dir.path();
  std::filesystem::create_directory(path + "/topologies");
  write(path + "/topologies/two.yaml", kTopology);
  write(path + "/data.yaml", "name: data\nmesh: {stage: 1, data: 2}\n");
  write(path + "/once.yaml", kExperiment, search);
  const config::Experiment experiment = config::read_experiment(path + "/once.yaml");
  const plugin::Registry registry({RHINO_TEST_PLUGINS});
  store::RunFolder folder(path + "/run", false);
  measure::RunContext context{.experiment = experiment,
                              .registry = registry,
                              .folder = folder,
                              .worker = std::getenv("RHINO_WORKER"),
                              .folders = {path},
                              .calibrations = calibrate::Calibrations(path)};
  measure::CellRun run(context, experiment.cells.front(), "cell");
  counts() = {};
  run.prepare();
  run.measure();
  return run.result();
}

}  // namespace

TEST_CASE("a plan is assembled, proved, encoded and decoded once on its way to the workers") {
  const std::string search = GENERATE("search/grid", "data.yaml");
  CAPTURE(search);
  const RunDir dir;
  const store::Record record = run_cell(dir, search);
  INFO(record.message);
  REQUIRE(record.status == store::Status::ok);
  const auto num_assembled = std::max<std::int64_t>(1, record.num_evaluated);
  CHECK(counts().in_children[kOutline] == num_assembled);
  // Of what a search evaluates the order is proved, and of what is the quickest so far all.
  CHECK(counts().in_children[kOrder] == record.num_evaluated);
  CHECK(counts().in_children[kValidate] >= 1);
  CHECK(counts().in_children[kValidate] <= num_assembled);
  CHECK(counts().in_children[kContents] == 0);
  CHECK(counts().in_children[kToBytes] == 1);
  CHECK(counts().in_children[kFromBytes] + counts().in_children[kEncode] == 0);
  CHECK(counts().here[kOutline] + counts().here[kToBytes] == 0);
  CHECK(counts().here[kFromBytes] == 1);
  CHECK(counts().here[kValidate] == 1);
  CHECK(counts().here[kEncode] == 1);  // the plan file
}

}  // namespace rhino
