// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstring>
#include <string>
#include <vector>

#include "../common/faults.hpp"
#include "../common/ptx.hpp"
#include "../common/settings.hpp"
#include "compiler.hpp"
#include "contraction.hpp"
#include "entries.hpp"
#include "source.hpp"

struct FakeProgram {
  std::string source, name;
  fake::Unit unit;
  std::string log, cubin, ptx;
};

namespace fake {
namespace {

enum : int {
  kOk = 0,
  kCreationFailed = 2,
  kInvalidInput = 3,
  kInvalidProgram = 4,
  kInvalidOption = 5,
  kCompilation = 6
};

/// NVRTC 12.9's.
#ifdef RHINO_FAKE_NVRTC_13
constexpr int kMajor = 13, kMinor = 0;
#else
constexpr int kMajor = 12, kMinor = 9;
#endif
const std::vector<int> kArchitectures{
#ifndef RHINO_FAKE_NVRTC_13
    50, 52, 53, 60, 61, 62, 70,  72,
#endif
    75, 80, 86, 87, 89, 90, 100, 101, 103, 120, 121};

template <class Body>
int call(const char* entry, Body body) {
#define RHINO_FAKE_NAME(name, ...) #name,
  static auto* const faults = new Faults("nvrtc", {RHINO_FAKE_NVRTC(RHINO_FAKE_NAME)});
#undef RHINO_FAKE_NAME
  if (const auto code = faults->next(entry)) return *code;
  return body();
}

struct Options {
  int architecture = 52;                   // NVRTC's default
  bool is_virtual = true, is_own = false;  // sm_90a: as no other GPU is
  bool contracts = true;                   // what --fmad is by default
  std::vector<std::string> defines;
  std::string unknown;
};

bool take_architecture(const std::string& value, Options& options) {
  options.is_virtual = value.rfind("compute_", 0) == 0;
  if (!options.is_virtual && value.rfind("sm_", 0) != 0) return false;
  options.architecture = std::atoi(value.c_str() + value.find('_') + 1);
  options.is_own = value.back() == 'a';
  return std::find(kArchitectures.begin(), kArchitectures.end(), options.architecture) !=
         kArchitectures.end();
}

/// Options that change nothing here.
bool is_idle(const std::string& option) {
  static const std::vector<std::string> known{"--std=",
                                              "-std=",
                                              "--use_fast_math",
                                              "-use_fast_math",
                                              "--ptxas-options",
                                              "-lineinfo",
                                              "--generate-line-info",
                                              "--device-as-default-execution-space",
                                              "-default-device",
                                              "--restrict",
                                              "--maxrregcount",
                                              "--extra-device-vectorization",
                                              "--disable-warnings",
                                              "-w",
                                              "--ftz=",
                                              "--prec-div=",
                                              "--prec-sqrt=",
                                              "-G",
                                              "--device-debug",
                                              "--dopt",
                                              "--include-path=",
                                              "-I",
                                              "--diag-suppress",
                                              "--split-compile",
                                              "--minimal"};
  return std::any_of(known.begin(), known.end(),
                     [&](const std::string& k) { return option.compare(0, k.size(), k) == 0; });
}

Options parse(int count, const char* const* texts) {
  Options options;
  for (int i = 0; i < count && options.unknown.empty(); ++i) {
    std::string option = texts[i];
    for (const std::string prefix : {"--gpu-architecture", "-arch"}) {
      if (option == prefix && i + 1 < count) option += std::string("=") + texts[++i];
    }
    const std::size_t equals = option.find('=');
    const std::string key = option.substr(0, equals);
    if (key == "--gpu-architecture" || key == "-arch") {
      if (!take_architecture(option.substr(equals + 1), options)) options.unknown = option;
    } else if (key == "--fmad" || key == "-fmad") {
      options.contracts = option.substr(equals + 1) == "true";
    } else if (option.rfind("--define-macro=", 0) == 0) {
      options.defines.push_back("-D" + option.substr(equals + 1));
    } else if (option.rfind("-D", 0) == 0 || option.rfind("-U", 0) == 0) {
      options.defines.push_back(option);
    } else if (!is_idle(option)) {
      options.unknown = option;
    }
  }
  return options;
}

int compile_program(FakeProgram& program, const Options& options) {
  if (!options.unknown.empty()) {
    program.log =
        "nvrtc: error: invalid value for an option, or an unknown option: " + options.unknown +
        "\n";
    return kInvalidOption;
  }
  program.unit.defines = options.defines;
  program.unit.contracts = options.contracts;
  program.unit.text =
      host_unit(options.contracts ? with_drawn_contractions(program.source) : program.source,
                program.name, options.architecture, options.is_own);
  const Compiled made = compile(program.unit);
  program.log = made.log;
  if (!made.ok) return kCompilation;
  program.ptx = pack_ptx(made.library);
  program.cubin = options.is_virtual ? std::string() : made.library;
  return kOk;
}

/// `extra`: for the zero that ends a text.
int give(const std::string& text, char* out, std::size_t extra) {
  std::memcpy(out, text.c_str(), text.size() + extra);
  return kOk;
}

}  // namespace
}  // namespace fake

