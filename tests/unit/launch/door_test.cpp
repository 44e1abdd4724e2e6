// SPDX-License-Identifier: Apache-2.0
#include "launch/door.hpp"

#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

#include <catch2/catch.hpp>
#include <future>
#include <memory>
#include <set>

#include "rhino/error.hpp"
#include "strangers.hpp"

namespace rhino::launch {
namespace {

using Catch::Matchers::Contains;
using Catch::Matchers::StartsWith;

/// Sends `bytes` on a new connection, the rest of which is up to the door; returns it.
Stranger stranger_who_says(House& house, const std::function<std::string(const Hello&)>& bytes) {
  Stranger stranger(house.address);
  house.open_for(0.001);
  stranger.say(bytes(stranger.hear_hello()));
  return stranger;
}

/// Of messages that are refused at once.
std::string refusal_of(House& house, const std::function<std::string(const Hello&)>& bytes) {
  const std::size_t before = house.lines.size();
  const Stranger stranger = stranger_who_says(house, bytes);
  if (!house.open_until([&] { return house.lines.size() > before; }, 2)) return "nothing";
  CHECK(stranger.hear(1).empty());  // it is hung up on
  return house.lines.back();
}

Knocked agent_of(House& house, double limit_s = 10) {
  auto agent =
      std::async(std::launch::async, [&house, limit_s] { return knock(house.meeting(), limit_s); });
  const std::size_t before = house.admitted.size();
  house.open_until([&] { return house.admitted.size() > before; }, limit_s);
  return agent.get();
}

TEST_CASE("an agent that knows the token is let in, and both ends talk") {
  const int before = num_open_descriptors();
  {
    House house;
    const Knocked agent = agent_of(house);
    REQUIRE(house.admitted.size() == 1);
    CHECK(house.lines.empty());
    CHECK(agent.interface == "lo");
    CHECK(agent.address == house.address);
    const Stranger inside(std::move(house.admitted[0]));
    inside.say("from the controller");
    char heard[19];
    CHECK(::recv(agent.socket.get(), heard, sizeof heard, MSG_WAITALL) == 19);
    CHECK(::send(agent.socket.get(), "from the agent", 14, MSG_NOSIGNAL) == 14);
    CHECK(inside.hear(14) == "from the agent");
  }
  CHECK(num_open_descriptors() == before);
}

TEST_CASE("what an agent says behind its answer is kept for who gets the connection") {
  House house;
  const Stranger agent = stranger_who_says(
      house, [](const Hello& hello) { return bytes_of(answer_to(hello)) + "and more"; });
  REQUIRE(house.open_until([&] { return house.admitted.size() == 1; }));
  CHECK(Stranger(std::move(house.admitted[0])).hear(8) == "and more");
}

TEST_CASE("a message that is torn at any byte is refused, and the door goes on") {
  const int before = num_open_descriptors();
  {
    House house;
    for (std::size_t size = 0; size < sizeof(Answer); ++size) {
      House torn;
      stranger_who_says(torn, [&](const Hello& hello) {
        return bytes_of(answer_to(hello)).substr(0, size);
      }).hang_up();
      torn.open_until([&] { return torn.door.file_descriptors().size() <= 2; }, 0.05);
      CAPTURE(size);
      CHECK(torn.admitted.empty());
      REQUIRE(torn.lines.size() == (size == 0 ? 0 : 1));  // who says nothing gets no line
      if (size > 0)
        CHECK_THAT(torn.lines[0], StartsWith("refused a connection from 127.0.0.1:") &&
                                      Contains("hung up amid its handshake"));
    }
    agent_of(house);
    CHECK(house.admitted.size() == 1);
  }
  CHECK(num_open_descriptors() == before);
}

TEST_CASE("an answer may come byte by byte") {
  House house;
  const Stranger agent(house.address);
  house.open_for(0.01);
  for (const char byte : bytes_of(answer_to(agent.hear_hello()))) {
    CHECK(house.admitted.empty());
    agent.say({&byte, 1});
    house.open_for(0.001);
  }
  CHECK(house.open_until([&] { return house.admitted.size() == 1; }));
  CHECK(agent.hear(sizeof(Proof)).size() == sizeof(Proof));
}

TEST_CASE("every bit of an answer counts") {
  for (std::size_t byte = 0; byte < sizeof(Answer); ++byte) {
    House house;
    const std::string reason = byte < 8    ? "it does not speak as rhino-bench does"
                               : byte < 12 ? "of the protocol, where this is version 1"
                                           : "its token is another";
    for (int bit = 0; bit < 8; ++bit) {
      CAPTURE(byte, bit);
      REQUIRE_THAT(refusal_of(house,
                              [&](const Hello& hello) {
                                std::string answer = bytes_of(answer_to(hello));
                                answer[byte] = static_cast<char>(answer[byte] ^ (1 << bit));
                                return answer;
                              }),
                   Contains(reason));
    }
    CHECK(house.admitted.empty());
  }
}

TEST_CASE("a handshake that was recorded opens nothing") {
  House house;
  std::string recorded;
  const Stranger agent = stranger_who_says(
      house, [&](const Hello& hello) { return recorded = bytes_of(answer_to(hello)); });
  REQUIRE(house.open_until([&] { return house.admitted.size() == 1; }));
  CHECK_THAT(refusal_of(house, [&](const Hello&) { return recorded; }),
             Contains("its token is another"));
  CHECK(house.admitted.size() == 1);
}

TEST_CASE("no controller says the same twice") {
  House house;
  std::set<std::string> nonces;
  for (int i = 0; i < 50; ++i) {
    const Stranger stranger(house.address);
    house.open_for(0.001);
    nonces.insert(bytes_of(stranger.hear_hello().nonce));
  }
  CHECK(nonces.size() == 50);
}

TEST_CASE("another token is refused, and its owner told") {
  House house;
  auto agent = std::async(std::launch::async, [&] {
    try {
      knock({{house.address}, "the token of another run", 2}, 5);
    } catch (const Error& error) {
      return std::string(error.what());
    }
    return std::string("let in");
  });
  house.open_until(
      [&] { return agent.wait_for(std::chrono::seconds(0)) == std::future_status::ready; }, 6);
  CHECK(house.admitted.empty());
  CHECK_THAT(agent.get(), Contains("it hung up on us: is its token another?"));
  REQUIRE(!house.lines.empty());
  CHECK_THAT(house.lines[0], Contains("its token is another"));
}

TEST_CASE("a version of tomorrow is refused though it knows the token") {
  House house;
  const std::string line = refusal_of(house, [](const Hello& hello) {
    Answer answer{new_hello(), {}};
    answer.hello.version = {0, 0, 0, kProtocolVersion + 1};
    answer.mac = Prover(kToken).mac(Side::agent, hello, answer.hello);
    return bytes_of(answer);
  });
  CHECK_THAT(line, Contains("it speaks version 2 of the protocol, where this is version 1"));
  CHECK(house.admitted.empty());
}

TEST_CASE("what a controller proves is no agent's answer") {
  House house;
  const std::string line = refusal_of(house, [](const Hello& hello) {
    Answer answer{new_hello(), {}};
    answer.mac = Prover(kToken).mac(Side::controller, hello, answer.hello);
    return bytes_of(answer);
  });
  CHECK_THAT(line, Contains("its token is another"));
}

TEST_CASE("who is slow or silent is turned away after 5 s, and holds nobody up") {
  House house;
  const TestClock::time_point begin = TestClock::now();
  const Stranger silent(house.address), slow(house.address);
  house.open_for(0.01);
  const std::string answer = bytes_of(answer_to(slow.hear_hello()));
  agent_of(house);
  CHECK(house.admitted.size() == 1);
  CHECK(house.lines.empty());  // neither had to leave before
  for (std::size_t i = 0; i < 18; ++i) {
    slow.say(answer.substr(i, 1));
    house.open_for(0.3);
    if (seconds_since(begin) < 4.5) CHECK(house.lines.empty());
  }
  REQUIRE(house.open_until([&] { return house.lines.size() == 2; }, 3));
  CHECK(seconds_since(begin) > 4.9);
  CHECK_THAT(house.lines[0], Contains("it said nothing for 5 s"));
  CHECK_THAT(house.lines[1], Contains("it did not end its handshake within 5 s"));
}

/// So many files may be open.
class FileLimit {
 public:
  explicit FileLimit(rlim_t wanted) {
    getrlimit(RLIMIT_NOFILE, &before_);
    const rlimit limit{wanted, before_.rlim_max};
    is_given_ = setrlimit(RLIMIT_NOFILE, &limit) == 0;
  }
  ~FileLimit() { setrlimit(RLIMIT_NOFILE, &before_); }
  bool is_given() const { return is_given_; }

