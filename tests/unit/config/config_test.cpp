// SPDX-License-Identifier: Apache-2.0
#include <catch2/catch.hpp>
#include <set>

#include "config/experiment.hpp"
#include "config/strategy_file.hpp"
#include "config/yaml_reader.hpp"
#include "rhino/error.hpp"
#include "temporary_file.hpp"

using namespace std::string_literals;
using namespace rhino;
using namespace rhino::config;
using Catch::Matchers::Contains;

namespace {

Experiment read(const std::string& text, const std::map<std::string, std::string>& overrides = {}) {
  const TemporaryFile file(text);
  return read_experiment(file.path(), overrides);
}

const char* const kExperiment = R"(name: small
cases:
  - {topology: local, model: {gpt: {preset: 1m}}, batch: {global: 8, micro_batches: 4}}
  - {topology: two, model: {gpt: {preset: 1m}}, batch: {global: 8, micro_batches: [2, 4]}, backend: simulate, search: search/grid}
matrix:
  search: [search/grid, strategies/a.yaml]
  schedule: [schedule/gpipe, schedule/1f1b]
baselines:
  single: {search: strategies/single_device.yaml}
  grid: {search: search/grid, schedule: schedule/gpipe}
)";

}  // namespace

TEST_CASE("cases are crossed with the matrix, what a case says wins, and equal cells are merged") {
  const Experiment experiment = read(kExperiment);
  // Case 0: single, grid/gpipe (also a baseline), grid/1f1b, a/gpipe, a/1f1b; case 1: single,
  // grid/gpipe, grid/1f1b.
  REQUIRE(experiment.cells.size() == 8);
  CHECK(experiment.cells[0].baselines == std::vector<std::string>{"single"});
  CHECK(experiment.cells[1].baselines == std::vector<std::string>{"grid"});
  CHECK(experiment.cells[1].schedule.id == "schedule/gpipe");
  CHECK(experiment.cells[7].search.id == "search/grid");
  CHECK(experiment.cells[7].micro_batches == std::vector<std::int64_t>{2, 4});
  CHECK(std::get<std::string>(experiment.cells[0].model.options.at("preset")) == "1m");
  CHECK(cell_id(experiment.cells[0]) != cell_id(experiment.cells[1]));
}

TEST_CASE("any count of micro-batches is every one that divides the batch, up to 1024") {
  const auto counts = [](const std::string& batch) {
    return read(
               "name: x\ncases:\n  - {topology: a, model: {gpt: {preset: 1m}}, search: b, batch: " +
               batch + "}\n")
        .cells.front()
        .micro_batches;
  };
  CHECK(counts("{global: 12, micro_batches: any}") == std::vector<std::int64_t>{1, 2, 3, 4, 6, 12});
  CHECK(counts("{global: 7, micro_batches: any}") == std::vector<std::int64_t>{1, 7});
  CHECK(counts("{global: 4096, micro_batches: any}").back() == 1024);
  CHECK(counts("{global: 12}") == std::vector<std::int64_t>{1});
  CHECK_THROWS_WITH(counts("{global: 12, micro_batches: all}"),
                    Contains("'micro_batches': a number is wanted here, not 'all'"));
}

TEST_CASE("a step that others published is a cell with its time, run as they say") {
  const std::string text = R"(name: x
cases:
  - topology: a
    model: {gpt: {preset: 1m}}
    batch: {global: 8, micro_batches: [2, 4]}
    published:
      source: a paper
      lacks: [rain]
      steps:
        - {step_s: 1.5, search: {strategies/a.yaml: {tensor: 2}}}
        - {step_s: 2.5, topology: b, search: strategies/a.yaml}
matrix: {backend: simulate}
)";
  const Experiment experiment = read(text);
  REQUIRE(experiment.cells.size() == 2);
  CHECK(experiment.cells[0].published == Published{1.5, "a paper", {"rain"}});
  CHECK(experiment.cells[1].published == Published{2.5, "a paper", {"rain"}});
  CHECK(experiment.cells[1].topology.id == "b");
  for (const CellSpec& cell : experiment.cells) {
    CHECK(cell.backend == "simulate");
    CHECK(cell.micro_batches == std::vector<std::int64_t>{2, 4});
    CellSpec unpublished = cell;
    unpublished.published.reset();
    CHECK(cell_id(unpublished) == cell_id(cell));
  }
  const auto with = [&](const std::string& old, const std::string& other) {
    std::string changed = text;
    return changed.replace(changed.find(old), old.size(), other);
  };
  CHECK_THROWS_WITH(read(with("1.5", "0")), Contains(":10: 'step_s': a step takes more than 0 s"));
  const std::size_t steps = text.find("steps:"), rest = text.find("matrix:");
  CHECK_THROWS_WITH(read(text.substr(0, steps) + "steps: []\n" + text.substr(rest)),
                    Contains(":9: 'steps': at least one step is wanted here"));
  CHECK_THROWS_WITH(read(with("tensor: 2}}", "tensor: 2}}, stpe_s: 1")),
                    Contains(":10: unknown key 'stpe_s'"));
  CHECK_THROWS_WITH(read(with("source: a paper", "sources: a paper")),
                    Contains("unknown key 'sources'; did you mean 'source'?"));
}