using namespace fake;

#pragma GCC visibility push(default)
extern "C" {

// A definition of another type is an error.
#define RHINO_FAKE_DECLARE(name, ...) fake::declared::name name;
RHINO_FAKE_NVRTC(RHINO_FAKE_DECLARE)
#undef RHINO_FAKE_DECLARE

const char* fake_nvrtc_entries() {
#define RHINO_FAKE_LINE(name, ...) #name "\n"
  return RHINO_FAKE_NVRTC(RHINO_FAKE_LINE);
#undef RHINO_FAKE_LINE
}

const char* nvrtcGetErrorString(int code) {
  static const char* const names[] = {"NVRTC_SUCCESS",
                                      "NVRTC_ERROR_OUT_OF_MEMORY",
                                      "NVRTC_ERROR_PROGRAM_CREATION_FAILURE",
                                      "NVRTC_ERROR_INVALID_INPUT",
                                      "NVRTC_ERROR_INVALID_PROGRAM",
                                      "NVRTC_ERROR_INVALID_OPTION",
                                      "NVRTC_ERROR_COMPILATION"};
  return code >= 0 && code < 7 ? names[code] : "NVRTC_ERROR unknown";
}

int nvrtcVersion(int* major, int* minor) {
  return call(__func__, [&] {
    *major = kMajor;
    *minor = kMinor;
    return kOk;
  });
}

int nvrtcGetNumSupportedArchs(int* count) {
  return call(__func__, [&] {
    *count = static_cast<int>(kArchitectures.size());
    return kOk;
  });
}

int nvrtcGetSupportedArchs(int* architectures) {
  return call(__func__, [&] {
    std::copy(kArchitectures.begin(), kArchitectures.end(), architectures);
    return kOk;
  });
}

int nvrtcCreateProgram(FakeProgram** program, const char* source, const char* name, int num_headers,
                       const char* const* headers, const char* const* names) {
  return call(__func__, [&]() -> int {
    if (!program || !source || num_headers < 0) return kInvalidInput;
    *program = new FakeProgram{source, name ? name : "default_program", {}, {}, {}, {}};
    for (int i = 0; i < num_headers; ++i)
      (*program)->unit.headers.emplace_back(names[i], headers[i]);
    return kOk;
  });
}

int nvrtcDestroyProgram(FakeProgram** program) {
  return call(__func__, [&]() -> int {
    if (!program || !*program) return kInvalidProgram;
    delete *program;
    *program = nullptr;
    return kOk;
  });
}

int nvrtcCompileProgram(FakeProgram* program, int count, const char* const* options) {
  return call(__func__, [&]() -> int {
    return program ? compile_program(*program, parse(count, options)) : kInvalidProgram;
  });
}

int nvrtcGetProgramLogSize(FakeProgram* program, std::size_t* size) {
  return call(__func__, [&] {
    *size = program->log.size() + 1;
    return kOk;
  });
}

int nvrtcGetProgramLog(FakeProgram* program, char* out) {
  return call(__func__, [&] { return give(program->log, out, 1); });
}

int nvrtcGetCUBINSize(FakeProgram* program, std::size_t* size) {
  return call(__func__, [&] {
    *size = program->cubin.size();
    return kOk;
  });
}

int nvrtcGetCUBIN(FakeProgram* program, char* out) {
  return call(__func__, [&] { return give(program->cubin, out, 0); });
}

int nvrtcGetPTXSize(FakeProgram* program, std::size_t* size) {
  return call(__func__, [&] {
    *size = program->ptx.size() + 1;
    return kOk;
  });
}

int nvrtcGetPTX(FakeProgram* program, char* out) {
  return call(__func__, [&] { return give(program->ptx, out, 1); });
}
}
#pragma GCC visibility pop
