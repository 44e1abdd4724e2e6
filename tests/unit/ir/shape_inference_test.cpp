// SPDX-License-Identifier: Apache-2.0
#include "ir/shape_inference.hpp"

#include <catch2/catch.hpp>

#include "ir/builder.hpp"
#include "rhino/error.hpp"

using namespace rhino;
using namespace rhino::ir;
using Catch::Matchers::Contains;
using Catch::Matchers::Equals;

namespace {

Op make(OpKind kind, Attributes attributes = {}, Shape shape = {}) {
  return {.kind = kind, .shape = std::move(shape), .attributes = std::move(attributes)};
}
const Shape kMatrix{DType::f32, {4, 8}};
const Shape kIndices{DType::s32, {5, 1}};
const Shape kIndex{DType::s32, {}};
const Shape kFlag{DType::pred, {4, 8}};

void check_refused(const Op& op, const std::vector<Shape>& operands, const std::string& words,
                   std::int64_t group_size = 0) {
  CHECK_THROWS_WITH(infer_shape(op, operands, group_size), Contains(words));
}

}  // namespace

TEST_CASE("shapes of results follow from operands and attributes") {
  const auto shape = [](const Op& op, const std::vector<Shape>& operands, std::int64_t n = 0) {
    return to_string(infer_shape(op, operands, n));
  };
  CHECK(shape(make(OpKind::add), {kMatrix, kMatrix}) == "f32[4,8]");
  CHECK(shape(make(OpKind::compare, CompareAttr{}), {kMatrix, kMatrix}) == "pred[4,8]");
  CHECK(shape(make(OpKind::select), {kFlag, kMatrix, kMatrix}) == "f32[4,8]");
  CHECK(shape(make(OpKind::is_finite), {kMatrix}) == "pred[4,8]");
  CHECK(shape(make(OpKind::convert, {}, {DType::bf16, {4, 8}}), {kMatrix}) == "bf16[4,8]");
  CHECK(shape(make(OpKind::transpose, DimsAttr{{1, 0}}), {kMatrix}) == "f32[8,4]");
  CHECK(shape(make(OpKind::slice, SliceAttr{{1, 0}, {4, 8}, {2, 3}}), {kMatrix}) == "f32[2,3]");
  CHECK(shape(make(OpKind::pad, PadAttr{{1, -2}, {0, 0}, {2, 0}}), {kMatrix, {DType::f32, {}}}) ==
        "f32[11,6]");
  CHECK(shape(make(OpKind::concatenate, DimAttr{1}), {kMatrix, {DType::f32, {4, 1}}}) ==
        "f32[4,9]");
  CHECK(shape(make(OpKind::reduce, ReduceAttr{{0}}), {kMatrix}) == "f32[8]");
  CHECK(shape(make(OpKind::dot, DotAttr{{1}, {0}, {2}, {2}}),
              {{DType::f32, {2, 3, 5}}, {DType::f32, {3, 7, 5}}}) == "f32[3,2,7]");
  CHECK(shape(make(OpKind::gather, GatherAttr{{1}, {0}, {0}, {1, 8}, 1}), {kMatrix, kIndices}) ==
        "f32[5,8]");
  CHECK(shape(make(OpKind::scatter, ScatterAttr{{1}, {0}, {0}, 1}),
              {kMatrix, kIndices, {DType::f32, {5, 8}}}) == "f32[4,8]");
  CHECK(shape(make(OpKind::dynamic_slice, DynamicSliceAttr{{2, 8}}), {kMatrix, kIndex, kIndex}) ==
        "f32[2,8]");
  CHECK(shape(make(OpKind::reduce_window, WindowAttr{{2, 2}, {2, 2}, {0, 1}, {0, 1}}), {kMatrix}) ==
        "f32[2,5]");
  CHECK(shape(make(OpKind::all_gather, CollectiveAttr{{0}}), {kMatrix}, 3) == "f32[3,4,8]");
  CHECK(shape(make(OpKind::reduce_scatter, CollectiveAttr{{0}}), {kMatrix}, 4) == "f32[8]");
  CHECK(shape(make(OpKind::all_to_all, CollectiveAttr{{0}}), {kMatrix}, 4) == "f32[4,8]");
  CHECK(shape(make(OpKind::sort, DimAttr{1}), {kMatrix, {DType::s32, {4, 8}}}) == "s32[4,8]");
}

