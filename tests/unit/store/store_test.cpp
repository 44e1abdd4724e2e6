// SPDX-License-Identifier: Apache-2.0
#include <sys/wait.h>
#include <unistd.h>

#include <catch2/catch.hpp>
#include <chrono>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <limits>
#include <random>

#include "rhino/error.hpp"
#include "store/calibration_file.hpp"
#include "store/run_folder.hpp"

using namespace rhino;
using namespace rhino::store;
using Catch::Matchers::Contains;
namespace fs = std::filesystem;

namespace {

struct TemporaryFolder {
  fs::path path = fs::temp_directory_path() / ("rhino_store_test_" + std::to_string(getpid()));
  ~TemporaryFolder() { fs::remove_all(path); }
};

Record sample(const std::string& id) {
  Record record;
  record.run_id = "run";
  record.cell_id = id;
  record.label = "a \"quoted\" label\nwith a line";
  record.status = Status::wrong;
  record.independent = {{"model", "gpt(preset=1m)"}};
  record.samples_s = {0.1, 0.2};
  record.rounds = {{3, 0.1, {0.1, 0.2}, 0.01, 0.02, 0.03, 0.04, 0.5, true}};
  record.twin_rounds = {{.number = 4}};
  record.summary = {.n = 2, .median_s = 0.15, .ci95_low_s = 0.1, .ci95_high_s = 0.2, .noisy = true};
  record.throughput.mfu = 0.5;
  record.breakdown = {{1, 0.1, 0.2, 0.3, 0.4}};
  record.baselines = {{"single", 1.5, 1.4, 1.6, "faster", 5, 7}};
  record.rejected = {"x: too large"};
  return record;
}

}  // namespace

TEST_CASE("a record survives the way through its line") {
  const Record record = sample("a");
  const std::string line = encode(record);
  CHECK(line.find('\n') == std::string::npos);
  CHECK(encode(decode_record(line, "f")) == line);
  CHECK(decode_record(line, "f").status == Status::wrong);
  CHECK(decode_record(line, "f").baselines.front().ci95_high == 1.6);
}

TEST_CASE("keys and their order are those of schema 1") {
  const std::string line =
      R"({"schema_version":1,"run_id":"run","cell_id":"a","label":"a \"quoted\" label\nwith a line",)"
      R"("status":"wrong","message":"","case":0,"baseline_of":[],)"
      R"_("independent":{"model":"gpt(preset=1m)"},"global_batch":0,"num_micro_batches":0,)_"
      R"("num_devices":0,"oversubscribed":false,"samples_s":[0.1,0.2],)"
      R"("rounds":[{"number":3,"seconds":0.1,"samples_s":[0.1,0.2],"probe":{"dot_s":0.01,)"
      R"("stream_s":0.02,"latency_s":0.03,"handover_s":0.04,"others":0.5},"disturbed":true,"gpus":[]}],"twin_rounds":[{"number":4,)"
      R"("seconds":0,"samples_s":[],"probe":{"dot_s":0,"stream_s":0,"latency_s":0,"handover_s":0,"others":0},)"
      R"("disturbed":false,"gpus":[]}],)"
      R"("summary":{"n":2,"median_s":0.15,"ci95_s":[0.1,0.2],"mad_s":0,"min_s":0,"max_s":0,)"
      R"("makespan_s":0,"noisy":true,"noise_floor":0},)"
      R"("throughput":{"samples_per_s":0,"tokens_per_s":0,"model_flops":0,"hardware_flops":0,)"
      R"("flops_formula":"","peak_flops":0,"mfu":0.5},"communication":{},"pipeline":{},)"
      R"("breakdown":[{"device":1,"compute_s":0.1,"communication_s":0.2,)"
      R"("exposed_communication_s":0.3,"bubble_s":0.4,"staged_bytes":0,"alike":[]}],)"
      R"("memory":{"predicted_peak_bytes":0,"measured_peak_bytes":0,"small_page_bytes":0},)"
      R"("bound":{"seconds":0,"kind":"","efficiency":0,"plan_seconds":0,"plan_kind":""},)"
      R"("prediction":{"step_s":0,"relative_error":0,"calibration":"","devices_walked":0,"exposed_s":0,"probe_dot_s":0,"probe_stream_s":0},)"
      R"("published_step_s":0,"published_source":"","published_lacks":[],)"
      R"("search":{"seconds":0,"evaluated":0,"seed":0,"strategy":"",)"
      R"("rejected":["x: too large"]},)"
      R"("check":{"kind":"","max_error":0,"tolerance":0,"num_wrong":0},)"
      R"("baseline":[{"name":"single","ratio":1.5,"ci95":[1.4,1.6],"verdict":"faster",)"
      R"("num_rounds":5,"rounds_needed":7}],)"
      R"("environment":{},"artifacts":{}})";
  CHECK(encode(sample("a")) == line);

  // No communication yet, no staged bytes, no rounds; zeros as 0.0.
  Record sample_of_before = sample("a");
  sample_of_before.rounds.clear();
  sample_of_before.twin_rounds.clear();
  sample_of_before.baselines.front().num_rounds = 0;
  sample_of_before.baselines.front().rounds_needed = 0;
  std::string older = encode(sample_of_before);
  for (const char* later : {R"(,"rounds":[],"twin_rounds":[])", R"(,"noise_floor":0)",
                            R"(,"small_page_bytes":0)", R"(,"num_rounds":0,"rounds_needed":0)",
                            R"(,"published_step_s":0,"published_source":"","published_lacks":[])"})
    older.replace(older.find(later), std::strlen(later), "");
  older.replace(older.find(R"(,"staged_bytes":0)"), 17, "");
  older.replace(older.find(R"("seed":0,)"), 9, R"("seed":0,"cut_by_deadline":false,)");
  older.replace(older.find(R"("communication":{},"pipeline":{},)"), 33, "");
  older.replace(older.find(R"(,"plan_seconds":0,"plan_kind":"")"), 32, "");
  older.replace(older.find(R"("mad_s":0)"), 9, R"("mad_s":0.0)");
  CHECK(encode(decode_record(older, "f")) == encode(sample_of_before));
}

