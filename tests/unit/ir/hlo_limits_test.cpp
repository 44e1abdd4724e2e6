// SPDX-License-Identifier: Apache-2.0
#include <cmath>

#include "import_harness.hpp"

using namespace rhino;
using namespace rhino::ir;
using namespace rhino::testing;
using Catch::Matchers::Contains;

/// Constants of every form, and text that would take time, memory or stack without end.
namespace {

std::vector<double> constant(const std::string& shape, const std::string& literal) {
  const Program program = import("  ROOT %c = " + shape + " constant(" + literal + ")\n");
  return program.op(0).attributes.get<ConstantAttr>().elements;
}

}  // namespace

TEST_CASE("constants of every form are read") {
  CHECK(constant("f32[2,2]{1,0}", "{ {1, -2.5}, /*i0=1*/ { 3e-8, .5 } }") ==
        Numbers{1, -2.5, 3e-8, .5});
  CHECK(constant("pred[3]", "{true, 0, 1}") == Numbers{1, 0, 1});
  CHECK(constant("pred[3]", "{7, -1, false}") == Numbers{1, 1, 0});
  CHECK(constant("s32[2]", "{\n  -2147483648,\n 2147483647 }") ==
        Numbers{-2147483648., 2147483647.});
  CHECK(constant("bf16[2]", "{inf, -inf}") == Numbers{INFINITY, -INFINITY});
  CHECK(constant("s64[]", "-9223372036854775808") == Numbers{-9223372036854775808.});
  CHECK(constant("s64[]", "9007199254740992") == Numbers{9007199254740992.});
  CHECK(constant("f32[0]{0}", "{}").empty());
  CHECK(std::signbit(constant("f32[]", "-0")[0]));
  CHECK(std::isnan(constant("f32[]", "nan")[0]));
  CHECK(std::signbit(constant("f32[]", "-nan")[0]));
}

TEST_CASE("constants that cannot be held as they are, are refused") {
  refuses("  ROOT %c = s64[] constant(9223372036854775807)\n",
          "m.hlo:3:8: %c: 9223372036854775807 takes more than 53 bits");
  refuses("  ROOT %c = s64[2] constant({1, 9007199254740993})\n", "takes more than 53 bits");
  refuses("  ROOT %c = f32[8] constant({...})\n", "elements of the constant are left out");
  refuses("  ROOT %c = s32[] constant(0x12)\n", "'0x12' is no number");
}

TEST_CASE("amounts that no extent can take are refused") {
  const std::string x = "  %x = f32[2,4] parameter(0)\n  %z = f32[] constant(0)\n";
  const std::string most = "9223372036854775807";
  refuses(x + "  ROOT %r = f32[2,4] pad(%x, %z), padding=0_0x0_" + most + "\n", "is too large");
  refuses(x + "  ROOT %r = f32[2,4] pad(%x, %z), padding=0_0x0_0_" + most + "\n", "is too large");
  const Program strided =
      import(x + "  ROOT %r = f32[2,1] slice(%x), slice={[0:2], [0:4:" + most + "]}\n");
  CHECK(strided.shape(strided.outputs[0].value).dims == std::vector<std::int64_t>{2, 1});
}

TEST_CASE("computations that call each other without end are refused") {
  const std::string body = " {\n  %a = f32[] parameter(0)\n  ROOT %r = f32[] call(%a), to_apply=%";
  const std::string start = "  %x = f32[] constant(1)\n  ROOT %r = f32[] call(%x), to_apply=%f\n";
  refuses(start, "m.hlo:4:8: %r: computations call each other deeper than 200",
          "%f" + body + "f\n}\n");
  // Each computation calls the next one twice.
  std::string bomb;
  for (int i = 0; i < 60; ++i) {
    const std::string next = "%f" + std::to_string(i + 1);
    bomb += "%f" + (i ? std::to_string(i) : "") +
            " {\n  %a = f32[] parameter(0)\n  %b = f32[] call(%a), to_apply=" + next +
            "\n  ROOT %r = f32[] call(%b), to_apply=" + next + "\n}\n";
  }
  bomb += "%f60 {\n  ROOT %a = f32[] parameter(0)\n}\n";
  refuses(start, "more than 5000000 instructions are inlined", bomb);
}

TEST_CASE("tuples that grow without end are refused") {
  std::string doubling = "  %t0 = () tuple()\n", deep = doubling;
  for (int i = 1; i <= 120; ++i) {
    const std::string before = "%t" + std::to_string(i - 1);
    const std::string name = (i == 120 ? "  ROOT %t" : "  %t") + std::to_string(i);
    deep += name + " = () tuple(" + before + ")\n";
    if (i <= 90) {
      doubling += "  " + std::string(i == 90 ? "ROOT " : "") + "%t" + std::to_string(i) +
                  " = () tuple(" + before + ", " + before + ")\n";
    }
  }
  refuses(doubling, "tuples have more than 10000000 elements");
  refuses(deep, "tuples nest deeper than 100");
  refuses("  ROOT %p = " + std::string(5000, '(') + "f32[]" + std::string(5000, ')') +
              " parameter(0)\n",
          "tuples nest deeper than 100");
}

TEST_CASE("shapes that no memory holds are refused") {
  refuses("  ROOT %x = f32[99999999999,99999999999] parameter(0)\n", "is too large");
  refuses("  ROOT %x = f32[4,-1] parameter(0)\n", "is no shape");
}