TEST_CASE("a strided, dilated, grouped convolution has the extents of its formula") {
  ConvolutionAttr dims;
  dims.input_spatial = dims.kernel_spatial = dims.output_spatial = {2, 3};
  dims.strides = {2, 1};
  dims.low = {1, 0};
  dims.high = {1, 2};
  dims.lhs_dilation = {1, 2};
  dims.rhs_dilation = {2, 1};
  dims.feature_groups = 2;
  const Shape result = infer_shape(make(OpKind::convolution, dims),
                                   {{DType::f32, {3, 4, 9, 5}}, {DType::f32, {6, 2, 3, 3}}});
  // (9 + 2 - 5) / 2 + 1 and (9 + 2 - 3) / 1 + 1
  CHECK(to_string(result) == "f32[3,6,4,9]");
  dims.feature_groups = 1;
  check_refused(make(OpKind::convolution, dims),
                {{DType::f32, {3, 4, 9, 5}}, {DType::f32, {6, 2, 3, 3}}}, "input features");
}

TEST_CASE("an error names the op, its operands and what is wrong") {
  Op op = make(OpKind::add);
  op.name = "h0.residual";
  CHECK_THROWS_WITH(infer_shape(op, {kMatrix, {DType::f32, {8}}}),
                    Equals("add 'h0.residual' (f32[4,8], f32[8]): operands differ in shape"));
}

TEST_CASE("operands that do not fit are refused") {
  check_refused(make(OpKind::add), {kMatrix}, "takes 2 operands, not 1");
  check_refused(make(OpKind::add), {kMatrix, {DType::bf16, {4, 8}}}, "element type");
  check_refused(make(OpKind::add), {kFlag, kFlag}, "takes no pred");
  check_refused(make(OpKind::exponential), {{DType::s32, {}}}, "floating-point");
  check_refused(make(OpKind::logical_and), {kMatrix, kMatrix}, "pred or integers");
  check_refused(make(OpKind::compare), {kMatrix, kMatrix}, "attributes of this op are missing");
  check_refused(make(OpKind::select), {kMatrix, kMatrix, kMatrix}, "is not pred");
  check_refused(make(OpKind::convert, {}, {DType::f32, {8}}), {kMatrix}, "dims differ");
  check_refused(make(OpKind::constant, ConstantAttr{{1, 2}}, kMatrix), {}, "holds 2 elements");
  check_refused(make(OpKind::axis_index, CollectiveAttr{{0}}, kMatrix), {}, "s32[]");
}

TEST_CASE("shape ops refuse dims that do not exist or do not fit") {
  check_refused(make(OpKind::broadcast, DimsAttr{{1}}, {DType::f32, {3, 4}}), {{DType::f32, {3}}},
                "dim 0 does not fit dim 1");
  check_refused(make(OpKind::broadcast, DimsAttr{{1, 0}}, {DType::f32, {8, 4}}), {kMatrix},
                "do not increase");
  check_refused(make(OpKind::reshape, {}, {DType::f32, {33}}), {kMatrix}, "number of elements");
  check_refused(make(OpKind::transpose, DimsAttr{{0, 0}}), {kMatrix}, "dim 0 twice");
  check_refused(make(OpKind::transpose, DimsAttr{{0}}), {kMatrix}, "has 1 entries, needs 2");
  check_refused(make(OpKind::slice, SliceAttr{{0, 5}, {4, 9}, {1, 1}}), {kMatrix},
                "[5:9:1] is no range of dim 1");
  check_refused(make(OpKind::pad, PadAttr{{-3, 0}, {-2, 0}, {0, 0}}), {kMatrix, {DType::f32, {}}},
                "crops more");
  check_refused(make(OpKind::concatenate, DimAttr{0}), {kMatrix, {DType::f32, {4, 7}}},
                "outside of the concatenated dim");
  check_refused(make(OpKind::reduce, ReduceAttr{{2}}), {kMatrix}, "dim 2 of a tensor of rank 2");
  check_refused(make(OpKind::reduce, ReduceAttr{{0}}), {kFlag}, "no sum");
}

