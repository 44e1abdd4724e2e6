// SPDX-License-Identifier: Apache-2.0
#include "launch/meeting.hpp"

#include <sys/stat.h>
#include <unistd.h>

#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>
#include <map>

#include "launch/endpoint.hpp"
#include "rhino/error.hpp"
#include "topology/child_output.hpp"

namespace rhino::launch {
namespace {

using Catch::Matchers::Contains;
using Variables = std::map<std::string, std::string>;

const std::string kSecret = "0123456789abcdef";
const Place kEnvRank{LauncherKind::env, 1, 4, "Slurm"};

Rendezvous prepared(const Variables& variables, const Place& place = kEnvRank) {
  return prepare(place, [&](const std::string& name) -> std::optional<std::string> {
    const auto found = variables.find(name);
    if (found == variables.end()) return std::nullopt;
    return found->second;
  });
}

std::string lack_in(const Variables& variables) {
  try {
    const Rendezvous rendezvous = prepared(variables);
    return rendezvous.host + ":" + std::to_string(rendezvous.port);
  } catch (const Error& error) {
    return error.what();
  }
}

TEST_CASE("ranks of one environment work out one place to meet") {
  const Variables torch{{"MASTER_ADDR", "n1"}, {"MASTER_PORT", "29500"}, {"RHINO_TOKEN", kSecret}};
  CHECK(lack_in(torch) == "n1:29500");
  CHECK(prepared(torch).token == kSecret);
  Variables torchrun = torch;
  torchrun["TORCHELASTIC_USE_AGENT_STORE"] = "True";
  CHECK(lack_in(torchrun) == "n1:29501");  // its own store listens at the other
  torchrun["TORCHELASTIC_USE_AGENT_STORE"] = "False";
  CHECK(lack_in(torchrun) == "n1:29500");
  const Variables step{{"SLURM_JOB_ID", "77"},
                       {"SLURM_STEP_ID", "3"},
                       {"SLURM_STEP_NODELIST", "n[07-09],b"},
                       {"RHINO_TOKEN", kSecret}};
  CHECK(lack_in(step) == "n07:" + std::to_string(16384 + 77 * 37 + 3));
  Variables both = step;
  both["MASTER_ADDR"] = "b";
  CHECK(lack_in(both) == "b:" + std::to_string(16384 + 77 * 37 + 3));
}

TEST_CASE("what lacks is named, with what to set") {
  CHECK_THAT(
      lack_in({{"MASTER_ADDR", "n1"}, {"MASTER_PORT", "1"}}),
      Contains("RHINO_TOKEN is not set") && Contains("export RHINO_TOKEN=$(openssl rand -hex 16)"));
  CHECK_THAT(lack_in({{"MASTER_ADDR", "n1"}, {"MASTER_PORT", "1"}, {"RHINO_TOKEN", "short"}}),
             Contains("RHINO_TOKEN has less than 16 characters"));
  CHECK_THAT(lack_in({{"MASTER_ADDR", "n1"}, {"RHINO_TOKEN", kSecret}}),
             Contains("MASTER_ADDR is set, and MASTER_PORT is not"));
  CHECK_THAT(lack_in({{"RHINO_TOKEN", kSecret}}), Contains("MASTER_ADDR is not set"));
  for (const char* port : {"0", "x", "65535", "65536", "-1", "80 "})
    CHECK_THAT(lack_in({{"MASTER_ADDR", "n1"}, {"MASTER_PORT", port}, {"RHINO_TOKEN", kSecret}}),
               Contains("MASTER_PORT='" + std::string(port) + "' is no port"));
}

TEST_CASE("a token of PMIx is rank 0's, and another in each run") {
  const Place first{LauncherKind::pmix, 0, 2, "PMIx"}, second{LauncherKind::pmix, 1, 2, "PMIx"};
  CHECK(prepared({}, first).token.size() == 32);
  CHECK(prepared({}, first).token != prepared({}, first).token);
  CHECK(prepared({}, second).token.empty());
}

TEST_CASE("who meets by environment finds rank 0 by its name") {
  const Rendezvous rendezvous{.host = "localhost", .port = 4711, .token = kSecret};
  const Meeting meeting = meet(kEnvRank, rendezvous, {}, 1);
  CHECK(meeting.num_ranks == 4);
  CHECK(meeting.token == kSecret);
  // A name that means this host itself may be of an address at which rank 0 does not listen.
  for (InterfaceAddress own : interface_addresses()) {
    own.endpoint.set_port(4711);
    CHECK(std::count(meeting.addresses.begin(), meeting.addresses.end(), own.endpoint.text()) > 0);
  }
  const std::vector<std::string> listening{"10.0.0.1:4711"};
  CHECK(meet({LauncherKind::env, 0, 4, "Slurm"}, rendezvous, listening, 1).addresses == listening);
  CHECK_THROWS_WITH(meet(kEnvRank, {.host = "no-such-host.invalid", .port = 1}, {}, 1),
                    Contains("cannot find the host 'no-such-host.invalid'"));
}

/// A program in place of rhino-pmix, gone with its scope.
class FakePmix {
 public:
  explicit FakePmix(const std::string& script)
      : path_((std::filesystem::temp_directory_path() /
               ("rhino_fake_pmix_" + std::to_string(getpid())))
                  .string()) {
    std::ofstream(path_) << "#!/bin/sh\n" << script << "\n";
    chmod(path_.c_str(), 0700);
  }
  ~FakePmix() { std::filesystem::remove(path_); }

