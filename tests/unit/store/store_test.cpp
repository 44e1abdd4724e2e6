// SPDX-License-Identifier: Apache-2.0
#include <unistd.h>

#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>

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
  record.summary = {.n = 2, .median_s = 0.15, .ci95_low_s = 0.1, .ci95_high_s = 0.2, .noisy = true};
  record.throughput.mfu = 0.5;
  record.breakdown = {{1, 0.1, 0.2, 0.3, 0.4}};
  record.baselines = {{"single", 1.5, 1.4, 1.6, "faster"}};
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
    fs::resize_file(file, size - lost);
    RunFolder run(folder.path, true);
    REQUIRE(run.finished().size() == 1);
    CHECK(run.finished()[0].cell_id == "a");
    run.append(sample("b"));
    CHECK(read_records(folder.path).size() == 2);
    CHECK(fs::file_size(file) == size);
  }
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
