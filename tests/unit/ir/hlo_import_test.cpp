// SPDX-License-Identifier: Apache-2.0
#include <cmath>
#include <limits>

#include "import_harness.hpp"

using namespace rhino;
using namespace rhino::ir;
using namespace rhino::testing;
using Catch::Matchers::Contains;

namespace {

void check_prints(const Program& program) {
  const std::string text = print_hlo(program);
  const Program again = parse_hlo(text, "printed");
  CHECK(again == program);
  CHECK(print_hlo(again) == text);
}

}  // namespace

TEST_CASE("calls and fusions are inlined, wherever tuples go") {
  const std::string inner =
      "%inner {\n  %b = f32[2] parameter(1)\n  %a = f32[2] parameter(0)\n"
      "  %s = f32[2] subtract(%a, %b)\n  %p = (f32[2], f32[2]) tuple(%b, %a)\n"
      "  ROOT %t = (f32[2], /*index=1*/(f32[2], f32[2])) tuple(%s, %p)\n}\n"
      "%outer {\n  %q = (f32[2], (f32[2], f32[2])) parameter(0)\n"
      "  %d = f32[2] get-tuple-element(%q), index=0\n"
      "  %i = (f32[2], f32[2]) get-tuple-element(%q), index=1\n"
      "  %e = f32[2] get-tuple-element(%i), index=1\n"
      "  ROOT %m = f32[2] multiply(%d, %e)\n}\n";
  const Program program = import(
      "  %x = f32[2] parameter(0)\n  %y = f32[2] parameter(1)\n"
      "  %c = (f32[2], (f32[2], f32[2])) call(%x, %y), to_apply=%inner\n"
      "  %o = (f32[2], (f32[2], f32[2])) opt-barrier(%c)\n"
      "  ROOT %f = f32[2] fusion(%o), kind=kLoop, calls=%outer\n",
      inner);
  CHECK(program.size() == 4);  // two inputs, subtract, multiply
  CHECK(output_of(program, {f32({2}, {5, 7}), f32({2}, {2, 9})}) == Numbers{15, -14});
  check_prints(program);
}

TEST_CASE("elements of tuples are inputs and outputs of their own") {
  const Program program = parse_hlo(
      "HloModule m, input_output_alias={ {1,0}: (0, {1}, may-alias), {0}: (1, {}, must-alias) }\n"
      "FileNames\n1 \"a { b.py\"\n2 \"c.py\"\n\nFunctionNames\n1 \"<module>\"\n\n"
      "FileLocations\n1 {file_name_id=1 line=3}\n\nStackFrames\n1 {file_location_id=1}\n\n"
      "ENTRY %main {\n  %s = f32[] parameter(1)\n"
      "  %p = (f32[2]{0}, /*index=1*/f32[3]{0}) parameter(0)\n"
      "  %a = f32[2]{0} get-tuple-element(%p), index=0\n"
      "  %b = f32[3]{0} get-tuple-element(%p), index=1\n"
      "  %n = f32[3] negate(%b)\n  %i = (f32[3], f32[2]) tuple(%n, %a)\n"
      "  ROOT %o = (f32[], (f32[3], f32[2])) tuple(%s, %i)\n}\n",
      "m.hlo");
  REQUIRE(program.inputs.size() == 3);
  CHECK(program.shape(program.inputs[0].value) == Shape{DType::f32, {2}});
  CHECK(program.shape(program.inputs[1].value) == Shape{DType::f32, {3}});
  REQUIRE(program.outputs.size() == 3);
  CHECK(program.outputs[0].input == 2);
  CHECK(program.outputs[0].kind == OutputKind::updated_state);
  CHECK(program.outputs[1].input == 1);
  CHECK(program.outputs[2].kind == OutputKind::value);
  check_prints(program);
}