TEST_CASE("figures of a communication survive, and what is no number in JSON") {
  Record record = sample("a");
  record.communication = {.kind = "reshard", .bytes = 5, .num_messages = 3};
  record.prediction_error = std::numeric_limits<double>::infinity();
  const Record read = decode_record(encode(record), "f");
  CHECK(read.communication == record.communication);
  CHECK(read.prediction_error == record.prediction_error);
}

TEST_CASE("a time that is none is refused") {
  for (const double seconds :
       {-1.0, -std::numeric_limits<double>::infinity(), std::numeric_limits<double>::infinity(),
        std::numeric_limits<double>::quiet_NaN()}) {
    Record of_samples = sample("a"), of_round = of_samples, of_twin = of_samples;
    of_samples.samples_s.push_back(seconds);
    of_round.rounds.front().seconds = seconds;
    of_twin.twin_rounds.front().samples_s = {seconds};
    for (const Record& record : {of_samples, of_round, of_twin})
      CHECK_THROWS_WITH(decode_record(encode(record), "f"),
                        Contains("f: seconds are expected where there is"));
  }
}

TEST_CASE("a search that has proved nothing has no gap, and one that has proved all has 0") {
  Record record = sample("a");
  CHECK_THAT(encode(record), !Contains("bound_s") && !Contains("gap"));
  record.search_bound_s = 0.5;
  CHECK_THAT(encode(record), Contains(R"("evaluated":0,"bound_s":0.5,"gap":0,"seed":0)"));
  record.search_gap = 0.25;
  const Record read = decode_record(encode(record), "f");
  CHECK(read.search_bound_s == 0.5);
  CHECK(read.search_gap == 0.25);
}

TEST_CASE("a line changed at random is read or refused, never worse") {
  const std::uint32_t seed = 5;
  CAPTURE(seed);
  std::mt19937 random(seed);
  int refused = 0;
  for (int round = 0; round < 2000; ++round) {
    std::string line = encode(sample("a"));
    for (unsigned flips = 1 + random() % 3; flips > 0; --flips)
      line[random() % line.size()] = static_cast<char>(random());
    try {
      decode_record(line, "f");
    } catch (const Error& error) {
      CHECK_THAT(error.what(), Catch::StartsWith("f: "));
      ++refused;
    }
  }
  CHECK(refused > 1000);
}

TEST_CASE("every torn line is one sentence") {
  const std::string line = encode(sample("a"));
  for (std::size_t size = 0; size < line.size(); size += 7)
    CHECK_THROWS_WITH(decode_record(line.substr(0, size), "records.jsonl"),
                      Contains("records.jsonl: "));
}

