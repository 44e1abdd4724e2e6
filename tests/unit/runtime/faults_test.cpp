// SPDX-License-Identifier: Apache-2.0
#include "runtime/worker/faults.hpp"

#include <catch2/catch.hpp>
#include <chrono>

#include "rhino/error.hpp"

namespace rhino {
namespace {

TEST_CASE("a fault strikes its rank at its step and instruction only") {
  const std::string text = "rank=1,kind=throw,step=2,instruction=5";
  const runtime::Fault fault(text, 1);
  CHECK_NOTHROW(fault.in_prepare());
  CHECK_NOTHROW(fault.before(2, 4));
  CHECK_NOTHROW(fault.before(1, 5));
  CHECK_THROWS_WITH(fault.before(2, 5), "a fault on purpose");
  CHECK_NOTHROW(runtime::Fault(text, 0).before(2, 5));
  CHECK_NOTHROW(runtime::Fault("", 0).before(1, 0));
  CHECK_THROWS_AS(runtime::Fault("rank=1,kind=throw,phase=prepare", 1).in_prepare(), Error);
}

TEST_CASE("a slow rank lingers behind its Runs, by a part of what they took") {
  const auto taken_s = [](const runtime::Fault& fault, double run_s) {
    const auto begin = std::chrono::steady_clock::now();
    fault.after_run(run_s);
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  };
  const runtime::Fault slow("rank=1,kind=slow,percent=8", 1);
  CHECK_NOTHROW(slow.before(1, 0));
  CHECK(taken_s(slow, 0.1) >= 0.008);
  CHECK_NOTHROW(runtime::Fault("rank=1,kind=slow,percent=8", 0).after_run(1e9));
}

TEST_CASE("a request that is not understood is refused") {
  CHECK_THROWS_WITH(runtime::Fault("segv", 0), Catch::Contains("'segv' is not key=value"));
  CHECK_THROWS_WITH(runtime::Fault("rank=0,step=1", 0), Catch::Contains("no kind"));
  CHECK_THROWS_WITH(runtime::Fault("rank=0,kind=sigh", 0), Catch::Contains("'sigh'"));
}

}  // namespace
}  // namespace rhino