TEST_CASE("a loop whose counter begins with a constant is unrolled") {
  // Stores x + i of round i in row i, and reads rows backwards in a second loop.
  const std::string loops =
      "%less {\n  %s = (s32[], f32[2], f32[4,2]) parameter(0)\n"
      "  %i = s32[] get-tuple-element(%s), index=0\n  %n = s32[] constant(4)\n"
      "  ROOT %c = pred[] compare(%i, %n), direction=LT\n}\n"
      "%forward {\n  %s = (s32[], f32[2], f32[4,2]) parameter(0)\n"
      "  %i = s32[] get-tuple-element(%s), index=0\n  %x = f32[2] get-tuple-element(%s), index=1\n"
      "  %b = f32[4,2] get-tuple-element(%s), index=2\n  %f = f32[] convert(%i)\n"
      "  %r = f32[2] broadcast(%f), dimensions={}\n  %y = f32[2] add(%x, %r)\n"
      "  %u = f32[1,2] reshape(%y)\n  %z = s32[] constant(0)\n"
      "  %v = f32[4,2] dynamic-update-slice(%b, %u, %i, %z)\n  %one = s32[] constant(1)\n"
      "  %j = s32[] add(%i, %one)\n  ROOT %t = (s32[], f32[2], f32[4,2]) tuple(%j, %y, %v)\n}\n"
      "%backward {\n  %s = (s32[], f32[2], f32[4,2]) parameter(0)\n"
      "  %i = s32[] get-tuple-element(%s), index=0\n  %x = f32[2] get-tuple-element(%s), index=1\n"
      "  %b = f32[4,2] get-tuple-element(%s), index=2\n  %three = s32[] constant(3)\n"
      "  %k = s32[] subtract(%three, %i)\n  %z = s32[] constant(0)\n"
      "  %d = f32[1,2] dynamic-slice(%b, %k, %z), dynamic_slice_sizes={1,2}\n"
      "  %r = f32[2] reshape(%d)\n  %m = f32[2] multiply(%x, %r)\n  %one = s32[] constant(1)\n"
      "  %j = s32[] add(%i, %one)\n  ROOT %t = (s32[], f32[2], f32[4,2]) tuple(%j, %m, %b)\n}\n";
  const std::string entry =
      "  %x = f32[2] parameter(0)\n  %b = f32[4,2] parameter(1)\n  %z = s32[] constant(0)\n"
      "  %s = (s32[], f32[2], f32[4,2]) tuple(%z, %x, %b)\n"
      "  %w = (s32[], f32[2], f32[4,2]) while(%s), condition=%less, body=%forward\n"
      "  %g = f32[4,2] get-tuple-element(%w), index=2\n"
      "  %e = f32[2] get-tuple-element(%w), index=1\n"
      "  %q = (s32[], f32[2], f32[4,2]) tuple(%z, %e, %g)\n"
      "  %v = (s32[], f32[2], f32[4,2]) while(%q), condition=%less, body=%backward\n";
  const Program program =
      import(entry + "  ROOT %o = f32[2] get-tuple-element(%v), index=1\n", loops);
  // Rows: x, x + 1, x + 3, x + 6; the product of all and of the last once more.
  const auto product = [](double x) { return (x + 6) * (x + 6) * (x + 3) * (x + 1) * x; };
  const Tensor unused = f32({4, 2}, Numbers(8, 0));
  CHECK(output_of(program, {f32({2}, {1, 2}), unused}) == Numbers{product(1), product(2)});
  CHECK_FALSE(has(program, OpKind::compare));
  CHECK_FALSE(has(program, OpKind::dynamic_slice));
  CHECK_FALSE(has(program, OpKind::slice));  // what was stored is read itself
  check_prints(program);
  const Program counted =
      import(entry + "  ROOT %o = s32[] get-tuple-element(%v), index=0\n", loops);
  CHECK(output_of(counted, {f32({2}, {1, 2}), unused}) == Numbers{4});
  refuses(entry, "this loop makes more than 10 ops when it is unrolled, in round 2", loops,
          {.max_unrolled_ops = 10});
}

