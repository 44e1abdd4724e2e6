// SPDX-License-Identifier: Apache-2.0
#include "compilation.hpp"

#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <regex>
#include <set>
#include <sstream>
#include <utility>

#include "rhino/error.hpp"
#include "runtime/cuda/kernel_unit.hpp"

namespace rhino::test {
namespace {

using Kernels = std::map<std::string, CompiledKernel>;
constexpr std::size_t kShownOfWarning = 160;

std::string setting(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? "" : value;
}

/// Lines of ptxas: "Compiling entry function 'kernel_0'", "0 bytes stack frame, 0 bytes spill
/// stores, 0 bytes spill loads", "Used 14 registers, used 1 barriers, 132 bytes smem".
void read_log(const std::string& log, Kernels& kernels) {
  static const std::regex kEntry("Compiling entry function '(\\w+)'");
  static const std::regex kStack(
      "(\\d+) bytes stack frame, (\\d+) bytes spill stores, (\\d+) bytes spill loads");
  static const std::regex kRegisters("Used (\\d+) registers"), kShared("(\\d+) bytes smem");
  std::istringstream lines(log);
  std::smatch found;
  CompiledKernel* kernel = nullptr;
  for (std::string line; std::getline(lines, line);) {
    if (std::regex_search(line, found, kEntry)) kernel = &kernels[found[1]];
    if (kernel == nullptr) continue;
    if (std::regex_search(line, found, kStack)) {
      kernel->stack_bytes = std::stoi(found[1]);
      kernel->spilled_bytes = std::stoi(found[2]) + std::stoi(found[3]);
    }
    if (std::regex_search(line, found, kRegisters)) kernel->registers = std::stoi(found[1]);
    if (std::regex_search(line, found, kShared)) kernel->shared_bytes = std::stoi(found[1]);
  }
}

/// The first one, from there on; none of that of an architecture which NVRTC will give up.
std::string warning_of(const std::string& log) {
  constexpr const char* kOldArchitecture = "Architectures prior to";
  for (std::size_t at = log.find("warning"); at != std::string::npos;
       at = log.find("warning", at + 1)) {
    const std::string line = log.substr(at, log.find('\n', at) - at);
    if (line.find(kOldArchitecture) == std::string::npos) return log.substr(at, kShownOfWarning);
  }
  return {};
}

/// Of "LDG.E.128.CONSTANT" the 16.
int bytes_of_access(const std::string& modifiers) {
  if (modifiers.find(".128") != std::string::npos) return 16;
  if (modifiers.find(".64") != std::string::npos) return 8;
  if (std::regex_search(modifiers, std::regex("\\.[US]8"))) return 1;
  if (std::regex_search(modifiers, std::regex("\\.[US]16"))) return 2;
  return 4;
}

/// Instructions of a kernel that multiply in groups: what they read and what is written meanwhile.
class Fragments {
 public:
  void add(const std::string& instruction) {
    static const std::regex kProduct("HGMMA\\S* R\\d+, R(\\d+), gdesc\\[\\w+\\](\\.tnspB)?"),
        kResult("\\*/\\s+(?:@!?U?P\\d+\\s+)?([A-Z][A-Z0-9_.]*) (?:P\\w+, )?R(\\d+)(.*)");
    std::smatch found;
    if (std::regex_search(instruction, found, kProduct)) {
      begun_ = true;
      const int first = std::stoi(found[1]);
      if (!found[2].matched) lasting_.insert(first);
      written_.merge(std::exchange(since_, {}));
    } else if (begun_ && std::regex_search(instruction, found, kResult)) {
      // What is there already goes on: renew().
      const bool renews = found[1].str().rfind("LOP3", 0) == 0 &&
                          found[3].str().rfind(", R" + found[2].str() + ",", 0) == 0;
      if (!renews) since_.insert(std::stoi(found[2]));
    }
  }
  bool are_overwritten() const {
    constexpr int kRegisters = 4;
    return std::ranges::any_of(written_, [&](int written) {
      const auto above = lasting_.upper_bound(written);
      return above != lasting_.begin() && *std::prev(above) + kRegisters > written;
    });
  }