 private:
  rlimit before_{};
  bool is_given_ = false;
};

TEST_CASE("an agent gets through a flood of 1000 silent connections") {
  const FileLimit files(4096);
  REQUIRE(files.is_given());
  House house;
  std::vector<Stranger> flood;
  for (int i = 0; i < 1000; ++i) flood.emplace_back(house.address);
  const TestClock::time_point begin = TestClock::now();
  auto agent = std::async(std::launch::async, [&] { return knock(house.meeting(), 20); });
  std::size_t most = 0;
  house.open_until(
      [&] {
        most = std::max(most, house.door.file_descriptors().size());
        return !house.admitted.empty();
      },
      20);
  agent.get();
  CHECK(house.admitted.size() == 1);
  CHECK(most <= 64 + 2);  // the listening ones, IPv4 and IPv6
  CHECK(seconds_since(begin) < 10);
  CHECK(house.lines.size() <= 17);
  CHECK_THAT(house.lines.at(0), Contains("it kept others waiting"));
}

TEST_CASE("agents that come all at once are no flood") {
  const FileLimit files(4096);
  REQUIRE(files.is_given());
  House house;
  std::vector<std::future<Knocked>> agents;
  for (int i = 0; i < 200; ++i)
    agents.push_back(std::async(std::launch::async, [&] { return knock(house.meeting(), 20); }));
  CHECK(house.open_until([&] { return house.admitted.size() == agents.size(); }, 20));
  for (std::future<Knocked>& agent : agents) CHECK_NOTHROW(agent.get());
  CHECK(house.lines.size() < 8);  // of those whom a busy machine holds up
}

TEST_CASE("a flood is told of in 16 lines and a count") {
  RationedLines lines;
  std::vector<std::string> told;
  const auto tell = [&](const std::string& line) { told.push_back(line); };
  const TestClock::time_point begin = TestClock::now();
  for (int i = 0; i < 1000; ++i)
    lines.say(std::to_string(i), begin + std::chrono::milliseconds(i), tell);
  CHECK(told.size() == 16);
  lines.end_period(begin + std::chrono::seconds(9), tell);
  CHECK(told.size() == 16);
  lines.end_period(begin + std::chrono::seconds(10), tell);
  REQUIRE(told.size() == 17);
  CHECK(told.back() == "and 984 more, at last: 999");
  lines.end_period(begin + std::chrono::seconds(30), tell);
  lines.say("next", begin + std::chrono::seconds(31), tell);
  CHECK(told.size() == 18);
}

TEST_CASE("without descriptors the door says so, and goes on when there are some") {
  House house;
  auto agent = std::async(std::launch::async, [&] { return knock(house.meeting(), 10); });
  REQUIRE(agent.wait_for(std::chrono::milliseconds(100)) == std::future_status::timeout);
  {
    const topology::FileDescriptor next(::dup(0));
    const FileLimit none(static_cast<rlim_t>(next.get()));
    REQUIRE(house.open_until([&] { return !house.lines.empty(); }));
    CHECK_THAT(house.lines[0], Contains("cannot take connections: Too many open files"));
    CHECK(house.door.file_descriptors().empty());  // or poll() would come back at once
  }
  CHECK(house.open_until([&] { return house.admitted.size() == 1; }));
  agent.get();
}

TEST_CASE("a door listens at addresses of interfaces, and says where it cannot") {
  CHECK_THROWS_WITH(Door({.interface = "rhino9", .token = kToken}),
                    "this host has no interface 'rhino9'");
  const Listener other;
  CHECK_THROWS_WITH(Door({.interface = "lo", .port = other.port, .token = kToken}),
                    Contains("cannot listen at 127.0.0.1:") && Contains("Address already in use"));
  const Door door({.token = kToken, .loopback = true});
  REQUIRE(!door.addresses().empty());
  for (const std::string& address : door.addresses()) {
    CHECK(!address.starts_with("0.0.0.0"));
    CHECK(!address.starts_with("[::]"));
    CHECK(interface_with(parse_endpoint(address)) != "");
  }
}

}  // namespace
}  // namespace rhino::launch