TEST_CASE("a loop that runs an unknown number of times is refused, one that never runs is not") {
  const auto loop = [](const std::string& limit) {
    return "%c {\n  %s = s32[] parameter(0)\n  %n = s32[] constant(" + limit +
           ")\n  ROOT %l = pred[] compare(%s, %n), direction=LT\n}\n"
           "%b {\n  %s = s32[] parameter(0)\n  ROOT %d = s32[] add(%s, %s)\n}\n";
  };
  const std::string tail = "  ROOT %w = s32[] while(%x), condition=%c, body=%b\n";
  refuses("  %x = s32[] parameter(0)\n" + tail,
          "m.hlo:13:8: %w: how often this loop runs is not known", loop("9"));
  const Program never = import("  %x = s32[] constant(9)\n" + tail, loop("9"));
  CHECK(output_of(never, {}) == Numbers{9});
  CHECK(output_of(import("  %x = s32[] constant(3)\n" + tail, loop("9")), {}) == Numbers{12});
  refuses("  %x = s32[] constant(0)\n" + tail, "makes more than 50000 ops", loop("9"));
}

TEST_CASE("a conditional runs what is known to hold, and chooses elsewhere") {
  const std::string branches =
      "%up {\n  %a = f32[2] parameter(0)\n  %c = f32[2] add(%a, %a)\n"
      "  ROOT %t = (f32[2], f32[2]) tuple(%c, %a)\n}\n"
      "%down {\n  %a = f32[2] parameter(0)\n  %c = f32[2] negate(%a)\n"
      "  ROOT %t = (f32[2], f32[2]) tuple(%c, %a)\n}\n"
      "%none {\n  %a = f32[2] parameter(0)\n  ROOT %t = (f32[2], f32[2]) tuple(%a, %a)\n}\n";
  const auto program = [&](const std::string& which, const std::string& attributes,
                           const std::string& arguments) {
    return import("  %x = f32[2] parameter(0)\n" + which +
                      "  %k = (f32[2], f32[2]) conditional(%i" + arguments + "), " + attributes +
                      "\n  ROOT %r = f32[2] get-tuple-element(%k), index=0\n",
                  branches);
  };
  const std::string truth = "true_computation=%up, false_computation=%down";
  const std::string three = "branch_computations={%up, %down, %none}";
  const Tensor x = f32({2}, {3, 4});
  CHECK(program("  %i = pred[] constant(true)\n", truth, ", %x, %x").size() == 3);
  CHECK(program("  %i = s32[] constant(7)\n", three, ", %x, %x, %x").size() == 2);
  const Program either = program("  %i = pred[] parameter(1)\n", truth, ", %x, %x");
  CHECK(output_of(either, {x, {{DType::pred, {}}, {1}}}) == Numbers{6, 8});
  CHECK(output_of(either, {x, {{DType::pred, {}}, {0}}}) == Numbers{-3, -4});
  const Program any = program("  %i = s32[] parameter(1)\n", three, ", %x, %x, %x");
  for (const auto& [index, expected] : std::vector<std::pair<double, Numbers>>{
           {0, {6, 8}}, {1, {-3, -4}}, {2, {3, 4}}, {9, {3, 4}}, {-1, {3, 4}}}) {
    CHECK(output_of(any, {x, s32({}, {index})}) == expected);
  }
}

namespace {

/// argmax or argmin as JAX writes it.
std::string arg_reducer(const std::string& better) {
  return "%arg {\n  %a = f32[] parameter(0)\n  %i = s32[] parameter(1)\n"
         "  %b = f32[] parameter(2)\n  %j = s32[] parameter(3)\n"
         "  %g = pred[] compare(%a, %b), direction=" +
         better +
         "\n  %n = pred[] compare(%a, %a), direction=NE\n  %p = pred[] or(%g, %n)\n"
         "  %v = f32[] select(%p, %a, %b)\n  %e = pred[] compare(%a, %b), direction=EQ\n"
         "  %l = pred[] compare(%i, %j), direction=LT\n  %f = pred[] and(%e, %l)\n"
         "  %o = pred[] or(%p, %f)\n  %k = s32[] select(%o, %i, %j)\n"
         "  ROOT %t = (f32[], s32[]) tuple(%v, %k)\n}\n";
}

std::string arg_reduction(const std::string& start,
                          const std::string& places = "iota_dimension=1") {
  return "  %x = f32[3,7] parameter(0)\n  %i = s32[3,7] iota(), " + places +
         "\n  %v = f32[] constant(" + start +
         ")\n  %z = s32[] constant(0)\n"
         "  %r = (f32[3], s32[3]) reduce(%x, %i, %v, %z), dimensions={1}, to_apply=%arg\n"
         "  %m = f32[3] get-tuple-element(%r), index=0\n"
         "  %k = s32[3] get-tuple-element(%r), index=1\n"
         "  ROOT %t = (f32[3], s32[3]) tuple(%m, %k)\n";
}

}  // namespace

