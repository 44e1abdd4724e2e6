// SPDX-License-Identifier: Apache-2.0
#include "plan/known_cuts.hpp"

#include <catch2/catch.hpp>
#include <functional>
#include <utility>

#include "ir/builder.hpp"

namespace rhino::plan {
namespace {

/// A product that is summed up over devices, and one that is not.
Program two_products(const std::string& name, Reduction reduction = Reduction::sum) {
  ir::Builder b(name);
  const Shape square{DType::f32, {64, 64}};
  const ValueId x = b.input(InputKind::batch, square, {}, name),
                w = b.input(InputKind::parameter, square, {}, "w");
  const ValueId product = b.dot(x, w, DotAttr{{}, {}, {1}, {0}});
  Op op{.kind = OpKind::all_reduce,
        .operands = {product},
        .attributes = CollectiveAttr{{0}, reduction}};
  b.output(b.add(std::move(op)), OutputKind::value);
  b.output(b.dot(w, x, DotAttr{{}, {}, {1}, {0}}), OutputKind::value);
  return std::move(b).finish();
}

CutProblem problem_of(const Program& program) {
  return {program, {-1, -1}, {}, {}, GradientSums().bucket_bytes, {false, false}};
}

std::vector<CutItem::Kind> kinds_of(const CutProgram& cut) {
  std::vector<CutItem::Kind> kinds;
  for (const CutItem& item : cut.items) kinds.push_back(item.kind);
  return kinds;
}

}  // namespace

TEST_CASE("programs that compute alike are cut once for the same, whatever their names") {
  KnownCuts cuts;
  const Program program = two_products("x"), alike = two_products("y");
  const auto known = cuts.of(problem_of(program));
  CHECK(cuts.of(problem_of(alike)) == known);
  CHECK(kinds_of(*known) == kinds_of(cut(problem_of(program))));
}

TEST_CASE("what differs in anything that a cut is asked for is cut for itself") {
  const Program program = two_products("x"), another = two_products("x", Reduction::max);
  const ValueId sum = program.outputs.front().value;
  const std::vector<std::function<void(CutProblem&)>> changes{
      [](CutProblem& problem) { problem.arrival[0] = 0; },
      [&](CutProblem& problem) { problem.departures = {{sum}}; },
      [&](CutProblem& problem) { problem.reductions = {sum}; },
      [](CutProblem& problem) { problem.least_bucket_bytes = 1; },
      [](CutProblem& problem) { problem.lasting[1] = true; },
      [](CutProblem& problem) { problem.reduces_last = true; },
      [&](CutProblem& problem) { problem.inside.assign(program.ops.size(), false); },
      [](CutProblem& problem) { problem.target_roles = {{0}}; },
      [](CutProblem& problem) { problem.arrival_rank = {1}; },
      [](CutProblem& problem) { problem.first_under_way = 1; },
  };
  KnownCuts cuts;
  std::vector<std::shared_ptr<const CutProgram>> made{cuts.of(problem_of(program)),
                                                      cuts.of(problem_of(another))};
  for (const auto& change : changes) {
    CutProblem problem = problem_of(program);
    change(problem);
    made.push_back(cuts.of(problem));
    CHECK(kinds_of(*made.back()) == kinds_of(cut(problem)));
    CHECK(cuts.of(problem) == made.back());
  }
  for (std::size_t i = 0; i < made.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      INFO(i << " and " << j);
      CHECK(made[i] != made[j]);
    }
  }
}

}  // namespace rhino::plan
