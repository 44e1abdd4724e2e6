// SPDX-License-Identifier: Apache-2.0
#include "plan/boundary.hpp"

#include <algorithm>
#include <string>

#include "plan/transfer_steps.hpp"
#include "rhino/error.hpp"
#include "rhino/index.hpp"

namespace rhino::plan {
namespace {

Site origin_site(const Border& border) {
  return border.origin == Border::Origin::input ? Site{} : border.site;
}

/// One border that another role receives.
struct Crossing {
  std::int32_t role = -1, border = -1;
  const Border* received = nullptr;
};

bool has_role(const CrossingTensor& tensor, std::int32_t role) {
  return std::any_of(tensor.targets.begin(), tensor.targets.end(),
                     [&](const auto& target) { return target.role == role; });
}

/// Adds a target to the tensor it is of. A role that wants two forms of one value gets two tensors.
void add_tensor(std::vector<CrossingTensor>& tensors, const Crossing& crossing) {
  const std::int32_t source = crossing.received->source_border;
  for (CrossingTensor& tensor : tensors) {
    if (tensor.source_border != source || has_role(tensor, crossing.role)) continue;
    tensor.targets.push_back({crossing.role, crossing.border});
    return;
  }
  tensors.push_back({source, {{crossing.role, crossing.border}}});
}

bool share_a_role(const std::vector<std::int32_t>& a, const std::vector<std::int32_t>& b) {
  return std::any_of(a.begin(), a.end(), [&](std::int32_t role) {
    return std::find(b.begin(), b.end(), role) != b.end();
  });
}

void merge(Boundary& into, const Boundary& other) {
  into.tensors.insert(into.tensors.end(), other.tensors.begin(), other.tensors.end());
  into.target_roles.insert(into.target_roles.end(), other.target_roles.begin(),
                           other.target_roles.end());
  std::sort(into.target_roles.begin(), into.target_roles.end());
  into.target_roles.erase(std::unique(into.target_roles.begin(), into.target_roles.end()),
                          into.target_roles.end());
}

/// Puts boundaries of one origin together that have target roles in common.
void add_boundary(std::vector<Boundary>& boundaries, Boundary boundary) {
  const auto belongs = [&](const Boundary& other) {
    return other.source_role == boundary.source_role && other.site == boundary.site &&
           other.per_micro_batch == boundary.per_micro_batch &&
           share_a_role(other.target_roles, boundary.target_roles);
  };
  auto first = std::find_if(boundaries.begin(), boundaries.end(), belongs);
  if (first == boundaries.end()) {
    boundaries.push_back(std::move(boundary));
    return;
  }
  merge(*first, boundary);
  for (std::size_t i = at(first - boundaries.begin()) + 1; i < boundaries.size();) {
    if (!belongs(boundaries[i])) {
      ++i;
      continue;
    }
    merge(*first, boundaries[i]);
    boundaries.erase(boundaries.begin() + static_cast<std::ptrdiff_t>(i));
  }
}

ReshardProblem problem_of(const Boundary& boundary, const std::vector<RoleBlocks>& roles,
                          const Cluster& cluster) {
  ReshardProblem problem{{}, cluster};
  const RoleBlocks& source = roles[at(boundary.source_role)];
  for (const CrossingTensor& tensor : boundary.tensors) {
    const Border& border = source.borders[at(tensor.source_border)];
    ReshardTensor& reshard =
        problem.tensors.emplace_back(ReshardTensor{border.global, source.mesh, border.spec, {}});
    for (const CrossingTensor::Target& target : tensor.targets) {
      const RoleBlocks& role = roles[at(target.role)];
      reshard.targets.push_back({role.mesh, role.borders[at(target.border)].spec});
    }
  }
  return problem;
}

std::vector<TransferLayout> layouts_of(const Boundary& boundary,
                                       const std::vector<RoleBlocks>& roles) {
  std::vector<TransferLayout> layouts;
  for (const CrossingTensor& tensor : boundary.tensors) {
    TransferLayout& layout = layouts.emplace_back();
    const Border& source = roles[at(boundary.source_role)].borders[at(tensor.source_border)];
    layout.source = {boundary.source_role, source.spec};
    for (const CrossingTensor::Target& target : tensor.targets) {
      layout.targets.push_back(
          {target.role, roles[at(target.role)].borders[at(target.border)].spec});
    }
  }
  return layouts;
}

const char* phase_name(const Boundary& boundary) {
  switch (boundary.site.phase) {
    case sharding::ChunkPhase::prologue: return "prologue";
    case sharding::ChunkPhase::forward: return "forward";
    case sharding::ChunkPhase::backward: return "backward";
    case sharding::ChunkPhase::update: return "update";
  }
  return "";
}

std::string name_of(const Boundary& boundary) {
  std::string name = phase_name(boundary);
  if (boundary.site.chunk >= 0) name += " of chunk " + std::to_string(boundary.site.chunk);
  name += ", role " + std::to_string(boundary.source_role) + " to";
  for (std::int32_t role : boundary.target_roles) name += " " + std::to_string(role);
  return name;
}

std::vector<TransferStep> steps_of(const ReshardProblem& problem, const TransferPlan& plan,
                                   const std::string& name) {
  try {
    return transfer_steps(problem, plan);
  } catch (const Error& error) {
    throw Error("transfer '" + name + "': " + error.what());
  }
}

}  // namespace

std::vector<Boundary> make_boundaries(const std::vector<RoleBlocks>& roles) {
  std::vector<Boundary> boundaries;
  // By source border, so that a value's targets meet in one tensor whatever roles they are.
  std::vector<Crossing> crossings;
  for (std::size_t role = 0; role < roles.size(); ++role) {
    for (std::size_t b = 0; b < roles[role].borders.size(); ++b) {
      const Border& border = roles[role].borders[b];
      if (border.origin != Border::Origin::received) continue;
      crossings.push_back({static_cast<std::int32_t>(role), static_cast<std::int32_t>(b), &border});
    }
  }
  std::stable_sort(crossings.begin(), crossings.end(), [](const Crossing& a, const Crossing& b) {
    return std::pair(a.received->source_role, a.received->source_border) <
           std::pair(b.received->source_role, b.received->source_border);
  });
  for (std::size_t i = 0; i < crossings.size();) {
    const Border& first = *crossings[i].received;
    const Border& source = roles[at(first.source_role)].borders[at(first.source_border)];
    Boundary boundary{first.source_role, origin_site(source), source.per_micro_batch, {}, {}};
    for (; i < crossings.size() && crossings[i].received->source_role == first.source_role &&
           crossings[i].received->source_border == first.source_border;
         ++i) {
      add_tensor(boundary.tensors, crossings[i]);
      boundary.target_roles.push_back(crossings[i].role);
    }
    boundary.target_roles.erase(
        std::unique(boundary.target_roles.begin(), boundary.target_roles.end()),
        boundary.target_roles.end());
    add_boundary(boundaries, std::move(boundary));
  }
  return boundaries;
}

std::vector<Communication> reshard(const std::vector<Boundary>& boundaries,
                                   const std::vector<RoleBlocks>& roles, const Cluster& cluster,
                                   Resharding& resharding, bool& incomplete) {
  std::vector<Communication> communications;
  std::vector<ReshardProblem> problems;
  std::vector<std::size_t> answer;  // per problem, the communication that has its steps
  for (const Boundary& boundary : boundaries) {
    Communication communication;
    communication.name = name_of(boundary);
    communication.layouts = layouts_of(boundary, roles);
    const ReshardProblem problem = problem_of(boundary, roles, cluster);
    for (const ReshardTensor& tensor : problem.tensors) communication.parts.push_back(tensor.shape);
    const auto known = std::find(problems.begin(), problems.end(), problem);
    if (known != problems.end()) {
      communication.steps = communications[answer[at(known - problems.begin())]].steps;
    } else {
      const TransferPlan plan = resharding.plan(problem);
      incomplete = incomplete || plan.incomplete;
      communication.steps = steps_of(problem, plan, communication.name);
      problems.push_back(problem);
      answer.push_back(communications.size());
    }
    communications.push_back(std::move(communication));
  }
  return communications;
}

}  // namespace rhino::plan