TEST_CASE("reductions of values with their places are argmax and argmin") {
  std::mt19937 random(3);
  for (const bool largest : {true, false}) {
    const Program program =
        import(arg_reduction(largest ? "-inf" : "inf"), arg_reducer(largest ? "GT" : "LT"));
    for (int round = 0; round < 20; ++round) {
      Numbers x = draw(random, 21, 0, 4);
      if (round == 0) x = Numbers(21, largest ? -INFINITY : INFINITY);
      if (round == 1) x[9] = x[11] = std::numeric_limits<double>::quiet_NaN();
      const std::vector<Tensor> results = evaluate(program, std::vector{f32({3, 7}, x)});
      for (std::size_t row = 0; row < 3; ++row) {
        std::size_t best = 0;
        for (std::size_t i = 1; i < 7; ++i) {
          const double a = x[row * 7 + i], b = x[row * 7 + best];
          if (std::isnan(b)) continue;
          if (std::isnan(a) || (largest ? a > b : a < b)) best = i;
        }
        CHECK(results[1].elements[row] == static_cast<double>(best));
        const double value = x[row * 7 + best];
        if (!std::isnan(value)) CHECK(results[0].elements[row] == value);
      }
    }
  }
  refuses(arg_reduction("-inf"), "%r: computation 'arg' is no reduction of several",
          arg_reducer("NE"));
  refuses(arg_reduction("0"), "count along the reduced dim", arg_reducer("GT"));
  refuses(arg_reduction("-inf", "iota_dimension=0"), "count along the reduced dim",
          arg_reducer("GT"));
}

TEST_CASE("a reducer of values that looks at anything but their order is refused") {
  // A threshold, and an index that is compared with a value: neither is an argmax.
  std::string threshold = arg_reducer("GT"), crossed = arg_reducer("GT");
  threshold.replace(threshold.find("compare(%a, %a)"), 15, "compare(%a, %c)");
  threshold.replace(threshold.find("  %g ="), 0, "  %c = f32[] constant(5)\n");
  crossed.replace(crossed.find("compare(%i, %j)"), 15, "compare(%i, %b)");
  for (const std::string& reducer : {threshold, crossed}) {
    refuses(arg_reduction("-inf"), "is no reduction of several operands", reducer);
  }
}

TEST_CASE("several reductions in one are one each") {
  const std::string both =
      "%both {\n  %a = f32[] parameter(0)\n  %b = f32[] parameter(1)\n  %c = f32[] parameter(2)\n"
      "  %d = f32[] parameter(3)\n  %s = f32[] add(%a, %c)\n  %m = f32[] maximum(%d, %b)\n"
      "  ROOT %t = (f32[], f32[]) tuple(%s, %m)\n}\n";
  const Program program = import(
      "  %x = f32[4] parameter(0)\n  %z = f32[] constant(10)\n  %l = f32[] constant(3)\n"
      "  %r = (f32[], f32[]) reduce(%x, %x, %z, %l), dimensions={0}, to_apply=%both\n"
      "  %s = f32[] get-tuple-element(%r), index=0\n  %m = f32[] get-tuple-element(%r), index=1\n"
      "  ROOT %t = (f32[], f32[]) tuple(%s, %m)\n",
      both);
  const std::vector<Tensor> results = evaluate(program, std::vector{f32({4}, {1, 2, -4, 2})});
  CHECK(results[0].elements == Numbers{11});
  CHECK(results[1].elements == Numbers{3});
}