TEST_CASE("dots and indexing refuse dimension numbers that do not fit") {
  check_refused(make(OpKind::dot, DotAttr{{}, {}, {1}, {0}}), {kMatrix, kMatrix},
                "contracting dims 1 and 0 differ in extent");
  check_refused(make(OpKind::dot, DotAttr{{0}, {0}, {0}, {0}}), {kMatrix, kMatrix}, "twice");
  check_refused(make(OpKind::gather, GatherAttr{{1}, {0}, {0}, {2, 8}, 1}), {kMatrix, kIndices},
                "slice size other than one");
  check_refused(make(OpKind::gather, GatherAttr{{1}, {0}, {0, 1}, {1, 8}, 1}), {kMatrix, kIndices},
                "one entry per indexed dim");
  check_refused(make(OpKind::scatter, ScatterAttr{{1}, {0}, {0}, 1}),
                {kMatrix, kIndices, {DType::f32, {6, 8}}}, "dims of the indices");
  check_refused(make(OpKind::dynamic_slice, DynamicSliceAttr{{5, 8}}), {kMatrix, kIndex, kIndex},
                "larger than the tensor");
  check_refused(make(OpKind::dynamic_update_slice), {kMatrix, kMatrix, kIndex},
                "takes 4 operands, not 3");
  check_refused(
      make(OpKind::select_and_scatter, WindowAttr{{2, 2}, {2, 2}, {0, 0}, {0, 0}, Reduction::max}),
      {kMatrix, kMatrix}, "one value per window, f32[2,4]");
  check_refused(make(OpKind::reduce_scatter, CollectiveAttr{{0}}), {kMatrix},
                "not the number of ranks, 3", 3);
}

TEST_CASE("a program is refused when its parts do not fit together") {
  Builder builder("p");
  const ValueId weight = builder.input(InputKind::parameter, kMatrix, {}, "w");
  const ValueId sum = builder.reduce(weight, {0, 1}, Reduction::sum);
  builder.output(sum, OutputKind::loss);
  const Program good = builder.program();
  CHECK_NOTHROW(check_program(good));
  const auto refused = [&](const std::string& words, auto spoil) {
    Program bad = good;
    spoil(bad);
    CHECK_THROWS_WITH(check_program(bad), Contains(words));
  };
  refused("op 1 reduce is declared f32[8] but yields f32[]",
          [](Program& p) { p.ops[1].shape.dims = {8}; });
  refused("which is no earlier op", [](Program& p) { p.ops[1].operands = {1}; });
  refused("is no input", [](Program& p) { p.inputs.clear(); });
  refused("twice", [](Program& p) { p.inputs.push_back(p.inputs[0]); });
  refused("is no parameter op", [](Program& p) { p.inputs[0].value = 1; });
  refused("but is no state", [](Program& p) { p.inputs[0].state_of = 0; });
  refused("is a loss of f32[4,8]", [](Program& p) { p.outputs[0].value = 0; });
  refused("is f32[] but its input 0 is f32[4,8]", [](Program& p) {
    p.outputs[0] = {1, OutputKind::gradient, 0};
  });
  refused("belongs to no input", [](Program& p) { p.outputs[0].kind = OutputKind::gradient; });
}
