// SPDX-License-Identifier: Apache-2.0
#include "report/published_table.hpp"

#include <catch2/catch.hpp>

#include "report/table.hpp"

using namespace rhino;
using namespace rhino::report;

namespace {

store::Record simulated(std::int32_t index, double step_s, double published_s,
                        const std::string& source) {
  store::Record record;
  record.case_index = index;
  record.independent = {{"model", "gpt(case=" + std::to_string(index) + ")"},
                        {"topology", "a"},
                        {"backend", "simulate"},
                        {"search", "strategies/a.yaml"},
                        {"schedule", "schedule/1f1b"},
                        {"resharding", "resharding/send_recv"}};
  record.samples_s = {step_s};
  record.summary.median_s = step_s;
  record.check_kind = "none";
  record.published_step_s = published_s;
  record.published_source = source;
  return record;
}

}  // namespace

TEST_CASE("agreement of steps with published ones, by hand") {
  // Ratios 0.5, 0.8, 1, 1.5: of 6 pairs 4 in the same order, 1 in the other, 1 a tie.
  const Agreement some = agreement({{1, 2}, {4, 5}, {3, 3}, {4.5, 3}});
  CHECK(some.ratio == Approx(1));
  CHECK(some.error == Approx(0.5));  // of 0, 0.2, 0.5, 0.5 the upper one of the middle
  CHECK(some.error_p90 == Approx(0.5));
  CHECK(some.tau == Approx(3. / 6));
  CHECK(some.best_share == 0);
  CHECK(some.regret == 0);
  // The best published one is third here; the best here was published to take twice as long.
  const Agreement swapped = agreement({{1, 4}, {2, 3}, {3, 2}, {4, 5}});
  CHECK(swapped.best_share == Approx(2. / 4));
  CHECK(swapped.regret == Approx(1));
}

TEST_CASE("the table ends with what published steps come to, by model and by source") {
  std::vector<store::Record> records = {simulated(6, 1.1, 1, "letter"), simulated(7, 3, 0, "")};
  for (const double step_s : {0.9, 2., 3., 4., 5.})
    records.push_back(simulated(0, step_s, 2, "paper"));
  records.back().published_step_s = 1;  // the slowest here
  for (store::Record& record : records) record.published_lacks = {"rain, 3 %"};
  const std::string text = result_table(records);
  CAPTURE(text);
  CHECK(text.find("2.000 s 0.45x") != std::string::npos);
  CHECK(text.find("  0 of 1  100.0% 100.0%\n") != std::string::npos);
  const auto row = [&](const std::string& name) {
    const std::size_t begin = text.rfind(name + " ");
    return text.substr(begin, text.find('\n', begin) - begin);
  };
  CHECK(row("paper").substr(27) == row("gpt(case=0)").substr(27));  // behind the names
  CHECK(row("letter").ends_with("1.10x    10%              10%"));
  CHECK(text.ends_with(
      "not in the model of letter: rain, 3 %\nnot in the model of paper: rain, 3 %\n"));
  CHECK(result_table({simulated(0, 1, 0, "")}).find("published") == std::string::npos);
}

TEST_CASE("published steps that came to none here are counted") {
  std::vector<store::Record> records = {simulated(0, 1, 1, "paper"), simulated(0, 2, 2, "paper"),
                                        simulated(1, 1, 1, "letter")};
  for (const std::size_t failed : {1, 2}) {
    records[failed].status = store::Status::infeasible;
    records[failed].samples_s.clear();
    records[failed].summary = {};
  }
  const std::string text = result_table(records);
  CAPTURE(text);
  CHECK(text.substr(text.rfind("paper ")).find("  1 of 2  1.00x") < 30);
  CHECK(text.find("letter                       0 of 1\n") != std::string::npos);
}

TEST_CASE("a table tells where the machine was slower or quicker than when it was calibrated") {
  store::Record record = simulated(0, 1, 0, "");
  record.independent["backend"] = "ucx";
  record.calibrated_probe_dot_s = 1;
  for (const double dot_s : {1.1, 3.0, 1.12}) {
    record.rounds.emplace_back().seconds = 1;
    record.rounds.back().probe_dot_s = dot_s;
  }
  const auto tells = [](std::vector<store::Record> records, const std::string& what) {
    return result_table(records).find(what) != std::string::npos;
  };
  CHECK(tells({record}, "the machine was 12 % slower in these rounds than when it was calibrated"));
  store::Record quicker = record, unknown = record;
  for (store::Round& round : quicker.rounds) round.probe_dot_s = 0.9;
  CHECK(tells({quicker}, "the machine was 10 % quicker in these rounds"));
  unknown.calibrated_probe_dot_s = 0;
  CHECK_FALSE(tells({unknown}, "the machine was"));
  for (store::Round& round : quicker.rounds) round.probe_dot_s = 1.04;
  CHECK_FALSE(tells({quicker}, "the machine was"));
}
