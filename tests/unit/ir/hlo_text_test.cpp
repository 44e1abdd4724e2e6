// SPDX-License-Identifier: Apache-2.0
#include "ir/hlo_text.hpp"

#include <cmath>

#include "evaluation.hpp"
#include "ir/op_traits.hpp"
#include "ir/sampler.hpp"
#include "random_program.hpp"
#include "rhino/error.hpp"

using namespace rhino;
using namespace rhino::ir;
using namespace rhino::testing;
using Catch::Matchers::Contains;

namespace {

void check_round_trip(const Program& program) {
  const std::string text = print_hlo(program);
  CAPTURE(text);
  const Program again = parse_hlo(text, "printed");
  REQUIRE(again.ops.size() == program.ops.size());
  for (std::size_t i = 0; i < program.ops.size(); ++i) {
    CAPTURE(i);
    CHECK(again.ops[i] == program.ops[i]);
  }
  CHECK(again == program);
  CHECK(print_hlo(again) == text);
}

Program module(const std::string& instructions, const std::string& computations = "") {
  return parse_hlo("HloModule m\n" + computations + "ENTRY %main {\n" + instructions + "}\n",
                   "m.hlo");
}

void check_refused(const std::string& text, const std::string& words) {
  CHECK_THROWS_WITH(parse_hlo(text, "m.hlo"), Contains(words));
}

void check_body_refused(const std::string& instructions, const std::string& words) {
  CHECK_THROWS_WITH(module(instructions), Contains(words));
}

const std::string kSum =
    "%Sum.1 (x.1: f32[], y.2: f32[]) -> f32[] {\n  %x.1 = f32[] parameter(0)\n  %y.2 = f32[] "
    "parameter(1)\n  ROOT %add.3 = f32[] add(f32[] %x.1, f32[] %y.2)\n}\n\n";

}  // namespace

TEST_CASE("a program with every op reads back as itself") { check_round_trip(every_op_program()); }

TEST_CASE("samples of every op read back as themselves") {
  for (const OpTraits& row : all_traits()) {
    for (std::uint64_t seed = 0; row.sample && seed < 20; ++seed) {
      CAPTURE(row.name, seed);
      std::mt19937_64 random(seed);
      Builder builder("sample");
      Sampler sampler(builder, random);
      builder.output(row.sample(sampler), OutputKind::value);
      CHECK(builder.program().ops.back().kind == row.kind);
      check_round_trip(std::move(builder).finish());
    }
  }
}

TEST_CASE("random programs read back as themselves") {
  const auto seed = GENERATE(range(0U, 40U));
  CAPTURE(seed);
  check_round_trip(random_program(seed, 60));
}

TEST_CASE("names, numbers and marks that need care read back as themselves") {
  Builder builder("a \"model\" of 2");
  builder.set_scope("h0 \\ \"x\"\n");
  const ValueId x = builder.input(InputKind::optimizer_state, {DType::f32, {0, 3}},
                                  {Initializer::Kind::uniform, -1e-30, 0.1}, "{odd}, name=1");
  builder.set_phase(Phase::backward, x);
  builder.scale(x, 0.1);
  builder.fill({DType::f32, {2, 2}}, -INFINITY);
  builder.constant(DType::s64, -9223372036854775808.0);
  const auto add = [&](Shape shape, ConstantAttr elements) {
    builder.add(Op{.shape = std::move(shape), .attributes = std::move(elements)});
  };
  add({DType::f64, {2}}, {{-0.0, 1e300}});
  add({DType::pred, {2, 1}}, {{1, 0}});
  add({DType::f32, {1, 1}}, {{3}});
  add({DType::f32, {0}}, {});
  const ValueId scalar = builder.constant(DType::f32, 0);
  builder.broadcast_in_dim(scalar, {2}, {});
  builder.set_phase(Phase::update);
  builder.output(builder.add(x, x), OutputKind::updated_state, 0);
  builder.output(scalar, OutputKind::loss);
  check_round_trip(std::move(builder).finish());
  check_round_trip(Builder("").program());
}

TEST_CASE("origins may come later than what derives from them") {
  Builder builder("p");
  builder.set_phase(Phase::backward, 1);
  builder.constant(DType::f32, 1);
  builder.set_phase(Phase::forward);
  builder.constant(DType::f32, 2);
  check_round_trip(std::move(builder).finish());
}