TEST_CASE("cells of unlike models, topologies and batches are cases, each with its baselines") {
  const std::string in_case = R"(name: x
cases:
  - topology: [a, b]
    model: [{gpt: {preset: 1m}}, branching]
    batch: [{global: 8}, {global: 16}]
    search: [search/grid, search/rhino]
  - {topology: a, model: branching, batch: {global: 8}, search: search/rhino}
baselines:
  grid: {search: search/grid, schedule: schedule/1f1b}
  elsewhere: {topology: c}
)";
  const std::string in_matrix = R"(name: x
cases:
  - search: [search/grid, search/rhino]
  - {topology: a, model: branching, batch: {global: 8}, search: search/rhino}
matrix:
  topology: [a, b]
  model: [{gpt: {preset: 1m}}, branching]
  batch: [{global: 8}, {global: 16}]
baselines:
  grid: {search: search/grid, schedule: schedule/1f1b}
  elsewhere: {topology: c}
)";
  for (const Experiment& experiment : {read(in_case), read(in_matrix)}) {
    std::map<std::int32_t, std::set<std::string>> subjects;
    std::map<std::int32_t, std::multiset<std::string>> baselines;
    std::int32_t last = 0;
    for (const CellSpec& cell : experiment.cells) {
      CHECK(cell.case_index >= last);
      last = cell.case_index;
      const bool is_elsewhere = cell.topology.id == "c";
      subjects[last].insert(to_string(cell.model) + (is_elsewhere ? "" : cell.topology.id) +
                            std::to_string(cell.global_batch));
      for (const std::string& name : cell.baselines) {
        CHECK(is_elsewhere == (name == "elsewhere"));
        baselines[last].insert(name);
      }
    }
    REQUIRE(subjects.size() == 9);
    std::set<std::set<std::string>> unlike;
    for (std::int32_t index = 0; index < 9; ++index) {
      // Of "elsewhere" the topology is not that of the case, and left out.
      CHECK(subjects[index].size() == 2);
      CHECK(baselines[index] == std::multiset<std::string>{"elsewhere", "grid"});
      if (index < 8) unlike.insert(subjects[index]);
    }
    CHECK(unlike.size() == 8);
  }
}

TEST_CASE("--set replaces a key of every case and the matrix") {
  const Experiment experiment = read(kExperiment, {{"schedule", "schedule/1f1b"}});
  for (const CellSpec& cell : experiment.cells) {
    if (cell.baselines.empty()) CHECK(cell.schedule.id == "schedule/1f1b");
  }
  CHECK_THROWS_WITH(read(kExperiment, {{"shcedule", "x"}}),
                    "--set: unknown key 'shcedule'; did you mean 'schedule'?");
}

