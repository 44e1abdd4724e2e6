// SPDX-License-Identifier: Apache-2.0
// What a launcher starts, as far as finding each other: rank 0 lets all others in and names them.
// ranks WORD DEADLINE_S [wait]: with `wait`, it then waits for ever.
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <set>
#include <string>

#include "launch/door.hpp"
#include "launch/guardian.hpp"
#include "launch/meeting.hpp"
#include "rhino/error.hpp"

namespace rhino::launch {
namespace {

using Clock = std::chrono::steady_clock;

struct Run {
  Place place;
  Rendezvous rendezvous;
  double deadline_s = 0;
  bool waits = false;
};

int as_controller(const Run& run) {
  Door door({.port = run.rendezvous.port, .token = run.rendezvous.token});
  const Meeting meeting = meet(run.place, run.rendezvous, door.addresses(), run.deadline_s);
  const Clock::time_point begin = Clock::now();
  std::vector<topology::FileDescriptor> agents;
  while (static_cast<int>(agents.size()) + 1 < meeting.num_ranks) {
    if (std::chrono::duration<double>(Clock::now() - begin).count() > run.deadline_s)
      throw Error("only " + std::to_string(agents.size()) + " agents came");
    std::vector<pollfd> fds;
    for (const int fd : door.file_descriptors()) fds.push_back({fd, POLLIN, 0});
    ::poll(fds.data(), fds.size(), 100);
    const auto refused = [](const std::string& line) {
      std::fprintf(stderr, "%s\n", line.c_str());
    };
    for (topology::FileDescriptor& agent : door.admit(refused)) agents.push_back(std::move(agent));
  }
  std::set<int> ranks;
  for (const topology::FileDescriptor& agent : agents) {
    int rank = -1;
    ::recv(agent.get(), &rank, sizeof rank, MSG_WAITALL);
    ranks.insert(rank);
  }
  std::string line = "rank 0 of " + std::to_string(meeting.num_ranks) + " met";
  for (const int rank : ranks) line += " " + std::to_string(rank);
  std::printf("%s\n", line.c_str());
  for (const topology::FileDescriptor& agent : agents) ::send(agent.get(), "e", 1, MSG_NOSIGNAL);
  return 0;
}

int as_agent(const Run& run) {
  const Meeting meeting = meet(run.place, run.rendezvous, {}, run.deadline_s);
  const Knocked knocked = knock(meeting, run.deadline_s);
  char end = 0;
  ::send(knocked.socket.get(), &run.place.rank, sizeof run.place.rank, MSG_NOSIGNAL);
  ::recv(knocked.socket.get(), &end, 1, MSG_WAITALL);
  std::printf("rank %d of %d through %s\n", run.place.rank, meeting.num_ranks,
              knocked.interface.c_str());
  return 0;
}

int work(const Run& run) {
  try {
    const int code = run.place.rank == 0 ? as_controller(run) : as_agent(run);
    if (!run.waits) return code;
    std::printf("pid %d\n", getpid());
    std::fflush(stdout);
    for (;;) pause();
  } catch (const Error& error) {
    std::fprintf(stderr, "rank %d: %s\n", run.place.rank, error.what());
    return 5;
  }
}

int main_of(int argc, char** argv) {
  const Environment environment = process_environment();
  try {
    Run run{.place = find_place(argv[1], environment),
            .deadline_s = std::atof(argv[2]),
            .waits = argc > 3};
    if (run.place.kind == LauncherKind::local) return std::puts("local") < 0;
    run.rendezvous = prepare(run.place, environment);
    run.rendezvous.pmix_program = environment("RHINO_PMIX").value_or("");
    return guard([&] { return work(run); }, {.name = "rank " + std::to_string(run.place.rank)});
  } catch (const Error& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 3;
  }
}

}  // namespace
}  // namespace rhino::launch

int main(int argc, char** argv) { return rhino::launch::main_of(argc, argv); }
