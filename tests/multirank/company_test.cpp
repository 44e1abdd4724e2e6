// SPDX-License-Identifier: Apache-2.0
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <catch2/catch.hpp>
#include <deque>

#include "rhino/error.hpp"
#include "runtime/agents/agent_message.hpp"
#include "runtime/agents/agents.hpp"

namespace rhino {
namespace {

topology::HostReport report(std::int32_t rank, const std::string& host, std::int32_t launched = 0) {
  topology::HostReport made{.rank = rank,
                            .launched = launched,
                            .name = host,
                            .boot = host,
                            .container = host,
                            .engine = "1",
                            .binaries = "abc"};
  made.cores = {{.number = 0}};
  return made;
}

/// Those who come through the door, one at a time.
class Door {
 public:
  /// The other end of a connection.
  runtime::Channel& knock() {
    std::array<int, 2> ends{};
    if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()) != 0)
      throw Error("no sockets");
    waiting_.emplace_back(ends[0]);
    return peers_.emplace_back(topology::FileDescriptor(ends[1]));
  }
  runtime::Channel& come(const topology::HostReport& who) {
    runtime::Channel& channel = knock();
    channel.put({.kind = runtime::MessageKind::report, .body = runtime::encode_message(who)});
    return channel;
  }
  runtime::AgentDoor opened() {
    return {.admit = [this] { return std::exchange(waiting_, {}); },
            .files = [] { return std::vector<int>{}; }};
  }

 private:
  std::vector<topology::FileDescriptor> waiting_;
  std::deque<runtime::Channel> peers_;
};

TEST_CASE("all ranks are gathered, grouped by host, and told when the run is over") {
  Door door;
  std::vector<runtime::Channel*> peers;
  {
    runtime::Agents agents(door.opened(), 4, report(0, "a"));
    for (const auto& [rank, host] :
         std::vector<std::pair<int, std::string>>{{3, "b"}, {1, "a"}, {2, "b"}})
      peers.push_back(&door.come(report(rank, host)));
    agents.gather(5);
    REQUIRE(agents.hosts().size() == 2);
    CHECK(agents.hosts()[1].ranks == std::vector<std::int32_t>{2, 3});
    const std::vector<runtime::SessionHost> hosts = agents.session_hosts(2);
    CHECK(hosts[0].agent == nullptr);
    REQUIRE(hosts[1].agent != nullptr);
    CHECK(hosts[1].agent->report().rank == 2);
  }
  for (runtime::Channel* peer : peers) CHECK(peer->take()->kind == runtime::MessageKind::leave);
}

TEST_CASE("who is missing, or there twice, is named") {
  Door door;
  runtime::Agents agents(door.opened(), 3, report(0, "a"));
  door.come(report(2, "c"));
  CHECK_THROWS_WITH(agents.gather(0.2),
                    "the launcher promises 3 ranks, and rank 1 has not come; here are rank 0 on a, "
                    "rank 2 on c");
  door.come(report(2, "d"));
  CHECK_THROWS_WITH(agents.gather(1), "two processes are rank 2, on c and on d");
}

TEST_CASE("a rank beyond those of the run is named") {
  Door door;
  runtime::Agents agents(door.opened(), 2, report(0, "a"));
  door.come(report(7, "b"));
  CHECK_THROWS_WITH(agents.gather(1), "a process on b is rank 7 of 2");
}

TEST_CASE("hosts of other binaries are refused by name") {
  Door door;
  runtime::Agents agents(door.opened(), 2, report(0, "a"));
  topology::HostReport other = report(1, "b");
  other.binaries = "xyz";
  door.come(other);
  CHECK_THROWS_WITH(agents.gather(1), "binaries of version 1 differ: abc on a, xyz on b");
}

TEST_CASE("who says nothing, or something else, is sent away, and others come in") {
  Door door;
  runtime::Agents agents(door.opened(), 2, report(0, "a"));
  runtime::Channel& other = door.knock();
  other.put({.kind = runtime::MessageKind::clock});
  runtime::Channel& torn = door.knock();
  torn.put({.kind = runtime::MessageKind::report, .body = "abc"});
  runtime::Channel& huge = door.knock();
  const std::array<std::uint64_t, 3> header{
      static_cast<std::uint64_t>(runtime::MessageKind::report), 0, std::uint64_t{1} << 60};
  REQUIRE(::write(huge.fd(), header.data(), sizeof header) == sizeof header);
  door.knock();
  door.come(report(1, "b"));
  agents.gather(5);
  CHECK(!other.take());
  CHECK(!torn.take());
  CHECK(!huge.take());
}

TEST_CASE("an agent that comes again takes the place of the lost one") {
  Door door;
  runtime::Agents agents(door.opened(), 2, report(0, "a"));
  door.come(report(1, "b", 77));
  agents.gather(5);
  runtime::AgentLink* const first = agents.session_hosts(2)[1].agent;
  door.come(report(1, "b", 77));
  runtime::AgentLink* const second = agents.session_hosts(2)[1].agent;
  CHECK(second != first);
  CHECK(second->why_lost().empty());
  CHECK_THAT(first->why_lost(), Catch::Contains("started again"));
}

TEST_CASE("a host that is lost for good is named within seconds") {
  Door door;
  runtime::Agents agents(door.opened(), 2, report(0, "a"));
  door.come(report(1, "b"));
  agents.gather(5);
  agents.session_hosts(2)[1].agent->give_up("on purpose");
  CHECK_THROWS_WITH(agents.session_hosts(2), "host b (rank 1 of the launcher) is lost");
  CHECK_NOTHROW(agents.session_hosts(1));
}

}  // namespace
}  // namespace rhino
