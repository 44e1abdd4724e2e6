// SPDX-License-Identifier: Apache-2.0
#include <benchmark/benchmark.h>

#include <filesystem>
#include <fstream>
#include <iterator>

#include "ir/canonical.hpp"
#include "ir/hlo_text.hpp"

/// Bytes per second in which texts of programs are read, calls inlined and loops unrolled; and what
/// their canonical form takes beside. RHINO_TEXTS=FOLDER takes the texts there, too.
namespace rhino {
namespace {

struct Text {
  std::string text, name;
  bool is_hlo;

  Program parse() const {
    return is_hlo ? ir::parse_hlo(text, name) : ir::parse_stablehlo(text, name);
  }
};

void read(benchmark::State& state, const Text& text) {
  std::int64_t num_ops = 0;
  for (auto _ : state) num_ops = text.parse().size();
  state.SetBytesProcessed(static_cast<std::int64_t>(state.iterations() * text.text.size()));
  state.counters["ops"] = static_cast<double>(num_ops);
  // Unrolled loops and random bits make many ops of few bytes.
  state.counters["ops_per_second"] = benchmark::Counter(
      static_cast<double>(num_ops), benchmark::Counter::kIsIterationInvariantRate);
  state.counters["bytes"] = static_cast<double>(text.text.size());
}

void simplify(benchmark::State& state, const Text& text) {
  const Program program = text.parse();
  for (auto _ : state) benchmark::DoNotOptimize(ir::canonical(program));
  state.SetBytesProcessed(static_cast<std::int64_t>(state.iterations() * text.text.size()));
}

void add_texts(const std::filesystem::path& folder) {
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    const std::string name = entry.path().filename();
    const bool is_hlo = name.ends_with(".hlo.txt");
    if (!is_hlo && !name.ends_with(".mlir")) continue;
    std::ifstream file(entry.path(), std::ios::binary);
    const Text text{{std::istreambuf_iterator<char>(file), {}}, name, is_hlo};
    benchmark::RegisterBenchmark(("read/" + name).c_str(), read, text);
    benchmark::RegisterBenchmark(("canonical/" + name).c_str(), simplify, text);
  }
}

}  // namespace
}  // namespace rhino

int main(int argc, char** argv) {
  rhino::add_texts(RHINO_TEXTS_OF_TESTS);
  if (const char* more = std::getenv("RHINO_TEXTS")) rhino::add_texts(more);
  benchmark::Initialize(&argc, argv);
  benchmark::RunSpecifiedBenchmarks();
}