  std::string met(const Place& place, double deadline_s = 5) const {
    try {
      const Meeting meeting = meet(place, {.token = kSecret, .pmix_program = path_},
                                   {"10.0.0.1:1", "[::1]:2"}, deadline_s);
      std::string text = std::to_string(meeting.num_ranks) + " " + meeting.token;
      for (const std::string& address : meeting.addresses) text += " " + address;
      return text;
    } catch (const Error& error) {
      return error.what();
    }
  }

 private:
  std::string path_;
};

TEST_CASE("PMIx gives all ranks what rank 0 says, and is checked") {
  const Place first{LauncherKind::pmix, 0, 3, "PMIx (Open MPI)"},
      unsized{LauncherKind::pmix, 0, 0, "PMIx"};
  const std::string all = "3 " + kSecret + " 10.0.0.1:1 [::1]:2";
  CHECK(FakePmix("echo 0 3; cat").met(first) == all);
  CHECK(FakePmix("echo 0 3; cat").met(unsized) == all);
  CHECK(FakePmix("echo 0 2; cat").met(first) ==
        "PMIx (Open MPI) promises 3 ranks, of which PMIx sees 2");
  CHECK(FakePmix("echo 1 3; cat").met(first) ==
        "PMIx knows this process as rank 1, its environment as 0");
  CHECK(FakePmix("echo 0 3; echo token").met(first) == "PMIx: rank 0 told no address");
  CHECK_THAT(FakePmix("true").met(first), Contains("PMIx knows this process as rank -1"));
  CHECK(FakePmix("echo first >&2; echo PMIx_Init: UNREACHABLE >&2; exit 1").met(first) ==
        "PMIx: rhino-pmix ended with exit code 1: PMIx_Init: UNREACHABLE");
  CHECK(FakePmix("exec sleep 9").met(first, 0.2) == "PMIx: rhino-pmix said nothing for 0 s");
  CHECK_THROWS_WITH(meet(first, {.token = kSecret, .pmix_program = "/no/rhino-pmix"}, {}, 1),
                    Contains("built without PMIx: install libpmix-dev"));
}

TEST_CASE("a child reads what it is given") {
  const std::string text(1 << 16, 'x');
  CHECK(topology::output_of({"/bin/cat"}, 5, text).output == text);
  CHECK(topology::output_of({"/bin/cat"}, 5).output.empty());
  CHECK_THAT(topology::output_of({"/bin/cat"}, 5, text + "x").how_it_ended,
             Contains("its input is not passed on"));
}

}  // namespace
}  // namespace rhino::launch
