// SPDX-License-Identifier: Apache-2.0
#include "launch/place.hpp"

#include <charconv>
#include <optional>
#include <vector>

#include "launch/slurm.hpp"
#include "plugin/suggest.hpp"
#include "rhino/error.hpp"

namespace rhino::launch {
namespace {

/// A rank of so many, and the variables that say so.
struct Claim {
  std::string launcher, rank_variable, size_variable;
  std::int32_t rank = 0, num_ranks = 0;

  std::string text() const {
    return rank_variable + "=" + std::to_string(rank) + ", " + size_variable + "=" +
           std::to_string(num_ranks);
  }
};

std::int32_t number_in(const std::string& variable, const Environment& environment) {
  const std::string text = environment(variable).value_or("");
  std::int32_t number = -1;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size() || number < 0)
    throw Error(variable + "='" + text + "' is no number from 0 on");
  return number;
}

void check_rank(const Claim& claim) {
  if (claim.rank >= claim.num_ranks)
    throw Error(claim.text() + ": no rank of these; they count from 0 on");
}

/// Nothing where neither variable is set. Throws Error where one is.
std::optional<Claim> claim_of(const std::string& launcher, const std::string& rank,
                              const std::string& size, const Environment& environment) {
  const bool has_rank = environment(rank).has_value(), has_size = environment(size).has_value();
  if (!has_rank && !has_size) return std::nullopt;
  if (has_rank != has_size)
    throw Error((has_rank ? rank : size) + " is set, and " + (has_rank ? size : rank) + " is not");
  Claim claim{launcher, rank, size, number_in(rank, environment), number_in(size, environment)};
  check_rank(claim);
  return claim;
}

std::optional<Claim> slurm_claim(const Environment& environment) {
  if (!is_slurm_step(environment)) return std::nullopt;
  // What a step inherits of its job speaks of all tasks of the job.
  const bool has_own = environment("SLURM_STEP_NUM_TASKS").has_value();
  return claim_of("Slurm", "SLURM_PROCID", has_own ? "SLURM_STEP_NUM_TASKS" : "SLURM_NTASKS",
                  environment);
}

std::optional<Claim> open_mpi_claim(const Environment& environment) {
  return claim_of("Open MPI", "OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE", environment);
}

/// Of launchers that start processes, from the innermost to the outermost.
std::vector<Claim> launchers(const Environment& environment) {
  std::vector<Claim> claims;
  const std::optional<Claim> slurm = slurm_claim(environment);
  if (auto claim = open_mpi_claim(environment)) claims.push_back(*claim);
  // srun --mpi=pmi2 sets those of MPICH as well.
  const std::optional<Claim> mpich = claim_of("MPICH", "PMI_RANK", "PMI_SIZE", environment);
  if (mpich && !(slurm && slurm->rank == mpich->rank && slurm->num_ranks == mpich->num_ranks))
    claims.push_back(*mpich);
  if (slurm) claims.push_back(*slurm);
  return claims;
}

/// Scripts set both, as torchrun does; WORLD_SIZE alone is what many export for what they start.
std::optional<Claim> torch_claim(const Environment& environment, bool is_alone) {
  if (!is_alone && !environment("RANK")) return std::nullopt;
  const bool is_torchrun = environment("TORCHELASTIC_RUN_ID").has_value();
  return claim_of(is_torchrun ? "torchrun" : "RANK and WORLD_SIZE", "RANK", "WORLD_SIZE",
                  environment);
}

/// Under srun, torchrun starts ranks of its own; who sets RANK by hand says what srun says.
void check_agreement(const Claim& torch, const std::vector<Claim>& others) {
  if (torch.launcher == "torchrun" || others.empty()) return;
  const Claim& other = others.front();
  if (torch.rank != other.rank || torch.num_ranks != other.num_ranks)
    throw Error(torch.text() + ", but " + other.text() +
                ": unset those that are wrong, or choose by --launcher local");
}

Place place_of(LauncherKind kind, const Claim& claim) {
  if (claim.num_ranks == 1) return {};
  return {kind, claim.rank, claim.num_ranks, claim.launcher};
}

std::optional<Place> env_place(const Environment& environment) {
  const std::vector<Claim> others = launchers(environment);
  if (const std::optional<Claim> torch = torch_claim(environment, others.empty())) {
    check_agreement(*torch, others);
    return place_of(LauncherKind::env, *torch);
  }
  if (others.empty()) return std::nullopt;
  return place_of(LauncherKind::env, others.front());
}

/// Who runs the PMIx server; its own variables also tell how many ranks there are.
std::optional<Claim> host_of_pmix(const Environment& environment) {
  if (auto claim = open_mpi_claim(environment)) return claim;
  return slurm_claim(environment);
}

std::optional<Place> pmix_place(const Environment& environment) {
  const bool has_namespace = environment("PMIX_NAMESPACE").has_value();
  const bool has_rank = environment("PMIX_RANK").has_value();
  if (!has_namespace && !has_rank) return std::nullopt;
  if (!has_namespace) throw Error("PMIX_RANK is set, and PMIX_NAMESPACE is not");
  if (!has_rank) throw Error("PMIX_NAMESPACE is set, and PMIX_RANK is not");
  const std::int32_t rank = number_in("PMIX_RANK", environment);
  const std::optional<Claim> host = host_of_pmix(environment);
  if (!host) return Place{LauncherKind::pmix, rank, 0, "PMIx"};
  if (host->rank != rank)
    throw Error("PMIX_RANK=" + std::to_string(rank) + ", but " + host->text());
  Claim claim = *host;
  claim.launcher = "PMIx (" + host->launcher + ")";
  return place_of(LauncherKind::pmix, claim);
}

}  // namespace

Place find_place(const std::string& word, const Environment& environment) {
  if (word == "local") return {};
  if (word == "auto") {
    if (const std::optional<Place> place = pmix_place(environment)) return *place;
    return env_place(environment).value_or(Place{});
  }
  if (word == "pmix") {
    if (const std::optional<Place> place = pmix_place(environment)) return *place;
    throw Error(
        "no PMIx here (PMIX_NAMESPACE and PMIX_RANK are not set): start it by mpirun, or by srun "
        "--mpi=pmix");
  }
  if (word == "env") {
    if (const std::optional<Place> place = env_place(environment)) return *place;
    throw Error(
        "no launcher has set variables here: set RANK, WORLD_SIZE, MASTER_ADDR and MASTER_PORT, or "
        "start it by srun");
  }
  throw Error("unknown launcher '" + word + "'" +
              plugin::suggestion(word, {"auto", "local", "pmix", "env"}));
}

}  // namespace rhino::launch