TEST_CASE("a wrong experiment is one sentence with its line") {
  const auto [text, sentence] = GENERATE(table<std::string, std::string>({
      {"name: x\ncasses: []\n", ":2: unknown key 'casses'; did you mean 'cases'?"},
      {"name: x\ncases:\n  - {topology: local, modle: gpt}\n",
       ":3: unknown key 'modle'; did you mean 'model'?"},
      {"name: x\ncases:\n  - {topology: local, model: gpt, batch: {global: 8, micro_batches: 3}}\n",
       ":3: 'micro_batches': a global batch of 8 does not divide into 3"},
      {"name: x\nname: y\n", ":2: key 'name' occurs twice"},
      {"name: [x\n", ": "},
      {"name: x\ncases:\n  - {topology: local, model: gpt, batch: {global: many}}\n",
       ":3: 'global': a number is wanted here, not 'many'"},
      {"name: x\ncases:\n  - {topology: local, model: gpt, batch: {global: 8}, backend: uxc}\n",
       "unknown word 'uxc'; did you mean 'ucx'?"},
      {"", "the file is empty"},
      {"name: x\ncases:\n  - {topology: local, model: gpt, batch: {global: [8, 16]}}\n",
       ":3: 'global': a number is wanted here, not a list"},
      {"name: x\ncases: [{topology: local, model: gpt}]\nmatrix: {schedule: []}\n",
       ":3: 'schedule': at least one is wanted here"},
      {"name: x\ncases: []\nmeasure: {rounds: 0}\n",
       ":3: 'rounds': a number from 1 to 24 is wanted here"},
      {"name: x\ncases: []\nmeasure: {min_warmup_steps: -1}\n",
       ":3: 'min_warmup_steps': no less than 0 is wanted here"},
      {"name: x\ncases: []\nmeasure: {max_noise: -1}\n",
       ":3: 'max_noise': no less than 0 is wanted here"},
      {"name: x\nplanning_deadline_s: 0\ncases: []\n",
       ":2: 'planning_deadline_s': a deadline above 0 is wanted here"},
      {"question: why\nname: ../x\ncases: []\n",
       ":2: 'name': it names the folder of a run, and holds no '/' and no control character"},
      {"name: \"a\\nb\"\ncases: []\n", ":1: 'name': it names the folder of a run"},
      {"name: \"\"\ncases: []\n", ":1: 'name': it names the folder of a run"},
      {"name: x\ncases: []\n", ":2: 'cases': at least one case is wanted here"},
      {"name: x\ncases:\n  - {topology: local, model: gpt, batch: {global: 8, micro_batches: "
       "[]}}\n",
       ":3: 'micro_batches': at least one count is wanted here"},
      {"name: x\ncases:\n  - {topology: local, model: gpt, batch: {global: 8}, search: a}\n"
       "baselines: {b: {search: [a, c]}}\n",
       ":4: 'b': a baseline is one cell, and its keys have no lists"},
      {"name: x\ncases: []\nmeasure:\n  rounds:\nseed: 1\n",
       ":4: 'rounds': a number is wanted here"},
      {"name: x\ncases:\n  - {topology: local, model: gpt, batch: {global: 8}, search: "
       "{search/grid: {\"a\": \"b\\nc\"}}}\n",
       ":3: 'a': text without line breaks and other control characters is wanted here"},
      {"name: x\ncases: []\n---\nname: y\n", ":4: a second document; a file holds one"},
  }));
  CAPTURE(text);
  CHECK_THROWS_WITH(read(text), Contains(sentence));
}

TEST_CASE("transfers and collectives overlap, or block where a schedule says so, in another cell") {
  const auto with = [](const std::string& schedule) {
    return read(
               "name: x\ncases:\n  - {topology: two, model: branching, batch: {global: 8}, search: "
               "search/grid, schedule: " +
               schedule + "}\n")
        .cells.front();
  };
  const CellSpec blocking = with("{schedule/eager_1f1b: {}, transfers: block}");
  CHECK(blocking.schedule.id == "schedule/eager_1f1b");
  CHECK(blocking.schedule.blocking == plan::Blocking{.transfers = true});
  CHECK(to_string(blocking.schedule) == "schedule/eager_1f1b, transfers block");
  CHECK(cell_id(blocking) != cell_id(with("schedule/eager_1f1b")));
  CHECK(cell_id(with("{schedule/eager_1f1b: {}, transfers: overlap}")) ==
        cell_id(with("schedule/eager_1f1b")));
  const CellSpec both = with("{schedule/1f1b: {}, transfers: block, collectives: block}");
  CHECK(both.schedule.blocking == plan::Blocking{true, true});
  CHECK(to_string(both.schedule) == "schedule/1f1b, transfers block, collectives block");
  const CellSpec collectives = with("{schedule/1f1b: {}, collectives: block}");
  CHECK(collectives.schedule.blocking == plan::Blocking{.collectives = true});
  CHECK(cell_id(collectives) != cell_id(with("{schedule/1f1b: {}, transfers: block}")));
  CHECK(cell_id(with("{schedule/1f1b: {}, collectives: overlap}")) ==
        cell_id(with("schedule/1f1b")));
  CHECK_THROWS_WITH(with("{schedule/1f1b: {}, collectives: sync}"),
                    Contains("unknown word 'sync'"));
  CHECK_THROWS_WITH(with("{schedule/1f1b: {}, transfers: blocks}"),
                    Contains("unknown word 'blocks'; did you mean 'block'?"));
}

