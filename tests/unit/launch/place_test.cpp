// SPDX-License-Identifier: Apache-2.0
#include "launch/place.hpp"

#include <catch2/catch.hpp>
#include <map>

#include "rhino/error.hpp"

namespace rhino::launch {
namespace {

using Catch::Matchers::Contains;
using Variables = std::map<std::string, std::string>;

Environment of(const Variables& variables) {
  return [variables](const std::string& name) -> std::optional<std::string> {
    const auto found = variables.find(name);
    if (found == variables.end()) return std::nullopt;
    return found->second;
  };
}

std::string text(const Place& place) {
  const char* kinds[] = {"local", "pmix", "env"};
  return std::string(kinds[static_cast<int>(place.kind)]) + " " + std::to_string(place.rank) + "/" +
         std::to_string(place.num_ranks) + (place.launcher.empty() ? "" : " " + place.launcher);
}

std::string place_in(const Variables& variables, const std::string& word = "auto") {
  return text(find_place(word, of(variables)));
}

std::string complaint(const Variables& variables, const std::string& word = "auto") {
  try {
    return place_in(variables, word);
  } catch (const Error& error) {
    return error.what();
  }
}

// What launchers set, as they were seen to, other variables of theirs left out.

const Variables kMpirun{{"PMIX_NAMESPACE", "2147483649"},
                        {"PMIX_RANK", "2"},
                        {"OMPI_COMM_WORLD_RANK", "2"},
                        {"OMPI_COMM_WORLD_SIZE", "3"},
                        {"OMPI_COMM_WORLD_LOCAL_RANK", "0"}};
const Variables kSrun{{"SLURM_JOB_ID", "77"},        {"SLURM_STEP_ID", "0"},
                      {"SLURM_PROCID", "1"},         {"SLURM_NTASKS", "4"},
                      {"SLURM_STEP_NUM_TASKS", "4"}, {"SLURM_STEP_NODELIST", "n[1-2]"}};
const Variables kSbatch{{"SLURM_JOB_ID", "77"},
                        {"SLURM_PROCID", "0"},
                        {"SLURM_NTASKS", "4"},
                        {"SLURM_JOB_NODELIST", "n[1-2]"}};
const Variables kTorchrun{{"RANK", "5"},
                          {"WORLD_SIZE", "8"},
                          {"LOCAL_RANK", "1"},
                          {"MASTER_ADDR", "n1"},
                          {"MASTER_PORT", "29500"},
                          {"TORCHELASTIC_RUN_ID", "none"},
                          {"TORCHELASTIC_USE_AGENT_STORE", "True"}};
const Variables kHydra{{"PMI_RANK", "3"}, {"PMI_SIZE", "4"}, {"PMI_FD", "7"}};
const Variables kOpenMpiAlone{{"OMPI_COMM_WORLD_RANK", "0"}, {"OMPI_COMM_WORLD_SIZE", "2"}};

Variables with(Variables variables, const Variables& more) {
  for (const auto& [name, value] : more) variables[name] = value;
  return variables;
}
Variables without(Variables variables, const std::string& name) {
  variables.erase(name);
  return variables;
}

TEST_CASE("each launcher tells a process its place") {
  CHECK(place_in({}) == "local 0/1");
  CHECK(place_in(kMpirun) == "pmix 2/3 PMIx (Open MPI)");
  CHECK(place_in(kSrun) == "env 1/4 Slurm");
  CHECK(place_in(kTorchrun) == "env 5/8 torchrun");
  CHECK(place_in(kHydra) == "env 3/4 MPICH");
  CHECK(place_in(kOpenMpiAlone) == "env 0/2 Open MPI");
  CHECK(place_in(with(kSrun, {{"PMIX_NAMESPACE", "slurm.pmix.77.0"}, {"PMIX_RANK", "1"}})) ==
        "pmix 1/4 PMIx (Slurm)");
  CHECK(place_in({{"PMIX_NAMESPACE", "prte@1"}, {"PMIX_RANK", "6"}}) == "pmix 6/0 PMIx");
  CHECK(place_in({{"RANK", "1"}, {"WORLD_SIZE", "2"}}) == "env 1/2 RANK and WORLD_SIZE");
}

TEST_CASE("a script of sbatch and a shell of salloc are no rank") {
  CHECK(place_in(kSbatch) == "local 0/1");
  CHECK(place_in(with(kSbatch, {{"SLURM_STEP_ID", "4294967291"}})) == "local 0/1");  // batch
  CHECK(place_in(with(kSbatch, {{"SLURM_STEP_ID", "4294967290"}})) == "local 0/1");  // interactive
  CHECK(place_in(with(without(kSrun, "SLURM_STEP_ID"), {{"SLURM_STEPID", "0"}})) ==
        "env 1/4 Slurm");
}

TEST_CASE("the innermost launcher counts") {
  // A step of two, one torchrun in each, of four ranks.
  CHECK(place_in(with(kSrun, kTorchrun)) == "env 5/8 torchrun");
  // Daemons of mpirun and mpiexec are started by srun, one per host.
  CHECK(place_in(with(kHydra, kSrun)) == "env 3/4 MPICH");
  // srun --mpi=pmi2
  CHECK(place_in(with(kSrun, {{"PMI_RANK", "1"}, {"PMI_SIZE", "4"}})) == "env 1/4 Slurm");
  // A step of one in a job of four.
  CHECK(place_in(with(kSrun, {{"SLURM_PROCID", "0"}, {"SLURM_STEP_NUM_TASKS", "1"}})) ==
        "local 0/1");
  // What a script of sbatch exports for what it starts.
  CHECK(place_in(with(kSrun, {{"WORLD_SIZE", "4"}, {"MASTER_ADDR", "n1"}})) == "env 1/4 Slurm");
  CHECK(place_in(with(kSrun, {{"RANK", "1"}, {"WORLD_SIZE", "4"}})) ==
        "env 1/4 RANK and WORLD_SIZE");
}

TEST_CASE("one rank of one is local") {
  CHECK(place_in(with(kMpirun, {{"PMIX_RANK", "0"},
                                {"OMPI_COMM_WORLD_RANK", "0"},
                                {"OMPI_COMM_WORLD_SIZE", "1"}})) == "local 0/1");
  CHECK(place_in({{"RANK", "0"}, {"WORLD_SIZE", "1"}}, "env") == "local 0/1");
}

TEST_CASE("a word chooses") {
  CHECK(place_in(kMpirun, "local") == "local 0/1");
  CHECK(place_in(kMpirun, "env") == "env 2/3 Open MPI");
  CHECK(place_in(with(kMpirun, kTorchrun), "pmix") == "pmix 2/3 PMIx (Open MPI)");
  CHECK_THAT(complaint({}, "pmix"), Contains("PMIX_NAMESPACE and PMIX_RANK are not set"));
  CHECK_THAT(complaint(kSbatch, "env"), Contains("set RANK, WORLD_SIZE, MASTER_ADDR"));
  CHECK(complaint({}, "pmi") == "unknown launcher 'pmi'; did you mean 'pmix'?");
}

TEST_CASE("half of a pair is refused, by name") {
  CHECK(complaint({{"RANK", "1"}}) == "RANK is set, and WORLD_SIZE is not");
  CHECK(complaint({{"WORLD_SIZE", "2"}}) == "WORLD_SIZE is set, and RANK is not");
  CHECK(complaint(without(kHydra, "PMI_SIZE")) == "PMI_RANK is set, and PMI_SIZE is not");
  CHECK(complaint(without(kMpirun, "PMIX_RANK")) == "PMIX_NAMESPACE is set, and PMIX_RANK is not");
  CHECK(complaint(without(kMpirun, "PMIX_NAMESPACE")) ==
        "PMIX_RANK is set, and PMIX_NAMESPACE is not");
  CHECK(complaint(without(kMpirun, "OMPI_COMM_WORLD_SIZE")) ==
        "OMPI_COMM_WORLD_RANK is set, and OMPI_COMM_WORLD_SIZE is not");
  CHECK(complaint(without(kSrun, "SLURM_PROCID")) ==
        "SLURM_STEP_NUM_TASKS is set, and SLURM_PROCID is not");
}

TEST_CASE("what is no rank is refused, by name") {
  for (const char* value : {"x", "-1", "1.5", " 1", "1 ", "99999999999", "0x1"}) {
    CAPTURE(value);
    CHECK(complaint(with(kTorchrun, {{"RANK", value}})) ==
          "RANK='" + std::string(value) + "' is no number from 0 on");
    CHECK_THAT(complaint(with(kMpirun, {{"PMIX_RANK", value}})), Contains("PMIX_RANK='"));
  }
  CHECK(complaint({{"RANK", "2"}, {"WORLD_SIZE", "2"}}) ==
        "RANK=2, WORLD_SIZE=2: no rank of these; they count from 0 on");
  CHECK_THAT(complaint({{"RANK", "0"}, {"WORLD_SIZE", "0"}}), Contains("no rank of these"));
  CHECK_THAT(complaint(with(kSrun, {{"SLURM_STEP_ID", "first"}})),
             Contains("SLURM_STEP_ID 'first' is no number"));
}

TEST_CASE("launchers that contradict each other are refused") {
  CHECK_THAT(complaint(with(kSrun, {{"RANK", "0"}, {"WORLD_SIZE", "1"}})),
             Contains("RANK=0, WORLD_SIZE=1, but SLURM_PROCID=1, SLURM_STEP_NUM_TASKS=4"));
  CHECK_THAT(complaint(with(kMpirun, {{"PMIX_RANK", "1"}})),
             Contains("PMIX_RANK=1, but OMPI_COMM_WORLD_RANK=2"));
}

}  // namespace
}  // namespace rhino::launch