TEST_CASE("text as XLA writes it is understood") {
  const Program program = parse_hlo(
      "HloModule jit_step.7, is_scheduled=true, input_output_alias={ {1}: (0, {}, must-alias) }, "
      "entry_computation_layout={(f32[2,3]{1,0})->(f32[], f32[2,3]{1,0})}\n\n" +
          kSum +
          "ENTRY %main.9 (p0.1: f32[2,3]) -> (f32[], /*index=1*/f32[2,3]) {\n"
          "  %p0.1 = f32[2,3]{1,0:T(8,128)} parameter(0), sharding={replicated}\n"
          "  %constant.2 = f32[] constant(0), metadata={op_type=\"a\" op_name=\"zero, one\" "
          "source_file=\"/a b.py\" source_line=3}\n"
          "  %reduce.3 = f32[] reduce(f32[2,3]{1,0} %p0.1, f32[] %constant.2), "
          "dimensions={0,1}, to_apply=%Sum.1\n"
          "  %copy.4 = f32[2,3]{0,1} copy(f32[2,3]{1,0} %p0.1)\n"
          "  %tuple.5 = (f32[2,3]{0,1}) tuple(%copy.4)\n"
          "  %gte.6 = f32[2,3]{0,1} get-tuple-element((f32[2,3]{0,1}) %tuple.5), index=0\n"
          "  ROOT %tuple.7 = (f32[], /*index=1*/f32[2,3]{1,0}) tuple(f32[] %reduce.3, "
          "/*index=1*/f32[2,3]{0,1} %gte.6), backend_config={\"a\":[1,{\"b\":\"}\"}]}\n"
          "}, execution_thread=\"main\"\n",
      "jit.hlo");
  CHECK(program.name == "jit_step.7");
  REQUIRE(program.size() == 2);  // the neutral start value is no op
  CHECK(program.op(1).kind == OpKind::reduce);
  CHECK(program.outputs ==
        std::vector<Output>{{1, OutputKind::value, -1}, {0, OutputKind::updated_state, 0}});
}

TEST_CASE("a start value that is not neutral is added afterwards") {
  const Program program = module(
      "  %x = f32[2,3] parameter(0)\n  %c = f32[] constant(10)\n"
      "  ROOT %r = f32[2] reduce(%x, %c), dimensions={1}, to_apply=%Sum.1\n",
      kSum);
  const std::vector<Tensor> inputs = {f32({2, 3}, {1, 2, 3, 4, 5, 6})};
  CHECK(evaluate(program, inputs)[0].elements == std::vector<double>{16, 25});
}

TEST_CASE("a neutral start value that is also read elsewhere stays an op") {
  const Program program = module(
      "  %x = f32[3] parameter(0)\n  %c = f32[] constant(0)\n"
      "  %r = f32[] reduce(%x, %c), dimensions={0}, to_apply=%Sum.1\n"
      "  ROOT %s = f32[] add(%r, %c)\n",
      kSum);
  CHECK(program.size() == 4);
}

TEST_CASE("defaults of windows and slices hold where text leaves them out") {
  const Program program = module(
      "  x = f32[4] parameter(0)\n  c = f32[] constant(0)\n"
      "  w = f32[3] reduce-window(x, c), window={size=2}, to_apply=Sum.1\n"
      "  ROOT s = f32[2] slice(w), slice={[1:3]}\n",
      kSum);
  CHECK(evaluate(program, std::vector<Tensor>{f32({4}, {1, 2, 3, 4})})[0].elements ==
        std::vector<double>{5, 7});
}

TEST_CASE("errors of syntax name file, line and column") {
  check_refused("module", "m.hlo:1:1: expected 'HloModule', found");
  check_refused("", "m.hlo:1:1: expected 'HloModule', found the end of the file");
  check_refused("HloModule m\n", "m.hlo:1:1: no computation is the ENTRY");
  check_refused("HloModule m\n\nENTRY %main {\n",
                "m.hlo:4:1: expected an instruction, found the end");
  check_refused("HloModule m\nENTRY %main {\n  %x = f32[2 parameter(0)\n}\n",
                "m.hlo:3:26: bracket without end");
  check_refused("HloModule m\nENTRY %main {\n  %x f32[]\n}\n",
                "m.hlo:3:6: expected '=', found 'f32'");
  check_refused("HloModule m\n/* never\nends", "m.hlo:2:1: comment without end");
  check_refused("HloModule m\nENTRY %main {\n  %x = f32[] add(%y, \"z\n)\n}\n",
                "m.hlo:3:24: string without end");
  check_refused("HloModule m\nENTRY %main {\n}\n", "m.hlo:2:1: computation 'main' is empty");
}