 private:
  bool begun_ = false;
  std::set<int> lasting_, written_, since_;  ///< the first of four; between products; behind them
};

void read_code(const std::string& command, const std::string& code, Kernels& kernels) {
  const std::filesystem::path file = std::filesystem::temp_directory_path() /
                                     ("rhino_kernels_" + std::to_string(::getpid()) + ".cubin");
  std::ofstream(file, std::ios::binary) << code;
  std::FILE* pipe = ::popen((command + " -sass " + file.string()).c_str(), "r");
  if (pipe == nullptr) throw Error("cannot run " + command);
  static const std::regex kFunction("Function : (\\w+)"),
      kAccess("\\b(?:LDGSTS|LDG|STG)((?:\\.\\w+)*)\\s");
  CompiledKernel* kernel = nullptr;
  std::map<CompiledKernel*, Fragments> fragments;
  char* line = nullptr;
  std::size_t size = 0;
  std::smatch found;
  while (::getline(&line, &size, pipe) >= 0) {
    const std::string text = line;
    if (std::regex_search(text, found, kFunction)) kernel = &kernels[found[1]];
    if (kernel != nullptr && std::regex_search(text, found, kAccess))
      ++kernel->accesses[bytes_of_access(found[1])];
    if (kernel != nullptr) fragments[kernel].add(text);
  }
  for (const auto& [of, all] : fragments) of->overwrites_fragments = all.are_overwritten();
  std::free(line);
  const int status = ::pclose(pipe);
  std::filesystem::remove(file);
  if (status != 0) throw Error(command + " failed");
}

runtime::cuda::NvrtcApi load(const std::string& path) {
  return runtime::cuda::load_table<runtime::cuda::NvrtcApi>({path.c_str()}, "NVRTC");
}

}  // namespace

std::string nvrtc_path() {
  if (const std::string path = setting("RHINO_NVRTC"); !path.empty()) return path;
  for (const char* path :
       {"/usr/local/cuda/lib64/libnvrtc.so.13", "/usr/local/cuda/lib64/libnvrtc.so.12"}) {
    if (std::filesystem::exists(path)) return path;
  }
  return {};
}

std::string disassembler() {
  if (const std::string path = setting("RHINO_CUOBJDUMP"); !path.empty()) return path;
  std::istringstream folders(setting("PATH"));
  for (std::string folder; std::getline(folders, folder, ':');) {
    const std::filesystem::path path = std::filesystem::path(folder) / "cuobjdump";
    if (std::filesystem::exists(path)) return path;
  }
  return {};
}

RealCompiler::RealCompiler(const std::string& path)
    : api_(load(path)), disassembler_(disassembler()) {}

std::string RealCompiler::version() const {
  int major = 0, minor = 0;
  api_.nvrtcVersion(&major, &minor);
  return std::to_string(major) + "." + std::to_string(minor);
}

bool RealCompiler::knows(int architecture) const {
  int count = 0;
  api_.nvrtcGetNumSupportedArchs(&count);
  std::vector<int> known(static_cast<std::size_t>(count));
  api_.nvrtcGetSupportedArchs(known.data());
  return std::ranges::find(known, architecture) != known.end();
}

Kernels RealCompiler::compile(const std::map<std::string, NamedText>& kernels, int architecture,
                              std::vector<std::string>& warnings) const {
  std::string source =
      runtime::cuda::unit_prelude(std::ranges::any_of(kernels, [](const auto& kernel) {
        return kernel.second.kind == runtime::cuda::kAttentionKind;
      }));
  for (const auto& [name, kernel] : kernels)
    source += runtime::cuda::kernel_source(name, kernel.text, kernel.kind, kernel.at_once);
  runtime::cuda::NvrtcProgram program = nullptr;
  if (api_.nvrtcCreateProgram(&program, source.c_str(), "kernels.cu", 0, nullptr, nullptr) != 0)
    throw Error("NVRTC takes no source");
  const std::string target =
      "--gpu-architecture=sm_" + std::to_string(architecture) + (architecture == 90 ? "a" : "");
  const bool contracts = runtime::cuda::contracts(kernels.begin()->second.kind);
  const char* options[] = {target.c_str(), "--std=c++17", "--ptxas-options=-v",
                           contracts ? "--fmad=true" : "--fmad=false"};
  const int result = api_.nvrtcCompileProgram(program, 4, options);
  std::size_t size = 0;
  api_.nvrtcGetProgramLogSize(program, &size);
  std::string log(size, '\0');
  api_.nvrtcGetProgramLog(program, log.data());
  if (result != 0) throw Error("NVRTC refuses kernels for " + target + ": " + log);
  if (const std::string warning = warning_of(log); !warning.empty()) warnings.push_back(warning);
  Kernels compiled;
  read_log(log, compiled);
  if (!disassembler_.empty()) {
    api_.nvrtcGetCUBINSize(program, &size);
    std::string code(size, '\0');
    api_.nvrtcGetCUBIN(program, code.data());
    read_code(disassembler_, code, compiled);
  }
  api_.nvrtcDestroyProgram(&program);
  if (compiled.size() != kernels.size())
    throw Error("NVRTC tells of " + std::to_string(compiled.size()) + " kernels of " +
                std::to_string(kernels.size()));
  return compiled;
}

}  // namespace rhino::test
