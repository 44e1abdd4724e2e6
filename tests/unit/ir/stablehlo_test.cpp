// SPDX-License-Identifier: Apache-2.0
#include <cmath>

#include "import_harness.hpp"

using namespace rhino;
using namespace rhino::ir;
using namespace rhino::testing;
using Catch::Matchers::Contains;

namespace {

/// The function `main` with `head` in parentheses and behind them, and what stands before it.
Program stable(const std::string& head, const std::string& body, const std::string& before = "") {
  return parse_stablehlo(
      "module @m {\n" + before + "  func.func public @main" + head + " {\n" + body + "  }\n}\n",
      "m.mlir");
}

void refused(const std::string& body, const std::string& words) {
  CHECK_THROWS_WITH(stable("(%x: tensor<2xf32>) -> tensor<2xf32>", body), Contains(words));
}

Numbers constant(const std::string& text) {
  const Program program = stable("() -> tensor<f32>", "    %c = stablehlo.constant " + text +
                                                          "\n    return %c : tensor<f32>\n");
  return program.op(0).attributes.get<ConstantAttr>().elements;
}

}  // namespace

TEST_CASE("pretty and generic forms are the same program") {
  const std::string head = "(%a: tensor<4x3xf32>, %b: tensor<3x4xf32>) -> tensor<8x2xf32>";
  const Program pretty = stable(
      head,
      "    %0 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0], precision = [DEFAULT, "
      "DEFAULT] : (tensor<4x3xf32>, tensor<3x4xf32>) -> tensor<4x4xf32>\n"
      "    %c = stablehlo.constant dense<0.0> : tensor<f32>\n"
      "    %1 = stablehlo.pad %0, %c, low = [0, 1], high = [0, 0], interior = [1, 0] : "
      "(tensor<4x4xf32>, tensor<f32>) -> tensor<7x5xf32>\n"
      "    %2 = stablehlo.slice %1 [0:4, 1:5:2] : (tensor<7x5xf32>) -> tensor<4x2xf32>\n"
      "    %3 = stablehlo.reduce(%0 init: %c) applies stablehlo.add across dimensions = [1] : "
      "(tensor<4x4xf32>, tensor<f32>) -> tensor<4xf32>\n"
      "    %4 = stablehlo.broadcast_in_dim %3, dims = [0] : (tensor<4xf32>) -> tensor<4x2xf32>\n"
      "    %5 = stablehlo.compare LT, %4, %2, FLOAT : (tensor<4x2xf32>, tensor<4x2xf32>) -> "
      "tensor<4x2xi1>\n"
      "    %6 = stablehlo.select %5, %4, %2 : tensor<4x2xi1>, tensor<4x2xf32>\n"
      "    %7 = stablehlo.reverse %6, dims = [0] : tensor<4x2xf32>\n"
      "    %8 = stablehlo.concatenate %6, %7, dim = 0 : (tensor<4x2xf32>, tensor<4x2xf32>) -> "
      "tensor<8x2xf32>\n"
      "    %9 = stablehlo.iota dim = 1 : tensor<8x2xf32>\n"
      "    %10 = stablehlo.multiply %8, %9 : tensor<8x2xf32>\n"
      "    return %10 : tensor<8x2xf32>\n");
  const Program generic = stable(
      head,
      "    %0 = \"stablehlo.dot_general\"(%a, %b) <{dot_dimension_numbers = "
      "#stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>, "
      "precision_config = [#stablehlo<precision DEFAULT>]}> : (tensor<4x3xf32>, tensor<3x4xf32>) "
      "-> tensor<4x4xf32>\n"
      "    %c = \"stablehlo.constant\"() <{value = dense<0.0> : tensor<f32>}> : () -> tensor<f32>\n"
      "    %1 = \"stablehlo.pad\"(%0, %c) <{edge_padding_high = array<i64: 0, 0>, edge_padding_low "
      "= array<i64: 0, 1>, interior_padding = array<i64: 1, 0>}> : (tensor<4x4xf32>, tensor<f32>) "
      "-> tensor<7x5xf32>\n"
      "    %2 = \"stablehlo.slice\"(%1) <{limit_indices = array<i64: 4, 5>, start_indices = "
      "array<i64: 0, 1>, strides = array<i64: 1, 2>}> : (tensor<7x5xf32>) -> tensor<4x2xf32>\n"
      "    %3 = \"stablehlo.reduce\"(%0, %c) <{dimensions = array<i64: 1>}> ({\n"
      "    ^bb0(%arg0: tensor<f32>, %arg1: tensor<f32>):\n"
      "      %s = \"stablehlo.add\"(%arg0, %arg1) : (tensor<f32>, tensor<f32>) -> tensor<f32>\n"
      "      \"stablehlo.return\"(%s) : (tensor<f32>) -> ()\n"
      "    }) : (tensor<4x4xf32>, tensor<f32>) -> tensor<4xf32>\n"
      "    %4 = \"stablehlo.broadcast_in_dim\"(%3) <{broadcast_dimensions = array<i64: 0>}> : "
      "(tensor<4xf32>) -> tensor<4x2xf32>\n"
      "    %5 = \"stablehlo.compare\"(%4, %2) <{compare_type = #stablehlo<comparison_type FLOAT>, "
      "comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<4x2xf32>, "
      "tensor<4x2xf32>) -> tensor<4x2xi1>\n"
      "    %6 = \"stablehlo.select\"(%5, %4, %2) : (tensor<4x2xi1>, tensor<4x2xf32>, "
      "tensor<4x2xf32>) -> tensor<4x2xf32>\n"
      "    %7 = \"stablehlo.reverse\"(%6) {dimensions = dense<0> : tensor<1xi64>} : "
      "(tensor<4x2xf32>) -> tensor<4x2xf32>\n"
      "    %8 = \"stablehlo.concatenate\"(%6, %7) <{dimension = 0 : i64}> : (tensor<4x2xf32>, "
      "tensor<4x2xf32>) -> tensor<8x2xf32>\n"
      "    %9 = \"stablehlo.iota\"() <{iota_dimension = 1 : i64}> : () -> tensor<8x2xf32>\n"
      "    %10 = \"stablehlo.multiply\"(%8, %9) : (tensor<8x2xf32>, tensor<8x2xf32>) -> "
      "tensor<8x2xf32>\n"
      "    \"func.return\"(%10) : (tensor<8x2xf32>) -> ()\n");
  CHECK(pretty == generic);
  CHECK(pretty.size() == 14);
  // Row sums of a b are 12, elements 3: the slice has elements and, from the padding, zeros.
  const Numbers result =
      output_of(pretty, {f32({4, 3}, Numbers(12, 1)), f32({3, 4}, Numbers(12, 1))});
  CHECK(result == Numbers{0, 3, 0, 0, 0, 3, 0, 0, 0, 0, 0, 3, 0, 0, 0, 3});
}

