// SPDX-License-Identifier: Apache-2.0
#include "summary.hpp"

#include <algorithm>
#include <cstdarg>
#include <cstdio>
#include <functional>
#include <regex>

#include "codec/fingerprint.hpp"
#include "runtime/cuda/op_source.hpp"

namespace rhino::test {
namespace {

/// 65536 of a multiprocessor for a block of 256 threads, as __launch_bounds__ says.
constexpr int kMaxRegisters = 255;
constexpr int kMaxSharedBytes = 48 << 10;
constexpr std::size_t kHeaviest = 10;

[[gnu::format(printf, 1, 2)]] std::string format(const char* text, ...) {
  char line[512];
  va_list arguments;
  va_start(arguments, text);
  std::vsnprintf(line, sizeof line, text, arguments);
  va_end(arguments);
  return line;
}

/// CUDA's sine and cosine keep what large angles are reduced with.
constexpr int kStackOfSine = 32;
bool calls_sine(const std::string& text) {
  return text.find("op_sine") != std::string::npos || text.find("op_cosine") != std::string::npos;
}

/// Which kernel it is, for a person: its program, and its text's fingerprint.
std::string name_of(const CompiledText& kernel) {
  return kernel.counted.kind + " of " + kernel.counted.program + " (" +
         codec::fingerprint(kernel.text).substr(0, 8) + ")";
}

/// "16: 12, 2: 3": accesses by their bytes, most bytes first.
std::string accesses_of(const std::map<int, int>& accesses) {
  std::string text;
  for (auto entry = accesses.rbegin(); entry != accesses.rend(); ++entry)
    text += (text.empty() ? "" : ", ") + format("%d B: %d", entry->first, entry->second);
  return text;
}

/// The kind that a kernel is counted under: of attention also by what its tiles are of.
std::string row_of(const CompiledText& kernel) {
  static const std::regex tiles("\\w+<(\\w+), (?:[A-Z]\\w*, )?\\d+, (\\d+), [^()<>]*\\bRow>");
  std::smatch found;
  if (kernel.counted.kind != runtime::cuda::kAttentionKind ||
      !std::regex_search(kernel.text, found, tiles))
    return kernel.counted.kind;
  return format("%s, %s deep of %s", kernel.counted.kind.c_str(), found.str(2).c_str(),
                found.str(1).c_str());
}

struct Row {
  std::vector<int> registers;
  int shared = 0, spills = 0, stacks = 0;
  std::map<int, int> accesses;
  void add(const CompiledKernel& kernel) {
    registers.push_back(kernel.registers);
    shared = std::max(shared, kernel.shared_bytes);
    spills += kernel.spilled_bytes > 0;
    stacks += kernel.stack_bytes > 0;
    for (const auto& [bytes, count] : kernel.accesses) accesses[bytes] += count;
  }
};

}  // namespace

std::string summary_head(const Census& census, std::size_t num_unlike, std::size_t every,
                         const std::string& compiler_version) {
  std::string text =
      format("%zu kernels, %zu of them unlike but for numbers, fingerprint %s, NVRTC %s\n",
             census.size(), num_unlike, fingerprint_of(census).c_str(), compiler_version.c_str());
  if (every > 1) text += format("Of the unlike ones every %zu-th was compiled.\n", every);
  return text +
         "Accesses: instructions of global memory by their bytes, as they stand in the code.\n";
}

std::string summary_of(const CompiledCensus& kernels, int architecture) {
  std::map<std::string, Row> rows;
  for (const CompiledText& kernel : kernels) rows[row_of(kernel)].add(kernel.compiled);
  std::string text =
      format("\nsm_%d\n%-28s %7s %9s %5s %7s %6s %6s  %s\n", architecture, "kind", "kernels",
             "registers", "most", "shared", "spills", "stacks", "accesses");
  for (auto& [kind, row] : rows) {
    std::ranges::sort(row.registers);
    text += format("%-28s %7zu %9d %5d %7d %6d %6d  %s\n", kind.c_str(), row.registers.size(),
                   row.registers[row.registers.size() / 2], row.registers.back(), row.shared,
                   row.spills, row.stacks, accesses_of(row.accesses).c_str());
  }
  std::vector<const CompiledText*> order;
  for (const CompiledText& kernel : kernels) order.push_back(&kernel);
  std::ranges::stable_sort(order, std::greater{},
                           [](const CompiledText* kernel) { return kernel->compiled.registers; });
  order.resize(std::min(order.size(), kHeaviest));
  text += "heaviest\n";
  for (const CompiledText* kernel : order) {
    text += format("  %-56s %3d registers, %5d bytes shared, %s\n", name_of(*kernel).c_str(),
                   kernel->compiled.registers, kernel->compiled.shared_bytes,
                   accesses_of(kernel->compiled.accesses).c_str());
  }
  for (const CompiledText& kernel : kernels) {
    if (kernel.compiled.spilled_bytes > 0)
      text += format("spills   %-56s %3d bytes\n", name_of(kernel).c_str(),
                     kernel.compiled.spilled_bytes);
  }
  return text;
}

std::vector<std::string> faults_of(const CompiledCensus& kernels) {
  std::vector<std::string> faults;
  for (const CompiledText& kernel : kernels) {
    const auto tell = [&](const char* what, int count) {
      faults.push_back(name_of(kernel) + format(": %d %s", count, what));
    };
    const CompiledKernel& made = kernel.compiled;
    if (made.spilled_bytes > 0) tell("bytes are spilled", made.spilled_bytes);
    if (made.stack_bytes > (calls_sine(kernel.text) ? kStackOfSine : 0))
      tell("bytes of stack", made.stack_bytes);
    if (made.overwrites_fragments)
      faults.push_back(name_of(kernel) +
                       ": ptxas overwrites fragments of a product that come again");
    if (made.registers > kMaxRegisters) tell("registers", made.registers);
    if (made.shared_bytes > kMaxSharedBytes) tell("bytes of shared memory", made.shared_bytes);
  }
  return faults;
}

}  // namespace rhino::test
