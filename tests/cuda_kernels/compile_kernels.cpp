// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <string>
#include <utility>
#include <vector>

#include "census.hpp"
#include "codec/fingerprint.hpp"
#include "compilation.hpp"
#include "summary.hpp"
#include "wide_accesses.hpp"

// Compiles every unlike kernel with the real NVRTC and prints the summary that is committed, or
// compiles every n-th alone, or for one architecture: compile_kernels [EVERY [ARCHITECTURE]];
// compile_kernels --kind KIND compiles those of
// one kind, --show FINGERPRINT prints the text of one that the summary or a fault names. Fails
// where a kernel spills, needs a stack or more than a block has. Exit code 77: no NVRTC.

namespace {

using namespace rhino::test;

constexpr int kSkipped = 77;
constexpr std::size_t kKernelsPerUnit = 32;
constexpr int kArchitectures[] = {70, 80, 90, 100};

struct Compiled {
  CompiledCensus kernels;
  std::vector<std::string> faults;
};

/// Every n-th kernel of `census`, compiled for one architecture.
Compiled compile(const RealCompiler& compiler, const Census& census, std::size_t every,
                 int architecture) {
  Compiled result;
  std::map<bool, std::map<std::string, NamedText>> units;  // that contract, and that do not
  std::map<std::string, const CountedKernel*> counted;
  const auto flush = [&](std::map<std::string, NamedText>& unit) {
    if (unit.empty()) return;
    for (auto& [name, kernel] : compiler.compile(unit, architecture, result.faults))
      result.kernels.push_back({*counted.at(name), unit.at(name).text, kernel});
    unit.clear();
  };
  std::size_t number = 0;
  for (const auto& [text, kernel] : census) {
    if (number++ % every != 0) continue;
    const std::string name = "kernel_" + std::to_string(number);
    std::map<std::string, NamedText>& unit = units[rhino::runtime::cuda::contracts(kernel.kind)];
    unit[name] = {text, kernel.kind, kernel.at_once};
    counted[name] = &kernel;
    if (unit.size() == kKernelsPerUnit) flush(unit);
  }
  for (auto& [contracts, unit] : units) flush(unit);
  for (std::string& fault : narrow_accesses(compiler, architecture))
    result.faults.push_back(std::move(fault));
  for (std::string& fault : faults_of(result.kernels)) result.faults.push_back(std::move(fault));
  return result;
}

/// `kind`, `architecture`: alone; empty, 0: all.
int run(std::size_t every, const std::string& kind, int only = 0) {
  const std::string path = nvrtc_path();
  if (path.empty()) {
    std::fprintf(stderr,
                 "skipped: no NVRTC in /usr/local/cuda/lib64, and RHINO_NVRTC names none\n");
    return kSkipped;
  }
  const RealCompiler compiler(path);
  Census all = take_census();
  std::erase_if(all, [&](const auto& entry) { return !kind.empty() && entry.second.kind != kind; });
  const Census census = without_likes(all);
  std::printf("%s", summary_head(all, census.size(), every, compiler.version()).c_str());
  if (disassembler().empty())
    std::fprintf(stderr, "no cuobjdump in PATH or RHINO_CUOBJDUMP: accesses are not counted\n");
  int faults = 0;
  for (int architecture : kArchitectures) {
    if (!compiler.knows(architecture) || (only != 0 && architecture != only)) continue;
    const Compiled compiled = compile(compiler, census, every, architecture);
    std::printf("%s", summary_of(compiled.kernels, architecture).c_str());
    std::fflush(stdout);
    for (const std::string& fault : compiled.faults) {
      std::fprintf(stderr, "sm_%d: %s\n", architecture, fault.c_str());
      ++faults;
    }
  }
  return faults == 0 ? 0 : 1;
}

int show(const std::string& fingerprint) {
  for (const auto& [text, kernel] : take_census()) {
    if (!rhino::codec::fingerprint(text).starts_with(fingerprint)) continue;
    std::printf("%s of %s\n%s", kernel.kind.c_str(), kernel.program.c_str(), text.c_str());
    return 0;
  }
  std::fprintf(stderr, "no kernel has the fingerprint %s\n", fingerprint.c_str());
  return 1;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    if (argc == 3 && std::string(argv[1]) == "--show") return show(argv[2]);
    if (argc == 3 && std::string(argv[1]) == "--kind") return run(1, argv[2]);
    return run(argc > 1 ? static_cast<std::size_t>(std::atoi(argv[1])) : 1, "",
               argc > 2 ? std::atoi(argv[2]) : 0);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
}