TEST_CASE("functions are inlined, and regions read what is around them") {
  const std::string before =
      "  func.func private @both(%a: tensor<f32>, %b: tensor<f32>) -> (tensor<f32>, tensor<f32> "
      "{jax.result_info = \"[1]\"}) {\n    %0 = stablehlo.add %a, %b : tensor<f32>\n"
      "    %1 = stablehlo.subtract %a, %b : tensor<f32>\n"
      "    return %0, %1 : tensor<f32>, tensor<f32>\n  }\n";
  const Program program = stable(
      "(%x: tensor<f32>, %y: tensor<f32>, %i: tensor<i32>) -> tensor<f32>",
      "    %0:2 = call @both(%x, %y) : (tensor<f32>, tensor<f32>) -> (tensor<f32>, tensor<f32>)\n"
      "    %c = stablehlo.constant dense<0> : tensor<i32>\n"
      "    %n = stablehlo.constant dense<3> : tensor<i32>\n"
      "    %1:2 = stablehlo.while(%k = %c, %s = %0#0) : tensor<i32>, tensor<f32>\n"
      "    cond {\n      %2 = stablehlo.compare LT, %k, %n, SIGNED : (tensor<i32>, tensor<i32>) -> "
      "tensor<i1>\n      stablehlo.return %2 : tensor<i1>\n    } do {\n"
      "      %one = stablehlo.constant dense<1> : tensor<i32>\n"
      "      %2 = stablehlo.add %k, %one : tensor<i32>\n"
      "      %3 = stablehlo.multiply %s, %0#1 : tensor<f32>\n"
      "      stablehlo.return %2, %3 : tensor<i32>, tensor<f32>\n    }\n"
      "    %4 = \"stablehlo.case\"(%i) ({\n      stablehlo.return %1#1 : tensor<f32>\n    }, {\n"
      "      %5 = stablehlo.negate %x : tensor<f32>\n      stablehlo.return %5 : tensor<f32>\n"
      "    }) : (tensor<i32>) -> tensor<f32>\n    return %4 : tensor<f32>\n",
      before);
  const Tensor x = f32({}, {5}), y = f32({}, {3});
  CHECK(output_of(program, {x, y, s32({}, {0})}) == Numbers{8 * 2 * 2 * 2});
  CHECK(output_of(program, {x, y, s32({}, {1})}) == Numbers{-5});
}