TEST_CASE("errors of meaning name file, line, column and instruction") {
  check_body_refused("  %x = f32[] negate(%y)\n",
                     "m.hlo:3:3: %x: operand 'y' is no earlier instruction");
  check_body_refused("  %x = f32[] constant(1)\n  %x = f32[] constant(1)\n",
                     "m.hlo:4:3: %x: instruction 'x' is defined twice");
  check_body_refused("  %x = c64[] constant(1)\n",
                     "m.hlo:3:3: %x: element type 'c64' is not supported");
  check_body_refused("  %x = f32[] fft()\n", "m.hlo:3:3: %x: opcode 'fft' is not supported");
  check_body_refused("  %x = f32[] constant(one)\n", "m.hlo:3:3: %x: 'one' is no number");
  check_body_refused("  %x = f32[2] constant({1,2,3})\n", "m.hlo:3:3: %x: constant ");
  check_body_refused("  %x = f32[2] parameter(0)\n  %y = f32[3] negate(%x)\n",
                     "m.hlo:4:3: %y: negate yields f32[2], not f32[3]");
  check_body_refused("  %x = f32[2] parameter(1)\n", "m.hlo:2:1: parameter 0 is missing");
  check_body_refused("  %x = f32[2] parameter(0)\n  %y = f32[] reduce(%x, %x), to_apply=%none\n",
                     "m.hlo:4:3: %y: computation '%none' does not exist");
  check_body_refused("  %x = f32[2] parameter(0)\n  %y = f32[2] transpose(%x), dimensions={a}\n",
                     "m.hlo:4:3: %y: 'a' is no integer");
  check_body_refused(
      "  %x = f32[2] parameter(0)\n  %y = f32[2] all-reduce(%x), replica_groups={}\n",
      "m.hlo:4:3: %y: collectives need mesh_axes");
  check_body_refused(
      "  %x = f32[2] parameter(0)\n  ROOT %t = (f32[2]) tuple(%x), "
      "frontend_attributes={outputs=\"prize\"}\n",
      "m.hlo:4:8: %t: 'prize' is no kind of output");
}

TEST_CASE("computations and attributes that mean something else are refused, not misread") {
  const auto refused = [](const std::string& computation, const std::string& instruction,
                          const std::string& words) {
    const std::string text =
        "%f {\n  %a = f32[] parameter(0)\n  %b = f32[] parameter(1)\n" + computation + "}\n";
    CHECK_THROWS_WITH(module("  %x = f32[4] parameter(0)\n  %z = f32[] constant(0)\n"
                             "  %i = s32[2,1] constant({{0},{1}})\n" +
                                 instruction,
                             text),
                      Contains(words));
  };
  const std::string less = "  ROOT %r = pred[] compare(%a, %b), direction=LT\n";
  const std::string sum = "  ROOT %r = f32[] add(%a, %b)\n";
  const std::string reduce = "  %y = f32[] reduce(%x, %z), dimensions={0}, to_apply=%f\n";
  const std::string sort =
      "  %s = (f32[4]) sort(%x), dimensions={0}, to_apply=%f\n"
      "  %y = f32[4] get-tuple-element(%s), index=0\n";
  refused(less, reduce, "'%f' is no reduction");
  refused("  ROOT %r = f32[] add(%a, %a)\n", reduce, "'%f' is no reduction");
  refused("  ROOT %r = f32[] subtract(%a, %b)\n", reduce, "'%f' is no reduction");
  refused("  %c = f32[] add(%a, %b)\n  ROOT %r = f32[] add(%c, %b)\n", reduce,
          "'%f' is no reduction");
  refused("  ROOT %r = pred[] compare(%a, %a), direction=LT\n", sort, "'%f' is no comparison");
  refused("  ROOT %r = pred[] compare(%a, %b), direction=NE\n", sort, "'%f' is no comparison");
  refused(sum, "  %y = f32[1] reduce-window(%x, %z), window={size=2 rhs_dilate=3}, to_apply=%f\n",
          "dilated windows");
  refused(sum, "  %y = f32[1] reduce-window(%x, %z), window={size=2 rhs_reversal=1}, to_apply=%f\n",
          "'rhs_reversal' is not supported");
}

TEST_CASE("torn text is an error and never a crash") {
  const std::string text = print_hlo(every_op_program());
  std::size_t num_accepted = 0;
  for (std::size_t size = 0; size < text.size() - 2; size += 7) {
    try {
      parse_hlo(text.substr(0, size), "torn.hlo");
      ++num_accepted;
    } catch (const Error&) {
    }
  }
  CHECK(num_accepted == 0);
}

TEST_CASE("text with one character changed is an error or a program") {
  const auto seed = GENERATE(range(0U, 4U));
  CAPTURE(seed);
  std::mt19937 random(seed);
  const std::string text = print_hlo(every_op_program());
  const std::string characters = "{}()[]\",=%:-_ 019axb\n\\";
  for (int i = 0; i < 500; ++i) {
    std::string changed = text;
    changed[random() % text.size()] = characters[random() % characters.size()];
    try {
      parse_hlo(changed, "changed.hlo");
    } catch (const Error& error) {
      CHECK_THAT(error.what(),
                 Catch::Matchers::StartsWith("changed.hlo:") || Contains("program '"));
    }
  }
}
