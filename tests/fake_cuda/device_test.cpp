// SPDX-License-Identifier: Apache-2.0
// What kernels compute, and each class of mistakes that the fake device is to catch.
#include <sys/wait.h>

#include <catch2/catch.hpp>
#include <csignal>
#include <cstring>

#include "bench.hpp"
#include "child.hpp"

using fake::DevicePtr;
using fake_test::Bench;
using fake_test::check;
using fake_test::code;
using fake_test::in_child;
using fake_test::kCount;
using fake_test::Machine;
using fake_test::Outcome;
using fake_test::Settings;

namespace {

const std::vector<std::string> kOrders{"early", "late", "random"};
const Settings kChecked{{"FAKE_CUDA_CHECKED", "1"}};

/// The code that a kernel on x ends with, and what was said.
Outcome ends(const char* name, unsigned blocks, unsigned threads, const Settings& settings,
             unsigned shared = 0, int argument = kCount) {
  return in_child(settings, [=] {
    Bench m;
    int n = argument;
    return code(m.run(name, blocks, threads, {&m.x, &n}, shared));
  });
}

}  // namespace

TEST_CASE("kernels compute what their threads do, checked or not, in every order") {
  for (const std::string& order : kOrders) {
    for (const char* checked : {"0", "1"}) {
      const Outcome o = in_child({{"FAKE_CUDA_ORDER", order}, {"FAKE_CUDA_CHECKED", checked}}, [] {
        Bench m;
        check(m.run("reverse", 1, 128, {&m.x}));
        int over = 0;
        check(m.run("dynamic", 1, 128, {&m.x, &over}, 512));
        check(m.run("warp_sums", 1, 64, {&m.x}));
        auto f = m.read<float>(m.x, 128);
        if (f[0] != 496 || f[31] != 496 || f[32] != 1520 || f[64] != 64)
          return std::string("wrong sums");
        check(m.run("copy4", 3, 64, {&m.y, &m.x, &m.n}));
        if (m.read<float>(m.x, kCount) != m.host) return std::string("wrong copy");
        struct {
          long long s[6];
          int k;
        } big{{1, 2, 3, 4, 5, 6}, 10};
        int q = 7;
        check(m.run("by_value", 1, 32, {&m.x, &big, &q}));
        if (m.read<float>(m.x, 6) != std::vector<float>{17, 27, 37, 47, 57, 67})
          return std::string("wrong by value");
        check(m.run("through_warp", 1, 64, {&m.x}));
        if (m.read<int>(m.x, 2) != std::vector<int>{1, 0}) return std::string("wrong through warp");
        check(m.run("bytes", 1, 256, {&m.x}));
        if (m.read<unsigned char>(m.x, 256)[255] != 255) return std::string("wrong bytes");
        check(m.cuMemsetD32Async(m.x, 0, 8, m.a));
        DevicePtr f2 = m.x + 16;
        check(m.run("count", 5, 100, {&m.x, &f2}));
        if (m.read<int>(m.x, 2) != std::vector<int>{500, 499} || m.read<float>(f2, 1)[0] != 250)
          return std::string("wrong count");
        return std::string("right");
      });
      INFO(order << " " << checked << " " << o.said);
      CHECK(o.result == "right");
    }
  }
}

TEST_CASE("operations of a warp with partial masks are those of their lanes") {
  for (const char* seed : {"1", "2", "3"}) {
    const Outcome o = in_child({{"FAKE_CUDA_SEED", seed}, {"FAKE_CUDA_CHECKED", "1"}}, [] {
      Bench m;
      check(m.run("partial", 1, 32, {&m.x}));
      const auto v = m.read<int>(m.x, 96);
      for (int lane = 0; lane < 32; ++lane) {
        const int shuffled = lane < 7 ? (lane + 1) * 10 : lane >= 10 ? lane - 2 : -2;
        // Lanes 7, 8 and 9 read what is outside their mask: undefined.
        if (shuffled != -2 && v[lane] != shuffled) return "lane " + std::to_string(lane);
        if (v[32 + lane] != (lane < 8 ? 28 : static_cast<int>(0xaaaaaa00u)))
          return "vote " + std::to_string(lane);
        if (v[64 + lane] != lane / 8 * 8 + 3) return "width " + std::to_string(lane);
      }
      return std::string("right");
    });
    INFO(o.said);
    CHECK(o.result == "right");
  }
}

TEST_CASE("mistakes of warps and blocks are said") {
  struct Case {
    const char* kernel;
    unsigned threads;
    int code;
    const char* sentence;
  };
  for (const Case& c :
       {Case{"kinds_differ", 32, fake::kIllegalState, "different warp operations"},
        Case{"masks_differ", 32, fake::kLaunchTimeout, "16 at a warp operation"},
        Case{"lane_left", 32, fake::kLaunchTimeout, "31 at a warp operation"},
        Case{"divergent", 64, fake::kLaunchTimeout, "16 threads wait at __syncthreads"},
        Case{"warp_sums", 48, fake::kLaunchTimeout, "at a warp operation"}}) {
    const Outcome o = ends(c.kernel, 1, c.threads, {});
    INFO(c.kernel << ": " << o.said);
    CHECK(o.result == code(c.code));
    CHECK(o.said.find(c.sentence) != std::string::npos);
  }
}