TEST_CASE("sorts descend, and go by any operand") {
  const auto order = [](const std::string& comparison) {
    return "%o {\n  %a = f32[] parameter(0)\n  %b = f32[] parameter(1)\n  %c = s32[] parameter(2)\n"
           "  %d = s32[] parameter(3)\n" +
           comparison + "}\n";
  };
  // Zeros and NaNs alike, as JAX makes them.
  const std::string canonical =
      "  %z = f32[] constant(0)\n  %n = f32[] constant(nan)\n"
      "  %e = pred[] compare(%a, %z), direction=EQ\n  %f = f32[] select(%e, %z, %a)\n"
      "  %g = pred[] compare(%f, %f), direction=NE\n  %h = f32[] select(%g, %n, %f)\n"
      "  ROOT %r = pred[] compare(%h, %b), direction=LT, type=TOTALORDER\n";
  const std::string body =
      "  %x = f32[2,5] parameter(0)\n  %y = s32[2,5] parameter(1)\n"
      "  %s = (f32[2,5], s32[2,5]) sort(%x, %y), dimensions={1}, is_stable=true, to_apply=%o\n"
      "  %k = f32[2,5] get-tuple-element(%s), index=0\n"
      "  %v = s32[2,5] get-tuple-element(%s), index=1\n"
      "  ROOT %t = (f32[2,5], s32[2,5]) tuple(%k, %v)\n";
  struct Case {
    std::string comparison;
    bool by_second, descends;
  };
  std::mt19937 random(5);
  for (const Case& c : {Case{"  ROOT %r = pred[] compare(%a, %b), direction=LT\n", false, false},
                        Case{"  ROOT %r = pred[] compare(%a, %b), direction=GT\n", false, true},
                        Case{"  ROOT %r = pred[] compare(%b, %a), direction=LT\n", false, true},
                        Case{"  ROOT %r = pred[] compare(%c, %d), direction=GT\n", true, true},
                        Case{"  ROOT %r = pred[] compare(%d, %c), direction=GT\n", true, false},
                        Case{canonical, false, false}}) {
    const Program program = import(body, order(c.comparison));
    CAPTURE(c.comparison);
    const Numbers x = draw(random, 10, 0, 3), y = draw(random, 10, 0, 3);
    const std::vector<Tensor> results =
        evaluate(program, std::vector{f32({2, 5}, x), s32({2, 5}, y)});
    for (std::size_t row = 0; row < 2; ++row) {
      std::vector<std::size_t> places(5);
      for (std::size_t i = 0; i < 5; ++i) places[i] = row * 5 + i;
      const Numbers& keys = c.by_second ? y : x;
      std::stable_sort(places.begin(), places.end(), [&](std::size_t i, std::size_t j) {
        return c.descends ? keys[i] > keys[j] : keys[i] < keys[j];
      });
      for (std::size_t i = 0; i < 5; ++i) {
        CHECK(results[0].elements[row * 5 + i] == x[places[i]]);
        CHECK(results[1].elements[row * 5 + i] == y[places[i]]);
      }
    }
  }
}

TEST_CASE("topk is what a sort puts first") {
  const Program program = import(
      "  %x = f32[2,6] parameter(0)\n  %k = (f32[2,3], s32[2,3]) topk(%x), k=3, largest=true\n"
      "  %v = f32[2,3] get-tuple-element(%k), index=0\n"
      "  %i = s32[2,3] get-tuple-element(%k), index=1\n"
      "  ROOT %t = (f32[2,3], s32[2,3]) tuple(%v, %i)\n");
  const Numbers x{3, 9, 1, 9, 4, 0, 2, 2, 2, 7, 2, 2};
  const std::vector<Tensor> results = evaluate(program, std::vector{f32({2, 6}, x)});
  CHECK(results[0].elements == Numbers{9, 9, 4, 7, 2, 2});
  CHECK(results[1].elements == Numbers{1, 3, 4, 3, 0, 1});
}

