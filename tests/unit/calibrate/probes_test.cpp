// SPDX-License-Identifier: Apache-2.0
#include "calibrate/probes.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>

#include "cost/dot_products.hpp"
#include "lower/lower.hpp"

using namespace rhino;
using namespace rhino::calibrate;

namespace {

/// The only kernel that a probe times.
lower::KernelGroup only_kernel(const Probe& probe) {
  const lower::LoweredProgram lowered = lower::lower(probe.program);
  REQUIRE(lowered.groups.size() == 1);
  return lowered.groups.front();
}

std::int64_t count(const Probe& probe, OpKind kind) {
  return std::ranges::count_if(probe.program.ops, [&](const Op& op) { return op.kind == kind; });
}

}  // namespace

TEST_CASE("loops that are compared differ by what is measured alone") {
  constexpr std::int64_t kElements = 2400;
  for (const OpKind kind : {OpKind::add, OpKind::multiply, OpKind::maximum}) {
    const Probe steps = steps_probe(kind, kElements);
    CHECK(only_kernel(steps).kind == lower::KernelGroup::Kind::loop);
    CHECK(count(steps, kind) == kLoopSteps);
  }
  const Probe none = terms_probe(std::nullopt, kElements);
  CHECK(only_kernel(none).kind == lower::KernelGroup::Kind::loop);
  for (const OpKind kind : {OpKind::divide, OpKind::negate, OpKind::exponential, OpKind::tanh,
                            OpKind::log, OpKind::sqrt, OpKind::rsqrt}) {
    const Probe terms = terms_probe(kind, kElements);
    CHECK(only_kernel(terms).kind == lower::KernelGroup::Kind::loop);
    CHECK(count(terms, kind) == kLoopSteps);
    CHECK(only_kernel(terms).ops.size() == only_kernel(none).ops.size() + kLoopSteps);
  }
  CHECK(count(terms_probe(OpKind::select, kElements), OpKind::select) == kLoopSteps);
}

TEST_CASE("sums along columns are taken in one pass, and rows are turned by a kernel") {
  const Probe columns = columns_probe(2400, 240);
  CHECK(only_kernel(columns).outputs.size() == kColumnSums);
  CHECK(columns.more_outputs.size() == kColumnSums - 1);
  for (const lower::LoopNest& nest : only_kernel(columns).nests) {
    for (const lower::LoopNest::Member& member : nest.members) CHECK_FALSE(member.folds);
  }
  const Probe turned = turn_probe(2400, 40);
  CHECK(only_kernel(turned).ops.size() == 1);
  CHECK(turned.output.dims == std::vector<std::int64_t>{4, 15, 40});
}

TEST_CASE("a probe of rows folds each, and goes over each again") {
  const lower::KernelGroup loop = only_kernel(fold_probe(2400, 240));
  REQUIRE(loop.nests.size() == 1);
  CHECK(std::ranges::count_if(loop.nests[0].members, &lower::LoopNest::Member::folds) ==
        kFoldChain);
  CHECK(loop.nests[0].rows == 10);
}

TEST_CASE("heads of a batch are products beside each other") {
  for (const Layout layout : {Layout::plain, Layout::columns, Layout::rows}) {
    const Probe probe = dot_probe({12, 160, 160, 40, 0}, DType::f32, layout);
    const lower::LoweredProgram lowered = lower::lower(probe.program);
    REQUIRE(lowered.groups.size() == 1);
    const cost::DotProducts products =
        cost::dot_products(lowered, lowered.groups.front().ops.front());
    const std::int64_t first =
        layout == Layout::columns ? 12 : 160;  // columns are longer than rows
    CHECK(probe.inputs[0].dims.front() == first);
    CHECK(products.extents.batch == 12);
    CHECK(products.extents.m == 160);
    CHECK(products.extents.n == 160);
    CHECK(products.extents.k == 40);
    CHECK(products.has_lhs_columns == (layout == Layout::columns));
    CHECK(products.has_rhs_rows == (layout == Layout::rows));
  }
}

TEST_CASE("dots of 16 bits are measured where those of f32 are, of GPUs too") {
  for (const char* device : {"cpu", "cuda"}) {
    WorkerSetup setup;
    setup.session.device = device;
    const Sizes& sizes = sizes_of(setup);
    const std::vector<cost::Calibration::Dot> all = dot_grid(sizes);
    for (const cost::Calibration::Dot& dot : narrow_grid(sizes))
      CHECK(std::ranges::find(all, dot) != all.end());
    // Which is run hot.
    const std::int64_t largest = sizes.extents.back();
    if (sizes.has_large_narrow)
      CHECK(narrow_grid(sizes).back() == cost::Calibration::Dot{1, largest, largest, largest, 0});
  }
}

TEST_CASE("a convolution is measured alone, as are those that make its derivatives") {
  constexpr Images kImages{2, 8, 6, 10, 3, 1};
  constexpr std::int64_t kPixels = 2 * 8 * 8;
  const auto extents_of = [&](Pass pass) {
    const Probe probe = convolution_probe(kImages, DType::f32, pass);
    CHECK(probe.program.ops.size() == 3);  // two operands, and it
    CHECK(count(probe, OpKind::convolution) == 1);
    CHECK(probe.inputs.size() == 2);
    return cost::patch_extents(probe.program, probe.program.outputs.front().value);
  };
  const cost::DotExtents forward = extents_of(Pass::forward), images = extents_of(Pass::of_images),
                         kernel = extents_of(Pass::of_kernel);
  CHECK(forward.m == kPixels);
  CHECK(forward.n == 10);
  CHECK(images.m == kPixels);
  CHECK(images.n == 6);
  CHECK(std::minmax(kernel.m, kernel.n) == std::minmax<std::int64_t>(9 * 6, 10));
  // As FLOPs of convolutions are counted, what is beyond the edge included.
  CHECK(forward.k == 9 * 6);
  CHECK(images.k == 9 * 10);
  const Probe strided = convolution_probe({1, 8, 3, 4, 7, 2}, DType::bf16, Pass::forward);
  CHECK(strided.output == Shape{DType::bf16, {1, 4, 4, 4}});
}
