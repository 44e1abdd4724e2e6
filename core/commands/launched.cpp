// SPDX-License-Identifier: Apache-2.0
#include "commands/launched.hpp"

#include <fmt/core.h>
#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <vector>

#include "launch/door.hpp"
#include "launch/endpoint.hpp"
#include "launch/guardian.hpp"
#include "launch/knock.hpp"
#include "launch/meeting.hpp"
#include "launch/place.hpp"
#include "rhino/error.hpp"
#include "runtime/agents/agent.hpp"
#include "runtime/agents/agents.hpp"
#include "topology/host_report.hpp"

namespace rhino::commands {
namespace {

/// Of the slowest of many processes, on a file system that all of them read from.
double meet_deadline_s() {
  constexpr double kUsual_s = 60;
  const char* given = std::getenv("RHINO_LAUNCH_DEADLINE_S");
  const double seconds = given == nullptr ? 0 : std::atof(given);
  return seconds > 0 ? seconds : kUsual_s;
}

/// An agent that has lost its controller finds it again within so long, or ends.
constexpr double kReturnDeadline_s = 5;
/// Plans are the largest that an agent gets.
constexpr std::uint64_t kMostFrameBytes = std::uint64_t{1} << 34;

std::string worker_of(const CommandLine& line) {
  return (std::filesystem::path(line.executable).parent_path() / "rhino-worker").string();
}

topology::HostReport own_report(const CommandLine& line, const launch::Place& place,
                                const std::string& interface) {
  topology::HostReport report =
      topology::report_host(RHINO_VERSION, {line.executable, worker_of(line)});
  report.rank = place.rank;
  report.launched = ::getppid();
  report.interface = interface;
  report.interface_bytes_per_s = topology::interface_rate(interface);
  return report;
}

/// Of a process whose run is not to be, or is over without it. The launcher ends the others.
int say(const std::string& sentence, int code) {
  fmt::print(stderr, "rhino-bench: {}\n", sentence);
  return code;
}

void refuse(int socket, const std::string& why) {
  say("refused a connection from " + launch::far_end(socket).text() + ": " + why, 0);
}

/// The agents of all other ranks, and the door that they came through.
class Company {
 public:
  /// Waits for all of them. Throws Error.
  Company(const CommandLine& line, const launch::Place& place, const launch::Rendezvous& where)
      : door_({.interface = line.interface,
               .port = where.port,
               .token = where.token,
               .loopback = true}),
        interface_(line.interface),
        num_ranks_(launch::meet(place, where, door_.addresses(), meet_deadline_s()).num_ranks),
        agents_({.admit = [this] { return admit(); },
                 .files = [this] { return door_.file_descriptors(); },
                 .refuse = refuse},
                num_ranks_, own_report(line, place, interface_)) {
    agents_.gather(meet_deadline_s());
    agents_.use(interface_);
  }
  std::int32_t num_ranks() const { return num_ranks_; }
  runtime::Agents& agents() { return agents_; }

 private:
  /// The interface of this host is the one that the others come by, unless one is given.
  std::vector<topology::FileDescriptor> admit() {
    std::vector<topology::FileDescriptor> admitted =
        door_.admit([](const std::string& sentence) { say(sentence, 0); });
    for (const topology::FileDescriptor& socket : admitted) {
      const std::string own = launch::interface_with(launch::own_end(socket.get()));
      if (interface_.empty() && own != "lo") interface_ = own;
    }
    return admitted;
  }