TEST_CASE("operands may be of dtypes that ops of Programs do not take") {
  const Program program = import(
      "  %x = bf16[2,3] parameter(0)\n  %y = f32[3] parameter(1)\n  %p = pred[] parameter(2)\n"
      "  %i = s64[] parameter(3)\n  %d = f32[2] dot(%x, %y), lhs_contracting_dims={1}, "
      "rhs_contracting_dims={0}\n  %s = f32[1] dynamic-slice(%d, %i), dynamic_slice_sizes={1}\n"
      "  %z = f32[1] negate(%s)\n  ROOT %r = f32[1] select(%p, %s, %z)\n");
  const Tensor x{{DType::bf16, {2, 3}}, {1, 2, 3, 4, 5, 6}}, p{{DType::pred, {}}, {0}};
  CHECK(output_of(program, {x, f32({3}, {1, 0, 1}), p, {{DType::s64, {}}, {1}}}) == Numbers{-10});
}

TEST_CASE("custom-calls mean what a table says") {
  const auto call = [](const std::string& target, const std::string& more = "") {
    return "  %x = f32[2,2] parameter(0)\n  ROOT %c = f32[2,2] custom-call(%x), "
           "custom_call_target=\"" +
           target + "\"" + more + "\n";
  };
  CHECK(import(call("AwsNeuronTransferWithStaticRing")).size() == 1);
  refuses(call("mine"), "m.hlo:4:8: %c: the meaning of custom-call 'mine' is not known");
  CHECK(import(call("mine"), "", {.custom_calls = {{"mine", "identity"}}}).size() == 1);
  CHECK_THROWS_WITH(import(call("mine"), "", {.custom_calls = {{"mine", "magic"}}}),
                    Contains("custom-call 'mine' cannot mean 'magic'; known meanings: identity"));
  const Numbers rows = output_of(import(call("AwsNeuronSoftmax", ", backend_config=\"0\"")),
                                 {f32({2, 2}, {0, 1, 0, 1})});
  CHECK(rows == Numbers{0.5, 0.5, 0.5, 0.5});
}

TEST_CASE("collectives of one device alone are dropped, others refused") {
  const auto gather = [](const std::string& groups) {
    return "  %x = f32[2] parameter(0)\n  %s = f32[] parameter(1)\n"
           "  %g = (f32[2], f32[]) all-gather(%x, %s), replica_groups=" +
           groups + ", dimensions={0}\n  ROOT %r = f32[2] get-tuple-element(%g), index=0\n";
  };
  CHECK(import(gather("{{0}}")).size() == 2);
  for (const char* groups : {"{{0,1}}", "{{0},{1,2}}", "{}", "[1,2]<=[2]"}) {
    refuses(gather(groups), "%g: collectives need mesh_axes={...}, or groups of one device");
  }
}

TEST_CASE("buffers that are donated are those of the first outputs of their shapes") {
  const Program program = parse_hlo(
      "HloModule m, buffer_donor={ (1, {}), (0, {1}) }\nENTRY %main {\n"
      "  %p = (f32[2], f32[3]) parameter(0)\n  %q = f32[2] parameter(1)\n"
      "  %a = f32[2] get-tuple-element(%p), index=0\n  %b = f32[3] get-tuple-element(%p), index=1\n"
      "  %c = f32[2] add(%a, %q)\n  %n = f32[3] negate(%b)\n"
      "  ROOT %t = (f32[2], f32[2], f32[3]) tuple(%c, %a, %n)\n}\n",
      "m.hlo");
  CHECK(program.outputs[0].input == 2);
  CHECK(program.outputs[1].kind == OutputKind::value);
  CHECK(program.outputs[2].input == 1);
}

TEST_CASE("custom-calls that part a tensor among devices are refused") {
  for (const std::string target : {"SPMDFullToShardShape", "xla.sdy.GlobalToLocalShape"}) {
    refuses(
        "  %x = f32[4,2] parameter(0)\n  ROOT %y = f32[2,2] custom-call(%x), "
        "custom_call_target=\"" +
            target + "\"\n",
        "m.hlo:4:8: %y: this is written for each device of a mesh alone (shard_map)");
  }
}
