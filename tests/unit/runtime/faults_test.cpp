// SPDX-License-Identifier: Apache-2.0
#include "runtime/worker/faults.hpp"

#include <catch2/catch.hpp>

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

TEST_CASE("a request that is not understood is refused") {
  CHECK_THROWS_WITH(runtime::Fault("segv", 0), Catch::Contains("'segv' is not key=value"));
  CHECK_THROWS_WITH(runtime::Fault("rank=0,step=1", 0), Catch::Contains("no kind"));
  CHECK_THROWS_WITH(runtime::Fault("rank=0,kind=sigh", 0), Catch::Contains("'sigh'"));
}

}  // namespace
}  // namespace rhino