TEST_CASE("constants of every form are read from StableHLO") {
  CHECK(constant("dense<-2.500000e+00> : tensor<f32>") == Numbers{-2.5});
  CHECK(constant("dense<0xFF800000> : tensor<f32>") == Numbers{-INFINITY});
  CHECK(std::isnan(constant("dense<0x7FC00000> : tensor<f32>")[0]));
  CHECK(constant("dense<0xFF80> : tensor<bf16>") == Numbers{-INFINITY});
  CHECK(constant("dense<\"0x0000803F0000004000004040\"> : tensor<3xf32>") == Numbers{1, 2, 3});
  CHECK(constant("dense<[[1, -2], [3, 4]]> : tensor<2x2xi32>") == Numbers{1, -2, 3, 4});
  CHECK(constant("dense<[true, false]> : tensor<2xi1>") == Numbers{1, 0});
  CHECK(constant("dense<> : tensor<0xf32>").empty());
  CHECK(constant("dense<7> : tensor<2x3xi64>") == Numbers{7});
}

TEST_CASE("arguments tell what replaces them, locations what ops are called") {
  const Program program = parse_stablehlo(
      "#loc1 = loc(\"p['w']\")\n#loc3 = loc(\"a.py\":3:4)\n"
      "module @step attributes {mhlo.num_partitions = 1 : i32} {\n"
      "  func.func public @main(%arg0: tensor<2xf32> {tf.aliasing_output = 1 : i32} loc(#loc1), "
      "%arg1: tensor<2xf32> loc(\"x\")) -> (tensor<2xf32>, tensor<2xf32> {jax.result_info = "
      "\"a\"}) {\n    %0 = stablehlo.add %arg0, %arg1 : tensor<2xf32> loc(#loc4)\n"
      "    %1 = stablehlo.negate %0 : tensor<2xf32> loc(#loc3)\n"
      "    return %0, %1 : tensor<2xf32>, tensor<2xf32> loc(#loc)\n  } loc(#loc)\n} loc(#loc)\n"
      "#loc = loc(unknown)\n#loc4 = loc(\"jit(f)/add\"(#loc3))\n",
      "m.mlir");
  CHECK(program.name == "step");
  CHECK(program.op(0).name == "p['w']");
  CHECK(program.op(1).name == "x");
  CHECK(program.op(2).name == "jit(f)/add");
  CHECK(program.op(3).name.empty());
  CHECK(program.outputs ==
        std::vector<Output>{{2, OutputKind::value, -1}, {3, OutputKind::updated_state, 0}});
}

