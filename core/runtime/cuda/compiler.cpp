// SPDX-License-Identifier: Apache-2.0
#include "runtime/cuda/compiler.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <string_view>
#include <utility>
#include <vector>

#include "rhino/error.hpp"
#include "runtime/cuda/library_choice.hpp"
#include "runtime/cuda/side_by_side.hpp"
#include "runtime/cuda/taken_out.hpp"

namespace rhino::runtime::cuda {
namespace {

/// sm_90a is the same GPU with instructions that no later one has: products by four warps.
constexpr int kWithGroups = 90;
constexpr const char* kStandard = "--std=c++17";

const char* contraction(const UnitSource& source) {
  return source.contracts || is_taken_out("fmad") ? "--fmad=true" : "--fmad=false";
}

}  // namespace

KernelLibrary::KernelLibrary(const Driver& driver, const std::string& code) : driver_(driver) {
  driver_.check(
      driver_->cuLibraryLoadData(&library_, code.data(), nullptr, nullptr, 0, nullptr, nullptr, 0),
      "loading kernels");
}

KernelLibrary::~KernelLibrary() { driver_->cuLibraryUnload(library_); }

CuFunction KernelLibrary::kernel(const std::string& name) const {
  CuKernel kernel = nullptr;
  driver_.check(driver_->cuLibraryGetKernel(&kernel, library_, name.c_str()),
                "finding kernel " + name);
  return reinterpret_cast<CuFunction>(kernel);  // the driver takes one for the other
}

Compiler::Compiler(const Driver& driver, std::string folder)
    : driver_(driver),
      api_(load_nvrtc(driver.version(), driver.architecture(), driver.name())),
      cache_(std::move(folder)) {}

void Compiler::check(NvrtcResult result, const std::string& what) const {
  if (result != 0) throw Error(what + " failed: " + api_.nvrtcGetErrorString(result));
}

std::unique_ptr<KernelLibrary> Compiler::compile(const UnitSource& source) const {
  return std::make_unique<KernelLibrary>(driver_, *code_of(source, false));
}

std::vector<std::shared_ptr<const KernelLibrary>> Compiler::compile(
    const std::vector<UnitSource>& sources, int num_threads,
    const std::function<void()>& moves_on) const {
  std::map<std::pair<std::string_view, bool>, std::size_t> numbers;
  std::vector<const UnitSource*> unlike;
  for (const UnitSource& source : sources) {
    const bool is_new = numbers.try_emplace({source.text, source.contracts}, unlike.size()).second;
    if (is_new) unlike.push_back(&source);
  }
  const auto code = [&](std::size_t i, bool waits) { return code_of(*unlike[i], waits); };
  const auto size = [&](std::size_t i) { return unlike[i]->text.size(); };
  std::vector<std::shared_ptr<const KernelLibrary>> made, libraries;
  for (const std::string& each : side_by_side(unlike.size(), num_threads, {code, size, moves_on}))
    made.push_back(std::make_shared<KernelLibrary>(driver_, each));
  for (const UnitSource& source : sources)
    libraries.push_back(made[numbers.at({source.text, source.contracts})]);
  return libraries;
}

Compiler::Target Compiler::target() const {
  int count = 0;
  check(api_.nvrtcGetNumSupportedArchs(&count), "asking NVRTC for architectures");
  std::vector<int> known(static_cast<std::size_t>(count));
  check(api_.nvrtcGetSupportedArchs(known.data()), "asking NVRTC for architectures");
  const int wanted = driver_.architecture();
  int nearest = 0;
  for (const int architecture : known) {
    if (architecture <= wanted) nearest = std::max(nearest, architecture);
  }
  const bool is_ptx = nearest != wanted;
  const char* own = !is_ptx && nearest == kWithGroups ? "a" : "";
  return {std::string("--gpu-architecture=") + (is_ptx ? "compute_" : "sm_") +
              std::to_string(nearest) + own,
          is_ptx};
}

std::optional<std::string> Compiler::code_of(const UnitSource& source, bool waits) const {
  const UnitSource unit{mutated(source.text), source.contracts};
  const Target target = this->target();
  int major = 0, minor = 0;
  check(api_.nvrtcVersion(&major, &minor), "asking NVRTC for its version");
  const std::string key = std::to_string(major) + "." + std::to_string(minor) + " " +
                          target.option + " " + kStandard + " " + contraction(unit) + "\n" +
                          unit.text;
  return cache_.code(key, waits, [&] { return compiled(unit, target); });
}

std::string Compiler::compiled(const UnitSource& source, const Target& target) const {
  NvrtcProgram program = nullptr;
  check(api_.nvrtcCreateProgram(&program, source.text.c_str(), "kernels.cu", 0, nullptr, nullptr),
        "giving kernels to NVRTC");
  const auto destroy = [&](NvrtcProgram* made) { api_.nvrtcDestroyProgram(made); };
  const std::unique_ptr<NvrtcProgram, decltype(destroy)> owner(&program, destroy);
  const std::array<const char*, 3> options{target.option.c_str(), kStandard, contraction(source)};
  const NvrtcResult result =
      api_.nvrtcCompileProgram(program, static_cast<int>(options.size()), options.data());
  std::size_t size = 0;
  if (result != 0) {
    check(api_.nvrtcGetProgramLogSize(program, &size), "reading NVRTC's log");
    std::string log(size, '\0');
    check(api_.nvrtcGetProgramLog(program, log.data()), "reading NVRTC's log");
    throw Error("NVRTC (" + api_.path + ") refuses kernels for " + driver_.name() + " (" +
                target.option + "): " + log.c_str());
  }
  const auto get_size = target.is_ptx ? api_.nvrtcGetPTXSize : api_.nvrtcGetCUBINSize;
  const auto get = target.is_ptx ? api_.nvrtcGetPTX : api_.nvrtcGetCUBIN;
  check(get_size(program, &size), "taking code from NVRTC");
  std::string code(size, '\0');
  check(get(program, code.data()), "taking code from NVRTC");
  return code;
}

}  // namespace rhino::runtime::cuda