TEST_CASE("checked mode says what a kernel does to memory that it may not") {
  struct Case {
    const char* kernel;
    unsigned blocks, threads, shared;
    int argument, code;
    const char* sentence;
  };
  for (const Case& c :
       {Case{"off_by_one", 4, 128, 0, kCount, fake::kIllegalAddress, "past"},
        Case{"misaligned", 1, 32, 0, 0, fake::kMisalignedAddress, "misaligned"},
        Case{"blocks_race", 4, 32, 0, 0, fake::kUnknown,
             "write is not ordered after the write by blocks_race"},
        Case{"all_read_one_writes", 1, 64, 0, 0, fake::kUnknown, "not ordered after the"},
        Case{"reverse_without_barrier", 1, 128, 0, 0, fake::kUnknown, "shared memory"},
        Case{"unwritten_shared", 1, 64, 0, 0, fake::kUnknown, "nothing wrote"},
        Case{"dynamic", 1, 128, 512, 1, fake::kIllegalAddress,
             "past the 512 bytes of the launch"}}) {
    for (const char* seed : {"1", "2", "3", "4"}) {
      Settings settings = kChecked;
      settings["FAKE_CUDA_SEED"] = seed;
      const Outcome o = ends(c.kernel, c.blocks, c.threads, settings, c.shared, c.argument);
      INFO(c.kernel << ", seed " << seed << ": " << o.said);
      CHECK(o.result == code(c.code));
      CHECK(o.said.find(c.sentence) != std::string::npos);
    }
  }
}

TEST_CASE("launches that a device refuses are refused") {
  const Outcome o = in_child({}, [] {
    Bench m;
    std::string codes = code(m.run("add_one", 0, 32, {&m.x, &m.n})) + " ";
    codes += code(m.run("add_one", 1, 2048, {&m.x, &m.n})) + " ";
    codes += code(m.run("reverse", 1, 256, {&m.x})) + " ";
    codes += code(m.run("dynamic", 1, 32, {&m.x, &m.n}, 64 << 10)) + " ";
    fake::Kernel* kernel = nullptr;
    codes += code(m.cuLibraryGetKernel(&kernel, m.library, "mangled"));
    return codes;
  });
  CHECK(o.result == "1 1 701 1 500");
}

TEST_CASE("fresh memory is no number, and its reading is said in checked mode") {
  const auto body = [] {
    Bench m(false);
    std::vector<float> got(kCount);
    const int c = m.cuMemcpyDtoH_v2(got.data(), m.x, kCount * 4);
    return c ? code(c) : std::string(got[7] != got[7] ? "NaN" : "number");
  };
  CHECK(in_child({}, body).result == "NaN");
  const Outcome o = in_child(kChecked, body);
  CHECK(o.result == code(fake::kUnknown));
  CHECK(o.said.find("nothing wrote") != std::string::npos);
}

TEST_CASE("memory that was freed, copied past its end, or does not suffice") {
  const Outcome freed = in_child(kChecked, [] {
    Bench m;
    check(m.cuMemFree_v2(m.x));
    return code(m.run("add_one", 4, 128, {&m.x, &m.n}));
  });
  CHECK(freed.result == code(fake::kIllegalAddress));
  CHECK(freed.said.find("freed memory") != std::string::npos);
  const Outcome past = in_child({}, [] {
    Bench m;
    m.cuMemsetD32Async(m.x + 4, 0, kCount, m.a);
    return code(m.cuStreamSynchronize(m.a));
  });
  CHECK(past.result == code(fake::kIllegalAddress));
  const Outcome small = in_child({{"FAKE_CUDA_MEMORY", "1000000"}}, [] {
    Machine m;
    DevicePtr at = 0;
    std::string codes = code(m.cuMemAlloc_v2(&at, 900000)) + " ";
    codes += code(m.cuMemAlloc_v2(&at, 200000));
    std::size_t left = 0, total = 0;
    check(m.cuMemGetInfo_v2(&left, &total));
    return codes + " " + std::to_string(left) + " " + std::to_string(total);
  });
  CHECK(small.result == "0 2 99904 1000000");
}

TEST_CASE("host code that follows a device pointer dies with a sentence") {
  const Outcome o = in_child({}, [] {
    Bench m;
    return std::to_string(*reinterpret_cast<volatile float*>(m.x + 8));
  });
  CHECK(WIFSIGNALED(o.status));
  CHECK(WTERMSIG(o.status) == SIGSEGV);
  CHECK(o.said.find(
            "the host touched byte 8 of an allocation of 40000 bytes outside every operation") !=
        std::string::npos);
}

TEST_CASE("a kernel that leaves its memory far behind dies with a sentence, checked or not") {
  const Outcome o = ends("off_by_one", 1, 32, {}, 0, 10 * kCount);
  CHECK(WIFSIGNALED(o.status));
  CHECK(o.said.find("off_by_one, block 0 thread") != std::string::npos);
  CHECK(o.said.find("past the end of an allocation of 40000 bytes") != std::string::npos);
}

TEST_CASE("what was made for another device is refused; PTX of an older one is taken") {
  const Outcome o = in_child({{"FAKE_CUDA_CAPABILITY", "80"}}, [] {
    Machine m;
    std::string text;
    for (const char* architecture : {"sm_80", "sm_90", "compute_75", "compute_90", "sm_75"}) {
      try {
        m.load("extern \"C\" __global__ void f() {}", architecture);
        text += "loaded ";
      } catch (const std::exception& e) {
        text += std::string(e.what()) + " ";
      }
    }
    return text;
  });
  const std::string no = "cuLibraryLoadData returned 209 ";
  CHECK(o.result == "loaded " + no + "loaded " + no + no);
}

TEST_CASE("NVRTC's log has the compiler's words and the line") {
  const Outcome o = in_child({}, [] {
    Machine m;
    m.load("extern \"C\" __global__ void f(float* x) {\n  x[0] = not_there;\n}");
    return std::string();
  });
  CHECK(o.result.find("test.cu:2") != std::string::npos);
  CHECK(o.result.find("not_there") != std::string::npos);
}