TEST_CASE("reductions of several operands, windows and convolutions are read") {
  const Program largest = stable(
      "(%x: tensor<2x3xf32>) -> (tensor<2xf32>, tensor<2xi32>)",
      "    %i = stablehlo.iota dim = 1 : tensor<2x3xi32>\n"
      "    %l = stablehlo.constant dense<0xFF800000> : tensor<f32>\n"
      "    %c = stablehlo.constant dense<0> : tensor<i32>\n"
      "    %0:2 = stablehlo.reduce(%x init: %l), (%i init: %c) across dimensions = [1] : "
      "(tensor<2x3xf32>, tensor<2x3xi32>, tensor<f32>, tensor<i32>) -> (tensor<2xf32>, "
      "tensor<2xi32>)\n"
      "     reducer(%a: tensor<f32>, %b: tensor<f32>) (%j: tensor<i32>, %k: tensor<i32>)  {\n"
      "      %1 = stablehlo.compare GT, %a, %b, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>\n"
      "      %2 = stablehlo.select %1, %a, %b : tensor<i1>, tensor<f32>\n"
      "      %3 = stablehlo.compare EQ, %a, %b, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>\n"
      "      %4 = stablehlo.compare LT, %j, %k, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>\n"
      "      %5 = stablehlo.and %3, %4 : tensor<i1>\n      %6 = stablehlo.or %1, %5 : tensor<i1>\n"
      "      %7 = stablehlo.select %6, %j, %k : tensor<i1>, tensor<i32>\n"
      "      stablehlo.return %2, %7 : tensor<f32>, tensor<i32>\n    }\n"
      "    return %0#0, %0#1 : tensor<2xf32>, tensor<2xi32>\n");
  const Tensor x = f32({2, 3}, {1, 9, 9, 4, 2, 3});
  CHECK(output_of(largest, {x}) == Numbers{9, 4});
  CHECK(output_of(largest, {x}, 1) == Numbers{1, 0});
  const Program pooled = stable(
      "(%x: tensor<1x1x4xf32>, %k: tensor<1x1x3xf32>) -> tensor<1x1x2xf32>",
      "    %0 = stablehlo.convolution(%x, %k) dim_numbers = [b, f, 0]x[o, i, 0]->[b, f, 0], window "
      "= {stride = [1], pad = [[1, 1]], lhs_dilate = [1], rhs_dilate = [1], reverse = [false]} "
      "{batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x1x4xf32>, "
      "tensor<1x1x3xf32>) -> tensor<1x1x4xf32>\n"
      "    %c = stablehlo.constant dense<0xFF800000> : tensor<f32>\n"
      "    %1 = \"stablehlo.reduce_window\"(%0, %c) <{padding = dense<0> : tensor<3x2xi64>, "
      "window_dimensions = array<i64: 1, 1, 2>, window_strides = array<i64: 1, 1, 2>}> ({\n"
      "    ^bb0(%a: tensor<f32>, %b: tensor<f32>):\n"
      "      %2 = stablehlo.maximum %a, %b : tensor<f32>\n      stablehlo.return %2 : tensor<f32>\n"
      "    }) : (tensor<1x1x4xf32>, tensor<f32>) -> tensor<1x1x2xf32>\n"
      "    return %1 : tensor<1x1x2xf32>\n");
  CHECK(output_of(pooled, {f32({1, 1, 4}, {1, 2, 3, 4}), f32({1, 1, 3}, {1, 10, 100})}) ==
        Numbers{321, 432});
}

TEST_CASE("what says where tensors lie changes nothing, and a part for one device is refused") {
  const std::string mesh =
                        "  sdy.mesh @mesh = <[\"data\"=2, \"model\"=2]> {stablehlo.mesh = {axes = "
                        "[{name = \"data\", size "
                        "= 2 : i64}]}} loc(#loc)\n",
                    sharding = "{sdy.sharding = #sdy.sharding<@mesh, [{\"data\"}, {}]>}",
                    head = "(%x: tensor<2x3xf32> " + sharding + ") -> (tensor<2x3xf32> " +
                           sharding + ")";
  const Program program =
      stable(head,
             "    %0 = sdy.sharding_constraint %x <@mesh, [{\"data\"}, {?}]> : tensor<2x3xf32>\n"
             "    %1 = stablehlo.negate %0 : tensor<2x3xf32>\n    return %1 : tensor<2x3xf32>\n",
             mesh);
  CHECK(program.size() == 2);
  CHECK_THROWS_WITH(
      stable(head,
             "    %0 = sdy.manual_computation(%x) in_shardings=[<@mesh, [{\"data\"}, {}]>] "
             "out_shardings=[<@mesh, [{\"data\"}, {}]>] manual_axes={\"data\"} (%arg1: "
             "tensor<1x3xf32>) {\n      sdy.return %arg1 : tensor<1x3xf32>\n    } : "
             "(tensor<2x3xf32>) -> tensor<2x3xf32>\n    return %0 : tensor<2x3xf32>\n",
             mesh),
      Contains("m.mlir:4:5: this is written for each device of a mesh alone (shard_map); export"));
}