TEST_CASE("a GPU is driven as the experiment says, and is another cell then") {
  const auto with = [](const std::string& device) {
    return read(
               "name: x\ncases:\n  - {topology: local, model: gpt, batch: {global: 8}, search: "
               "search/grid, device: " +
               device + "}\n")
        .cells.front();
  };
  const CellSpec plain = with("cuda");
  CHECK(plain.gpu == runtime::GpuModes{});
  const CellSpec safe = with("{cuda: {dot: simple, sync: each}}");
  CHECK(safe.device == "cuda");
  CHECK(safe.gpu.dots == runtime::GpuModes::Dots::simple);
  CHECK(safe.gpu.waits_each);
  CHECK(device_text(safe) == "cuda, dot simple, sync each");
  CHECK(device_text(with("{cuda: {dot: timed, tf32: true}}")) == "cuda, dot timed, tf32");
  CHECK(device_text(with("{cuda: {attention: simple}}")) == "cuda, attention simple");
  CHECK(cell_id(with("{cuda: {attention: tiles}}")) == cell_id(plain));
  CHECK(device_text(with("{cuda: {convolution: simple}}")) == "cuda, convolution simple");
  CHECK(cell_id(with("{cuda: {convolution: cudnn}}")) == cell_id(plain));
  CHECK(device_text(with("{cuda: {messages: staged}}")) == "cuda, messages staged");
  CHECK(cell_id(with("{cuda: {messages: direct}}")) == cell_id(plain));
  CHECK(cell_id(with("{cuda: {convolution: simple}}")) != cell_id(plain));
  CHECK_THROWS_WITH(with("{cuda: {convolution: cudn}}"),
                    Contains("unknown word 'cudn'; did you mean 'cudnn'?"));
  CHECK(cell_id(safe) != cell_id(plain));
  CHECK(cell_id(with("{cuda: {dot: library, sync: end, tf32: false}}")) == cell_id(plain));
  CHECK(with("{cuda: {graphs: on}}").gpu.uses_graphs);
  CHECK(device_text(with("{cuda: {graphs: on}}")) == "cuda, graphs on");
  CHECK(cell_id(with("{cuda: {graphs: on}}")) != cell_id(plain));
  CHECK(cell_id(with("{cuda: {graphs: off}}")) == cell_id(plain));
  CHECK_THROWS_WITH(with("{cuda: {graphs: on, sync: each}}"),
                    Contains("graphs: on and sync: each exclude each other"));
  CHECK_THROWS_WITH(with("{cuda: {dot: simpel}}"),
                    Contains("unknown word 'simpel'; did you mean 'simple'?"));
  CHECK_THROWS_WITH(with("{cuda: {dots: simple}}"),
                    Contains("device cuda has no option 'dots'; did you mean 'dot'?"));
  CHECK_THROWS_WITH(with("{cpu: {sync: each}}"), Contains("of the devices cuda alone has options"));
}

TEST_CASE("a search has a budget where its experiment gives it one, and is another cell then") {
  const auto with = [](const std::string& search) {
    return read(
        "name: x\ncases:\n  - {topology: two, model: branching, batch: {global: 8}, search: " +
        search + "}\n");
  };
  const CellSpec free = with("search/grid").cells.front();
  CHECK(free.budget == SearchBudget{});
  const CellSpec held =
      with("{search/grid: {sweeps: 1}, budget: {evaluations: 20, cpu_s: 1.5}}").cells.front();
  CHECK(held.search.id == "search/grid");
  CHECK(std::get<std::int64_t>(held.search.options.at("sweeps")) == 1);
  CHECK(held.budget == SearchBudget{20, 1.5});
  CHECK(to_string(held.budget) == "20 evaluations, 1.5 s of a processor");
  CHECK(to_string(SearchBudget{1, 0}) == "1 evaluation");
  CellSpec same = held;
  same.budget.cpu_s = 2;
  CHECK(cell_id(same) != cell_id(held));
  CHECK_THROWS_WITH(with("{search/grid: {}, budget: {evaluations: -1}}"),
                    Contains("a budget is a number of evaluations, or cpu_s, above 0"));
  CHECK_THROWS_WITH(with("{search/grid: {}, budget: {}}"), Contains(":3: 'budget': a budget is"));
  CHECK_THROWS_WITH(with("{search/grid: {}, budget: {evalutions: 3}}"), Contains("'evalutions'"));
}