TEST_CASE("a run that was killed anywhere loses at most the record that it was writing") {
  const TemporaryFolder folder;
  {
    RunFolder run(folder.path, false);
    run.append(sample("a"));
    run.append(sample("b"));
  }
  const std::string file = folder.path / "records.jsonl";
  const auto size = fs::file_size(file);
  for (const std::uintmax_t lost : {std::uintmax_t{1}, std::uintmax_t{20}, size / 2 - 1}) {
    const std::size_t whole = lost == 1 ? 2 : 1;  // but for its newline, a record is whole
    fs::resize_file(file, size - lost);
    RunFolder run(folder.path, true);
    REQUIRE(run.finished().size() == whole);
    CHECK(run.finished()[0].cell_id == "a");
    if (whole == 1) run.append(sample("b"));
    CHECK(read_records(folder.path).size() == 2);
    CHECK(fs::file_size(file) == size);
  }
}

TEST_CASE("what cannot be read is kept") {
  const TemporaryFolder folder;
  {
    RunFolder run(folder.path, false);
    run.append(sample("a"));
  }
  const std::string file = folder.path / "records.jsonl";
  const auto text = [&](const std::string& path) {
    std::ifstream stream(path);
    return std::string{std::istreambuf_iterator<char>(stream), {}};
  };
  const std::string before = text(file);
  std::ofstream(file, std::ios::app) << R"({"schema_version":1,"run)";
  RunFolder(folder.path, true);
  CHECK(text(file) == before);
  CHECK(text(file + ".torn") == "{\"schema_version\":1,\"run\n");
  std::ofstream(file, std::ios::app) << "{\"schema_version\":2}\n";
  CHECK_THROWS_WITH(RunFolder(folder.path, true), Contains("records.jsonl:2: schema version 2"));
  CHECK(text(file) == before + "{\"schema_version\":2}\n");
  fs::remove(file);
  fs::create_directory(file);
  CHECK_THROWS_WITH(RunFolder(folder.path, true), Contains("cannot be read"));
}

TEST_CASE("the journal holds what each cell came to last, until its case is recorded") {
  const TemporaryFolder folder;
  Record round = sample("a");
  {
    RunFolder run(folder.path, false);
    run.journal(round);
    round.case_index = 1;
    round.rounds.clear();
    run.journal(round);
    round.message = "later";
    run.journal(round);
  }
  CHECK_THROWS_WITH(RunFolder(folder.path, false), Contains("holds a run already"));
  {
    RunFolder run(folder.path, true);
    CHECK(run.finished().empty());
    REQUIRE(run.journalled("a", 0) != nullptr);
    CHECK(run.journalled("a", 0)->rounds.size() == 1);
    REQUIRE(run.journalled("a", 1) != nullptr);
    CHECK(run.journalled("a", 1)->message == "later");
    CHECK(run.journalled("b", 0) == nullptr);
    run.forget_rounds();
  }
  CHECK(RunFolder(folder.path, true).journalled("a", 0) == nullptr);
}

TEST_CASE("shares of collectives are kept by kind, and read where there were none by kind") {
  cost::Calibration calibration;
  calibration.collective_shares = {{1e3, 2, 2}};
  CHECK(decode_calibration(encode(calibration)) == calibration);
  std::string old = encode(calibration);
  std::erase_if(old, [](char c) { return c == '\n' || c == ' '; });
  const std::size_t place = old.find(",\"shares_of_kind\":{}");
  REQUIRE(place != std::string::npos);
  old.erase(place, std::string(",\"shares_of_kind\":{}").size());
  CHECK(decode_calibration(old) == calibration);
  calibration.shares_of_kind = {{OpKind::all_gather, {{1e3, 0.5, 2}, {1e6, 0.25, 2}}}};
  CHECK(decode_calibration(encode(calibration)) == calibration);
}

TEST_CASE("what a calibration says of memory and rows is kept") {
  cost::Calibration calibration;
  calibration.reach = {{1e6, 1, 2, 3}, {4e6, 4, 5, 6}};
  calibration.folds = {{40, 7}, {120, 8}};
  calibration.far_reads_of_dots = {{16e6, 1, 2}, {96e6, 3, 4}};
  calibration.forgotten = {{4e6, 1e-3, 0.25}, {4e6, 4e-3, 0.75}};
  calibration.column_s = 9;
  calibration.convolutions = {{DType::bf16, {{1, 2, 3, 4, 5}}}};
  calibration.few_probes = {10, 11, 12};
  CHECK(decode_calibration(encode(calibration)) == calibration);
}

