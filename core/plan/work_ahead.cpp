// SPDX-License-Identifier: Apache-2.0
#include "plan/work_ahead.hpp"

#include <algorithm>
#include <memory>

#include "ir/flops.hpp"
#include "rhino/index.hpp"

namespace rhino::plan {
namespace {

double flops(const Program& program) {
  double sum = 0;
  for (ValueId id = 0; id < program.size(); ++id) sum += ir::op_flops(program, id);
  return sum;
}

double needed_flops(const CutProblem& problem) {
  const Program& program = problem.program;
  std::vector<bool> needed(program.ops.size());
  for (const std::vector<ValueId>& departure : problem.departures)
    for (const ValueId id : departure) needed[at(id)] = true;
  double sum = 0;
  for (ValueId id = program.size(); id-- > 0;) {
    if (!needed[at(id)]) continue;
    sum += ir::op_flops(program, id);
    for (const ValueId operand : program.op(id).operands) needed[at(operand)] = true;
  }
  return sum;
}

}  // namespace

double share_ahead(const CutProblem& problem, KnownCuts& cuts) {
  const std::shared_ptr<const CutProgram> known = cuts.of(problem);
  const CutProgram& whole = *known;
  const auto last = std::ranges::find(whole.items.rbegin(), whole.items.rend(),
                                      CutItem::Kind::depart, &CutItem::kind);
  double run = 0, all = 0;
  for (auto item = whole.items.begin(); item != whole.items.end(); ++item) {
    if (item->kind != CutItem::Kind::run) continue;
    const double own = flops(whole.runs[at(item->index)].program);
    all += own;
    if (item < last.base()) run += own;
  }
  return all > 0 ? std::max(0.0, run - needed_flops(problem)) / all : 0;
}

}  // namespace rhino::plan
