// SPDX-License-Identifier: Apache-2.0
// Each entry point of each fake library is there, and fails or hangs when it is told to.
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <catch2/catch.hpp>
#include <sstream>

#include "child.hpp"
#include "library.hpp"

using fake_test::in_child;
using fake_test::Outcome;

namespace {

struct Listed {
  const char* library;
  const char* list;
  std::vector<std::string> without_code;  // what returns a text or a size
};

const std::vector<Listed> kLibraries{
    {"libcuda.so.1", "fake_driver_entries", {}},
    {"libnvrtc.so.12", "fake_nvrtc_entries", {"nvrtcGetErrorString"}},
    {"libnccl.so.2", "fake_nccl_entries", {"ncclGetErrorString", "ncclGetLastError"}},
    {"libcublasLt.so.12",
     "fake_cublaslt_entries",
     {"cublasLtGetVersion", "cublasLtGetStatusString"}},
    {"libcudnn.so.9",
     "fake_cudnn_entries",
     {"cudnnGetVersion", "cudnnGetCudartVersion", "cudnnGetErrorString"}},
};

/// Room for the arguments of any entry point, one of 128 bytes among them. All zero: a fault comes
/// before they are looked at.
using Any = int(long, long, long, long, long, long, long, long, long, long, long, long, long, long,
                long, long, long, long, long, long, long, long);
int call(Any* f) { return f(0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0); }

std::vector<std::string> entries(const Listed& l) {
  const fake_test::Opened library(l.library);
  std::istringstream in(library.find<const char*()>(l.list)());
  std::vector<std::string> names;
  for (std::string name; in >> name;) names.push_back(name);
  return names;
}

}  // namespace

TEST_CASE(
    "every entry point fails at the call that was asked for, with the code that was asked for") {
  std::size_t count = 0;
  for (const Listed& l : kLibraries) {
    for (const std::string& name : entries(l)) {
      if (std::find(l.without_code.begin(), l.without_code.end(), name) != l.without_code.end())
        continue;
      ++count;
      const Outcome o = in_child({{"FAKE_CUDA_FAIL", "cuInit:9:1," + name + ":1:77"}}, [&] {
        const fake_test::Opened library(l.library);
        return std::to_string(call(library.find<Any>(name.c_str())));
      });
      INFO(name << ": " << o.said);
      CHECK(o.result == "77");
      CHECK(o.said.find("fault on demand: " + name) != std::string::npos);
    }
  }
  CHECK(count > 120);
}

TEST_CASE("only that call fails, and what follows goes on") {
  const Outcome o = in_child({{"FAKE_CUDA_FAIL", "cuMemAlloc_v2:3:2"}}, [] {
    const fake_test::Machine m;
    std::string codes;
    for (int i = 0; i < 5; ++i) {
      fake::DevicePtr at = 0;
      codes += std::to_string(m.cuMemAlloc_v2(&at, 4));
    }
    return codes;
  });
  CHECK(o.result == "00200");
}

TEST_CASE("an operation that fails is the answer of all later calls") {
  const Outcome o =
      in_child({{"FAKE_CUDA_FAIL", "operation:2:719"}, {"FAKE_CUDA_ORDER", "late"}}, [] {
        const fake_test::Machine m;
        const fake::DevicePtr at = m.allocate(64);
        std::string codes;
        for (int i = 0; i < 2; ++i)
          codes += std::to_string(m.cuMemsetD8Async(at, 0, 64, m.a)) + " ";
        codes += std::to_string(m.cuStreamSynchronize(m.a)) + " ";
        fake::DevicePtr more = 0;
        return codes + std::to_string(m.cuMemAlloc_v2(&more, 4)) + " " +
               std::to_string(m.cuStreamSynchronize(m.b));
      });
  CHECK(o.result == "0 0 719 719 719");
  CHECK(o.said.find("memset fails on demand") != std::string::npos);
}

TEST_CASE("a call can hang") {
  const Outcome o = in_child({{"FAKE_CUDA_FAIL", "cuInit:1:hang"}}, [] {
    alarm(1);
    const fake_test::Machine m;
    return std::string("returned");
  });
  CHECK(WIFSIGNALED(o.status));
  CHECK(WTERMSIG(o.status) == SIGALRM);
}

TEST_CASE("settings that mean nothing are refused in a sentence") {
  struct Case {
    const char *name, *value, *sentence;
  };
  for (const Case& c :
       {Case{"FAKE_CUDA_FAIL", "cuMemAllocate:1:2", "there is no entry point 'cuMemAllocate'"},
        Case{"FAKE_CUDA_FAIL", "cuInit:first:2", "is not name:call:code"},
        Case{"FAKE_CUDA_ORDER", "sometimes", "is none of early, late, random"},
        Case{"FAKE_CUDA_SEED", "x", "is no whole number"}}) {
    const Outcome o = in_child({{c.name, c.value}}, [] {
      const fake_test::Machine m;
      return std::string("went on");
    });
    INFO(o.said);
    CHECK(WEXITSTATUS(o.status) == 2);
    CHECK(o.said.find(c.sentence) != std::string::npos);
  }
}