  launch::Door door_;
  std::string interface_;
  const std::int32_t num_ranks_;
  runtime::Agents agents_;
};

/// rank 0: the run itself.
int control(CommandLine line, const launch::Place& place, const launch::Rendezvous& where,
            const std::function<int(const CommandLine&)>& command) {
  std::unique_ptr<Company> company;
  try {
    company = std::make_unique<Company>(line, place, where);
  } catch (const Error& error) {
    return say(error.what(), kExitUsage);
  }
  line.place = fmt::format("{} ranks of {}", company->num_ranks(), place.launcher);
  line.agents = &company->agents();
  topology::set_found_hosts(line.agents->hosts());
  return command(line);
}

/// The controller's end of an agent, from a connection to what ends it.
runtime::AgentEnd serve_controller(const CommandLine& line, const launch::Place& place,
                                   launch::Knocked knocked) {
  const topology::HostReport report = own_report(line, place, knocked.interface);
  runtime::Channel controller(std::move(knocked.socket), kMostFrameBytes);
  try {
    controller.put({.kind = runtime::MessageKind::report, .body = runtime::encode_message(report)});
  } catch (const runtime::PeerGone&) {
    return runtime::AgentEnd::lost;
  }
  return runtime::serve_agent(
      controller, {.worker = worker_of(line), .environment = runtime::network_environment(report)});
}

/// Any other rank. An agent that lost its controller has no workers any more; where the link is
/// back it goes on.
int serve(const CommandLine& line, const launch::Place& place, const launch::Meeting& meeting) {
  double deadline_s = meet_deadline_s();
  try {
    while (true) {
      launch::Knocked knocked = launch::knock(meeting, deadline_s);
      const runtime::AgentEnd end = serve_controller(line, place, std::move(knocked));
      if (end == runtime::AgentEnd::left) return kExitOk;
      deadline_s = kReturnDeadline_s;
    }
  } catch (const Error& error) {
    const bool had_one = deadline_s == kReturnDeadline_s;
    return say(fmt::format("rank {}: {}{}", place.rank, had_one ? "the controller is gone: " : "",
                           error.what()),
               kExitCellsFailed);
  }
}

/// Where there is no other host that could come by an interface of this one. Throws Error where it
/// is none.
void note_interface(const std::string& interface) {
  const std::vector<launch::InterfaceAddress> own = launch::interface_addresses();
  if (std::ranges::find(own, interface, &launch::InterfaceAddress::interface) == own.end())
    throw Error("--interface: this host has no interface '" + interface + "' that is up");
  say("--interface " + interface + " does nothing: no launcher has started this on several hosts",
      0);
}

/// A guardian that a signal has stopped would be in the way of the launcher's end.
int guarded(const std::function<int()>& work,
            const std::function<int(const std::function<int()>&)>& say_errors,
            const launch::GuardOptions& options) {
  const auto all = [&] {
    const int code = say_errors(work);
    ::kill(::getppid(), SIGCONT);
    return code;
  };
  return launch::guard(all, options);
}

}  // namespace

std::string describe_devices(const Cluster& cluster) {
  std::string text;
  for (const Host& host : cluster.hosts)
    text +=
        (text.empty() ? "devices " : ", ") + topology::core_list(host.devices) + " on " + host.name;
  return text;
}

int run_launched(CommandLine line, bool takes_hosts,
                 const std::function<int(const CommandLine&)>& command,
                 const std::function<int(const std::function<int()>&)>& say_errors) {
  const launch::Environment environment = launch::process_environment();
  launch::Place place;
  launch::Rendezvous where;
  launch::Meeting meeting;
  bool is_alone = false;
  try {
    place = launch::find_place(line.launcher, environment);
    is_alone = place.num_ranks == 1 || !takes_hosts;
    if (place.num_ranks == 1 && !line.interface.empty()) note_interface(line.interface);
    if (!is_alone) where = launch::prepare(place, environment);
    if (!is_alone && place.rank > 0) meeting = launch::meet(place, where, {}, meet_deadline_s());
  } catch (const Error& error) {
    return say(error.what(), kExitUsage);
  }
  if (is_alone) return place.rank == 0 ? command(line) : kExitOk;
  if (place.rank == 0)
    return guarded([&] { return control(line, place, where, command); }, say_errors,
                   {.signal_when_orphaned = SIGTERM});
  return guarded([&] { return serve(line, place, meeting); }, say_errors,
                 {.name = fmt::format("the agent of rank {}", place.rank), .restarts = true});
}

}  // namespace rhino::commands