TEST_CASE("bytes take units, and other numbers take none") {
  const YamlReader node = YamlReader::text("{a: 64MiB, b: 1.5e9, c: 3 kB, d: 0x10}", "t");
  CHECK(node.at("a").whole_bytes() == 67108864);
  CHECK(node.at("b").number() == 1.5e9);
  CHECK(node.at("c").bytes() == 3000);
  CHECK_THROWS_WITH(node.at("d").bytes(), Contains("a number is wanted here"));
  CHECK_THROWS_WITH(node.at("a").integer(), Contains("t:1: 'a': a number without a unit of bytes"));
  CHECK_THROWS_WITH(node.at("c").number(), Contains("without a unit of bytes"));
}

TEST_CASE("a file is text in UTF-8") {
  CHECK(YamlReader::text("a: \xc3\xa9\xe2\x82\xac\xf0\x9f\xa6\x8f", "t").at("a").string().size() ==
        9);
  for (const auto& x : {"\xe9"s, "\xc3"s, "\xc0\x80"s, "\xff\xfe"s, "\xe2\x82"s, "\xf8"s, "\0"s})
    CHECK_THROWS_WITH(YamlReader::text("b: 1\na: x" + x + "\n", "t"),
                      Contains("t:2: is no text in UTF-8"));
}

TEST_CASE("options keep their look") {
  const YamlReader node = YamlReader::text("{a: 4, b: 4.0, c: true, d: fast, e: '4'}", "t");
  CHECK(node.at("a").option() == OptionValue(std::int64_t{4}));
  CHECK(node.at("b").option() == OptionValue(4.0));
  CHECK(node.at("c").option() == OptionValue(true));
  CHECK(node.at("d").option() == OptionValue(std::string("fast")));
  CHECK(node.at("e").option() == OptionValue(std::string("4")));
}

TEST_CASE("a case may be of one communication, and counts only what matters to it") {
  const Experiment experiment = read(R"(name: mixed
cases:
  - {topology: local, reshard: {tensor: [8], source: {mesh: [1], spec: [R]}, target: {mesh: [1], spec: [R]}}}
  - {topology: local, collective: {kind: all_reduce, bytes: [8, 16], group: [0, 1]}}
matrix:
  search: [search/grid, strategies/a.yaml]
  resharding: [resharding/send_recv, resharding/broadcast]
baselines:
  base: {resharding: resharding/send_recv}
)");
  // Two reshardings; two sizes.
  REQUIRE(experiment.cells.size() == 4);
  CHECK(experiment.cells[0].baselines == std::vector<std::string>{"base"});
  CHECK(experiment.cells[1].resharding.id == "resharding/broadcast");
  CHECK(experiment.cells[2].collective->bytes == 8);
  CHECK(cell_id(experiment.cells[2]) != cell_id(experiment.cells[3]));
}

TEST_CASE("what the matrix says once holds for baselines, too") {
  const Experiment experiment = read(R"(name: once
cases:
  - {topology: p3_8xlarge, model: {gpt: {preset: 1m}}, batch: {global: 8}, search: search/grid}
matrix:
  backend: simulate
  optimizer: {sgd: {}}
  schedule: [schedule/1f1b, schedule/gpipe]
baselines:
  base: {schedule: schedule/1f1b}
)");
  REQUIRE(experiment.cells.size() == 2);  // the baseline is one of the two
  CHECK(experiment.cells[0].baselines == std::vector<std::string>{"base"});
  for (const CellSpec& cell : experiment.cells) {
    CHECK(cell.backend == "simulate");
    CHECK(cell.optimizer.id == "sgd");
  }
}

TEST_CASE("a case of one communication has no model") {
  const std::string head =
      "name: x\ncases:\n  - topology: local\n    collective: {kind: "
      "all_reduce, bytes: 8, group: [0, 1]}\n";
  CHECK_THROWS_WITH(read(head + "    model: {gpt: {preset: 1m}}\n"),
                    Contains(":5") && Contains("has none"));
  CHECK_THROWS_WITH(read(head + "    batch: {global: 8}\n"), Contains("has none"));
  CHECK_THROWS_WITH(read(head + "    reshard: {tensor: [8], source: {mesh: [1], spec: [R]}, "
                                "target: {mesh: [1], spec: [R]}}\n"),
                    Contains("of one communication"));
}
