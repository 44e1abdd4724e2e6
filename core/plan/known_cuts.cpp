// SPDX-License-Identifier: Apache-2.0
#include "plan/known_cuts.hpp"

#include <algorithm>
#include <utility>

#include "ir/structure_hash.hpp"
#include "ir/without_names.hpp"

namespace rhino::plan {
namespace {

/// What is kept takes some hundred bytes per op, twice.
constexpr std::int64_t kMostOps = 1 << 17;

bool asks_the_same(const CutProblem& a, const CutProblem& b) {
  return a.arrival == b.arrival && a.departures == b.departures && a.reductions == b.reductions &&
         a.least_bucket_bytes == b.least_bucket_bytes && a.lasting == b.lasting &&
         a.reduces_last == b.reduces_last && a.inside == b.inside &&
         a.target_roles == b.target_roles && a.arrival_rank == b.arrival_rank &&
         a.blocks == b.blocks && a.first_under_way == b.first_under_way;
}

CutProblem of_program(const Program& program, const CutProblem& problem) {
  return {program,
          problem.arrival,
          problem.departures,
          problem.reductions,
          problem.least_bucket_bytes,
          problem.lasting,
          problem.reduces_last,
          problem.inside,
          problem.target_roles,
          problem.arrival_rank,
          problem.blocks,
          problem.first_under_way};
}

}  // namespace

struct KnownCuts::Known {
  explicit Known(const CutProblem& asked)
      : program(ir::without_names(asked.program)),
        problem(of_program(program, asked)),
        made(std::make_shared<const CutProgram>(cut(problem))) {}
  Program program;
  CutProblem problem;  ///< of that
  std::shared_ptr<const CutProgram> made;
};

KnownCuts::KnownCuts() = default;
KnownCuts::~KnownCuts() = default;

std::shared_ptr<const CutProgram> KnownCuts::of(const CutProblem& problem) {
  const std::size_t hash = ir::structure_hash(problem.program);
  const auto [first, last] = known_.equal_range(hash);
  const auto same = std::find_if(first, last, [&](const auto& known) {
    return asks_the_same(known.second->problem, problem) &&
           ir::compute_alike(known.second->program, problem.program);
  });
  if (same != last) return same->second->made;
  if (num_ops_ > kMostOps) known_.clear(), num_ops_ = 0;
  num_ops_ += problem.program.size();
  return known_.emplace(hash, std::make_unique<const Known>(problem))->second->made;
}

}  // namespace rhino::plan