TEST_CASE("rounding to fewer bits is read, and nothing where a type has no more") {
  const auto rounded = [](const std::string& type, const std::string& format) {
    return stable("(%x: tensor<2x" + type + ">) -> tensor<2x" + type + ">",
                  "    %0 = stablehlo.reduce_precision %x, format = " + format + " : tensor<2x" +
                      type + ">\n    return %0 : tensor<2x" + type + ">\n");
  };
  CHECK(rounded("bf16", "e8m7").size() == 1);
  CHECK(rounded("f32", "e8m23").size() == 1);
  CHECK(output_of(rounded("f32", "e8m7"), {f32({2}, {1.0078125, 257})}) == Numbers{1.0078125, 256});
  CHECK(output_of(rounded("f32", "e5m10"), {f32({2}, {1, 4097})}) == Numbers{1, 4096});
  CHECK_THROWS_WITH(rounded("f32", "e4m3"),
                    Contains("m.mlir:3:5: %0: to 4 bits of exponent and 3 of mantissa"));
}

TEST_CASE("errors in StableHLO name file, line, column and value") {
  refused("    %0 = stablehlo.negate %y : tensor<2xf32>\n    return %0 : tensor<2xf32>\n",
          "m.mlir:3:5: %0: '%y' is not defined before");
  refused("    %0 = stablehlo.fft %x : tensor<2xf32>\n    return %0 : tensor<2xf32>\n",
          "m.mlir:3:5: %0: opcode 'fft' is not supported");
  refused("    %0 = stablehlo.negate %x : tensor<?xf32>\n    return %0 : tensor<2xf32>\n",
          "m.mlir:3:5: %0: 'tensor<?xf32>': extents that are not numbers");
  refused("    %0 = stablehlo.negate %x : tensor<2xcomplex<f32>>\n    return %0 : tensor<2xf32>\n",
          "element type 'complex<f32>' is not supported");
  refused("    %0 = stablehlo.negate %x : tensor<3xf32>\n    return %0 : tensor<2xf32>\n",
          "m.mlir:3:5: %0: negate yields f32[2], not f32[3]");
  refused("    %0 = stablehlo.negate %x : tensor<2xf32\n", "m.mlir:3:38: bracket without end");
  CHECK_THROWS_WITH(parse_stablehlo("HloModule m", "m.mlir"),
                    Contains("m.mlir:1:1: expected 'module', found 'HloModule'"));
  CHECK_THROWS_WITH(parse_stablehlo("module {\n}", "m.mlir"), Contains("no function is @main"));
}

TEST_CASE("torn or changed StableHLO is an error or a program, never a crash") {
  const std::string text =
      "module @m {\n  func.func public @main(%x: tensor<2x3xf32> {tf.aliasing_output = 0 : i32}) "
      "-> "
      "tensor<2xf32> {\n    %c = stablehlo.constant dense<[1.0, 0xFF800000]> : tensor<2xf32>\n"
      "    %z = stablehlo.constant dense<0.0> : tensor<f32>\n"
      "    %0 = stablehlo.reduce(%x init: %z) applies stablehlo.add across dimensions = [1] : "
      "(tensor<2x3xf32>, tensor<f32>) -> tensor<2xf32> loc(\"a\")\n"
      "    %1 = stablehlo.add %0, %c : tensor<2xf32>\n    return %1 : tensor<2xf32>\n  }\n}\n";
  std::mt19937 random(1);
  const std::string characters = "{}()[]<>\",=%:-#@^ 019axb\n\\";
  for (std::size_t i = 0; i < 2 * text.size(); ++i) {
    std::string changed = text.substr(0, i < text.size() ? i : text.size());
    if (i >= text.size()) {
      changed[random() % text.size()] = characters[random() % characters.size()];
    }
    try {
      parse_stablehlo(changed, "changed.mlir");
    } catch (const Error& error) {
      CHECK_THAT(error.what(),
                 Catch::Matchers::StartsWith("changed.mlir:") || Contains("program '"));
    }
  }
}
