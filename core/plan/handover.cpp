// SPDX-License-Identifier: Apache-2.0
#include "plan/handover.hpp"

#include <algorithm>
#include <string>

#include "plan/reshard_shares.hpp"
#include "plan/transfer_steps.hpp"
#include "rhino/error.hpp"
#include "rhino/index.hpp"

namespace rhino::plan {
namespace {

Site origin_site(const Resident& resident) {
  return resident.origin == Resident::Origin::input ? Site{} : resident.site;
}

/// One resident that another role receives.
struct Arrival {
  std::int32_t role = -1, resident = -1;
  const Resident* received = nullptr;
};

bool has_role(const Handover::Tensor& tensor, std::int32_t role) {
  return std::any_of(tensor.targets.begin(), tensor.targets.end(),
                     [&](const auto& target) { return target.role == role; });
}

/// Adds a target to the tensor it is of. A role that wants two forms of one value gets two tensors.
void add_tensor(std::vector<Handover::Tensor>& tensors, const Arrival& arrival) {
  const std::int32_t source = arrival.received->source_resident;
  for (Handover::Tensor& tensor : tensors) {
    if (tensor.source_resident != source || has_role(tensor, arrival.role)) continue;
    tensor.targets.push_back({arrival.role, arrival.resident});
    return;
  }
  tensors.push_back({source, {{arrival.role, arrival.resident}}});
}

bool share_a_role(const std::vector<std::int32_t>& a, const std::vector<std::int32_t>& b) {
  return std::any_of(a.begin(), a.end(), [&](std::int32_t role) {
    return std::find(b.begin(), b.end(), role) != b.end();
  });
}

void merge(Handover& into, const Handover& other) {
  into.tensors.insert(into.tensors.end(), other.tensors.begin(), other.tensors.end());
  into.target_roles.insert(into.target_roles.end(), other.target_roles.begin(),
                           other.target_roles.end());
  std::sort(into.target_roles.begin(), into.target_roles.end());
  into.target_roles.erase(std::unique(into.target_roles.begin(), into.target_roles.end()),
                          into.target_roles.end());
}

/// Puts handovers of one origin together that have target roles in common.
void add_handover(std::vector<Handover>& handovers, Handover handover) {
  const auto belongs = [&](const Handover& other) {
    return other.source_role == handover.source_role && other.site == handover.site &&
           other.per_micro_batch == handover.per_micro_batch && other.level == handover.level &&
           share_a_role(other.target_roles, handover.target_roles);
  };
  auto first = std::find_if(handovers.begin(), handovers.end(), belongs);
  if (first == handovers.end()) {
    handovers.push_back(std::move(handover));
    return;
  }
  merge(*first, handover);
  for (std::size_t i = at(first - handovers.begin()) + 1; i < handovers.size();) {
    if (!belongs(handovers[i])) {
      ++i;
      continue;
    }
    merge(*first, handovers[i]);
    handovers.erase(handovers.begin() + static_cast<std::ptrdiff_t>(i));
  }
}

ReshardProblem problem_of(const Handover& handover, const std::vector<RoleBlocks>& roles,
                          const Cluster& cluster) {
  ReshardProblem problem{{}, cluster};
  const RoleBlocks& source = roles[at(handover.source_role)];
  for (const Handover::Tensor& tensor : handover.tensors) {
    const Resident& resident = source.residents[at(tensor.source_resident)];
    ReshardTensor& reshard = problem.tensors.emplace_back(
        ReshardTensor{resident.global, source.mesh, resident.spec, {}});
    for (const Handover::Target& target : tensor.targets) {
      const RoleBlocks& role = roles[at(target.role)];
      reshard.targets.push_back({role.mesh, role.residents[at(target.resident)].spec});
    }
  }
  return problem;
}

std::vector<TransferLayout> layouts_of(const Handover& handover,
                                       const std::vector<RoleBlocks>& roles) {
  std::vector<TransferLayout> layouts;
  for (const Handover::Tensor& tensor : handover.tensors) {
    TransferLayout& layout = layouts.emplace_back();
    const Resident& source = roles[at(handover.source_role)].residents[at(tensor.source_resident)];
    layout.source = {handover.source_role, source.spec};
    for (const Handover::Target& target : tensor.targets) {
      layout.targets.push_back(
          {target.role, roles[at(target.role)].residents[at(target.resident)].spec});
    }
  }
  return layouts;
}

void set_shares(const ReshardProblem& problem, const ReshardShares& shares,
                Communication& communication) {
  if (shares.num_shares == 1) return;
  communication.num_shares = shares.num_shares;
  for (std::size_t t = 0; t < problem.tensors.size(); ++t) {
    const ReshardTensor& tensor = problem.tensors[t];
    TransferLayout& layout = communication.layouts[t];
    layout.source.share_axis = axis_of(tensor.source_mesh, shares.axis);
    for (std::size_t i = 0; i < tensor.targets.size(); ++i)
      layout.targets[i].share_axis = axis_of(tensor.targets[i].mesh, shares.axis);
  }
}

const char* phase_name(const Handover& handover) {
  switch (handover.site.phase) {
    case sharding::ChunkPhase::prologue: return "prologue";
    case sharding::ChunkPhase::forward: return "forward";
    case sharding::ChunkPhase::backward: return "backward";
    case sharding::ChunkPhase::weight: return "weight";
    case sharding::ChunkPhase::update: return "update";
  }
  return "";
}

std::string name_of(const Handover& handover) {
  std::string name = phase_name(handover);
  if (handover.site.chunk >= 0) name += " of chunk " + std::to_string(handover.site.chunk);
  name += ", role " + std::to_string(handover.source_role) + " to";
  for (std::int32_t role : handover.target_roles) name += " " + std::to_string(role);
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

std::vector<Handover> make_handovers(const std::vector<RoleBlocks>& roles) {
  std::vector<Handover> handovers;
  // By source resident, so that a value's targets meet in one tensor whatever roles they are.
  std::vector<Arrival> arrivals;
  for (std::size_t role = 0; role < roles.size(); ++role) {
    for (std::size_t b = 0; b < roles[role].residents.size(); ++b) {
      const Resident& resident = roles[role].residents[b];
      if (resident.origin != Resident::Origin::received) continue;
      arrivals.push_back(
          {static_cast<std::int32_t>(role), static_cast<std::int32_t>(b), &resident});
    }
  }
  std::stable_sort(arrivals.begin(), arrivals.end(), [](const Arrival& a, const Arrival& b) {
    return std::pair(a.received->source_role, a.received->source_resident) <
           std::pair(b.received->source_role, b.received->source_resident);
  });
  for (std::size_t i = 0; i < arrivals.size();) {
    const Resident& first = *arrivals[i].received;
    const Resident& source = roles[at(first.source_role)].residents[at(first.source_resident)];
    Handover handover{first.source_role, origin_site(source), source.per_micro_batch, {}, {}};
    handover.level = source.level;
    for (; i < arrivals.size() && arrivals[i].received->source_role == first.source_role &&
           arrivals[i].received->source_resident == first.source_resident;
         ++i) {
      add_tensor(handover.tensors, arrivals[i]);
      handover.target_roles.push_back(arrivals[i].role);
    }
    handover.target_roles.erase(
        std::unique(handover.target_roles.begin(), handover.target_roles.end()),
        handover.target_roles.end());
    add_handover(handovers, std::move(handover));
  }
  std::ranges::stable_sort(handovers, {}, &Handover::level);
  return handovers;
}

std::vector<Communication> reshard(const std::vector<Handover>& handovers,
                                   const std::vector<RoleBlocks>& roles, const Cluster& cluster,
                                   Resharding& resharding, bool& incomplete) {
  std::vector<Communication> communications;
  std::vector<ReshardQuestion> questions;
  std::vector<std::int32_t> answer;  // per question, the communication that has its steps
  for (const Handover& handover : handovers) {
    Communication communication;
    communication.name = name_of(handover);
    communication.layouts = layouts_of(handover, roles);
    const ReshardProblem problem = problem_of(handover, roles, cluster);
    for (const ReshardTensor& tensor : problem.tensors) communication.parts.push_back(tensor.shape);
    const ReshardShares shares = find_shares(problem);
    set_shares(problem, shares, communication);
    const ReshardProblem share = share_of(problem, shares, 0);
    const ReshardQuestion question = question_of(share);
    const auto known = std::find(questions.begin(), questions.end(), question);
    if (known != questions.end()) {
      communication.like = answer[at(known - questions.begin())];
    } else {
      const TransferPlan plan = resharding.plan(share);
      incomplete = incomplete || plan.incomplete;
      communication.steps = steps_of(share, plan, communication.name);
      questions.push_back(question);
      answer.push_back(static_cast<std::int32_t>(communications.size()));
    }
    communications.push_back(std::move(communication));
  }
  return communications;
}

}  // namespace rhino::plan