TEST_CASE("an old calibration is measured again") {
  const TemporaryFolder folder;
  cost::Calibration calibration;
  calibration.fingerprint = "0123";
  save_calibration(calibration, folder.path);
  const auto two_hours_ago = fs::file_time_type::clock::now() - std::chrono::hours(2);
  CHECK(load_calibration("0123", folder.path, 3600));
  for (const auto& entry : fs::directory_iterator(folder.path))
    fs::last_write_time(entry.path(), two_hours_ago);
  CHECK_FALSE(load_calibration("0123", folder.path, 3600));
  CHECK(load_calibration("0123", folder.path, 7201));
  CHECK(load_calibration("0123", folder.path));  // that of a run which is resumed
  CHECK_FALSE(load_calibration("4567", folder.path));
}

TEST_CASE("a folder with a run is refused unless it is resumed") {
  const TemporaryFolder folder;
  {
    RunFolder run(folder.path, false);
    run.append(sample("a"));
  }
  CHECK_THROWS_WITH(RunFolder(folder.path, false), Contains("holds a run already"));
  CHECK_THROWS_WITH(read_records("nowhere"), Contains("holds no run"));
}

TEST_CASE("a run folder has one owner, also where many take over from one that is gone") {
  const TemporaryFolder folder;
  { RunFolder(folder.path, false); }
  const std::string owner = folder.path / "owner";
  for (int round = 0; round < 20; ++round) {
    if (round % 2 == 1) {  // killed: it never said that it ended
      const pid_t killed = fork();
      if (killed == 0) {
        new RunFolder(folder.path, true);
        _exit(0);
      }
      waitpid(killed, nullptr, 0);
    }
    int begin[2], tried[2], over[2];
    REQUIRE((pipe(begin) == 0 && pipe(tried) == 0 && pipe(over) == 0));
    std::vector<pid_t> children;
    for (int child = 0; child < 12; ++child) {
      children.push_back(fork());
      if (children.back() != 0) continue;
      char byte;
      close(begin[1]);
      close(over[1]);
      (void)!read(begin[0], &byte, 1);
      int code = 1;
      try {
        new RunFolder(folder.path, true);
        code = 0;
      } catch (const Error&) {
      }
      (void)!write(tried[1], "t", 1);
      (void)!read(over[0], &byte, 1);  // none ends before all have tried
      _exit(code);
    }
    close(begin[1]);
    char byte;
    for (std::size_t i = 0; i < children.size(); ++i) CHECK(read(tried[0], &byte, 1) == 1);
    close(over[1]);
    int num_owners = 0, status = 0;
    for (const pid_t child : children) {
      waitpid(child, &status, 0);
      num_owners += WIFEXITED(status) && WEXITSTATUS(status) == 0 ? 1 : 0;
    }
    for (const int end : {begin[0], tried[0], tried[1], over[0]}) close(end);
    CHECK(num_owners == 1);
  }
  for (const auto& entry : fs::directory_iterator(folder.path))
    CHECK_FALSE(entry.path().filename().string().starts_with("owner."));
}

TEST_CASE("an owner on another host is asked for, one from before the last boot is not") {
  const TemporaryFolder folder;
  { RunFolder(folder.path, false); }
  const std::string owner = folder.path / "owner";
  char host[256] = {};
  gethostname(host, sizeof host - 1);
  const auto write_owner = [&](const std::string& name) {
    std::ofstream(owner) << "process 12 on " << name << " since 2026-01-01 00:00:00\n"
                         << "boot 5-6-7 namespaces pid:[1]time:[2] start 99\n";
  };
  write_owner("node7");
  CHECK_THROWS_WITH(RunFolder(folder.path, true),
                    Contains("another run may write here: process 12 on node7 since 2026-01-01 "
                             "00:00:00; where it is over, remove " +
                             owner));
  std::ofstream(owner, std::ios::app) << "ended\n";
  RunFolder(folder.path, true);
  write_owner(host);
  RunFolder(folder.path, true);
  write_owner("node7");
  fs::remove(owner);
  RunFolder(folder.path, true);
}
