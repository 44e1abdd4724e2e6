// SPDX-License-Identifier: Apache-2.0
#include "launch/knock.hpp"

#include <sys/socket.h>

#include <algorithm>
#include <atomic>
#include <catch2/catch.hpp>
#include <cstring>
#include <future>
#include <memory>
#include <thread>
#include <utility>

#include "rhino/error.hpp"
#include "strangers.hpp"

namespace rhino::launch {
namespace {

using Catch::Matchers::Contains;

/// The sentence of a knock that comes to nothing.
std::string failure_of(const std::vector<std::string>& addresses, double deadline_s) {
  try {
    const Knocked knocked = knock({addresses, kToken, 2}, deadline_s);
    return "found " + knocked.address;
  } catch (const Error& error) {
    return error.what();
  }
}

/// Answers whoever connects at an address of its own, until the end of its scope.
class Impostor {
 public:
  using Talk = std::function<void(const Stranger&)>;
  explicit Impostor(Talk talk) : talk_(std::move(talk)), thread_([this] { serve(); }) {}
  ~Impostor() {
    ends_ = true;
    thread_.join();
  }
  const std::string& address() const { return listener_.address; }
  int num_taken() const { return num_taken_; }

 private:
  void serve() {
    while (!ends_) {
      pollfd fd{listener_.socket.get(), POLLIN, 0};
      if (::poll(&fd, 1, 10) <= 0) continue;
      ++num_taken_;
      talk_(listener_.take());
    }
  }

  Listener listener_;
  Talk talk_;
  std::atomic<bool> ends_ = false;
  std::atomic<int> num_taken_ = 0;
  std::thread thread_;  // last, it uses the others
};

void say_nothing(const Stranger& agent) { agent.hear(1); }
void speak_http(const Stranger& agent) {
  agent.say("HTTP/1.1 400 Bad Request\r\nServer: one of many\r\nConnection: close\r\n\r\n");
}

std::string address_of_nobody() { return Listener().address; }

TEST_CASE("strangers and controllers of other runs are passed over") {
  House other("the token of another run"), house;
  const Impostor http(speak_http), silent([](const Stranger&agent) { agent.hear(1); });
  const std::vector<std::string> all = house.door.addresses();
  std::vector<std::string> addresses{address_of_nobody(), silent.address(), other.address,
                                     http.address(), "[fe80::1%rhino9]:4711"};
  for (int i = 0; i < 3; ++i) addresses.insert(addresses.end(), all.begin(), all.end());
  auto agent = std::async(std::launch::async, [&] { return knock({addresses, kToken, 2}, 10); });
  while (agent.wait_for(std::chrono::milliseconds(1)) != std::future_status::ready) {
    other.open_for(0.001);
    house.open_for(0.001);
  }
  const Knocked knocked = agent.get();
  CHECK(std::find(all.begin(), all.end(), knocked.address) != all.end());
  house.open_for(0.1);
  CHECK(house.admitted.size() == 1);  // though it stands at several addresses
  CHECK(house.lines.empty());
  CHECK(other.admitted.empty());
}

TEST_CASE("an agent answers at one address at a time") {
  std::atomic<int> num_answers = 0;
  const Impostor::Talk slow_controller = [&](const Stranger& agent) {
    const Hello own = new_hello();
    agent.say(bytes_of(own));
    const std::string heard = agent.hear(sizeof(Answer));
    if (heard.size() < sizeof(Answer)) return;
    ++num_answers;
    Answer answer;
    std::memcpy(&answer, heard.data(), sizeof answer);
    std::this_thread::sleep_for(std::chrono::milliseconds(300));
    agent.say(bytes_of(Proof{Prover(kToken).mac(Side::controller, own, answer.hello)}));
    agent.hear(1);
  };
  const Impostor first(slow_controller), second(slow_controller);
  CHECK_THAT(failure_of({first.address(), second.address()}, 5), Contains("found 127.0.0.1:"));
  CHECK(num_answers == 1);
}

TEST_CASE("a controller that listens later is found") {
  const std::uint16_t port = Listener().port;
  auto agent = std::async(std::launch::async, [&] {
    return knock({{"127.0.0.1:" + std::to_string(port)}, kToken, 2}, 10);
  });
  std::this_thread::sleep_for(std::chrono::milliseconds(300));
  Door door({.interface = "lo", .port = port, .token = kToken});
  std::vector<topology::FileDescriptor> admitted;
  while (admitted.empty()) {
    for (auto& one : door.admit([](const std::string&) {})) admitted.push_back(std::move(one));
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  CHECK(agent.get().socket.is_open());
}

TEST_CASE("where there is no controller, the sentence says what each address answered") {
  const Impostor http(speak_http), silent(say_nothing);
  const std::string nobody = address_of_nobody();
  const std::string sentence =
      failure_of({nobody, http.address(), silent.address(), "[fe80::1%rhino9]:4711", "lo:1"}, 0.5);
  CHECK(sentence == "found no controller of this run at " + nobody + ": Connection refused; at " +
                        http.address() + ": it does not speak as rhino-bench does; at " +
                        silent.address() +
                        ": it says nothing; at [fe80::1%rhino9]:4711: no address of a network of "
                        "this host; at lo:1: no address of a network of this host");
}

TEST_CASE("where all addresses are strangers', nobody waits for the deadline") {
  const Impostor http(speak_http);
  const TestClock::time_point begin = TestClock::now();
  CHECK_THAT(failure_of({http.address()}, 30), Contains("does not speak"));
  CHECK(seconds_since(begin) < 5);
}

TEST_CASE("what a controller said once proves no impostor") {
  std::string hello, proof;
  House house;
  {
    // Somebody in the middle of a handshake, who writes down what the controller says.
    const Impostor middle([&](const Stranger& agent) {
      const Stranger controller(house.address);
      hello = controller.hear(sizeof(Hello));
      agent.say(hello);
      controller.say(agent.hear(sizeof(Answer)));
      proof = controller.hear(sizeof(Proof));
      agent.say(proof);
    });
    auto agent = std::async(std::launch::async, [&] { return failure_of({middle.address()}, 5); });
    REQUIRE(house.open_until([&] { return house.admitted.size() == 1; }));
    CHECK(agent.get() == "found " + middle.address());
  }
  REQUIRE(proof.size() == sizeof(Proof));
  const Impostor replays([&](const Stranger& agent) {
    agent.say(hello);
    agent.hear(sizeof(Answer));
    agent.say(proof);
    agent.hear(1);
  });
  CHECK_THAT(failure_of({replays.address()}, 5), Contains("it does not know the run's token"));
}

TEST_CASE("who echoes an agent's proof is no controller") {
  const Impostor echo([](const Stranger& agent) {
    agent.say(bytes_of(new_hello()));
    agent.say(agent.hear(sizeof(Answer)).substr(sizeof(Hello)));
    agent.hear(1);
  });
  CHECK_THAT(failure_of({echo.address()}, 5), Contains("it does not know the run's token"));
}

/// A controller that knows the token and says only so many bytes.
Impostor::Talk torn_controller(std::size_t size) {
  return [size](const Stranger& agent) {
    const Hello own = new_hello();
    agent.say(bytes_of(own).substr(0, size));
    if (size <= sizeof(Hello)) return;
    const std::string heard = agent.hear(sizeof(Answer));
    if (heard.size() < sizeof(Answer)) return;
    Answer answer;
    std::memcpy(&answer, heard.data(), sizeof answer);
    const Proof proof{Prover(kToken).mac(Side::controller, own, answer.hello)};
    agent.say(bytes_of(proof).substr(0, size - sizeof(Hello)));
    if (size == sizeof(Hello) + sizeof(Proof)) agent.hear(1);
  };
}

TEST_CASE("a controller that is torn off at any byte is none") {
  const int before = num_open_descriptors();
  {
    std::vector<std::unique_ptr<Impostor>> torn;
    std::vector<std::string> addresses;
    for (std::size_t size = 0; size < sizeof(Hello) + sizeof(Proof); ++size) {
      torn.push_back(std::make_unique<Impostor>(torn_controller(size)));
      addresses.push_back(torn.back()->address());
    }
    const std::string sentence = failure_of(addresses, 2);
    CHECK_THAT(sentence, Contains("found no controller"));
    const Impostor whole(torn_controller(sizeof(Hello) + sizeof(Proof)));
    addresses.push_back(whole.address());
    CHECK(failure_of(addresses, 10) == "found " + whole.address());
  }
  CHECK(num_open_descriptors() == before);
}

TEST_CASE("a controller of tomorrow is left, and told why") {
  std::promise<std::string> heard;
  bool is_told = false;
  const Impostor tomorrow([&](const Stranger& agent) {
    Hello hello = new_hello();
    hello.version[3] = kProtocolVersion + 1;
    agent.say(bytes_of(hello));
    const std::string answer = agent.hear(sizeof(Answer));
    if (!std::exchange(is_told, true)) heard.set_value(answer);
  });
  CHECK_THAT(failure_of({tomorrow.address()}, 5),
             Contains("it speaks version 2 of the protocol, where this is version 1"));
  CHECK(heard.get_future().get().size() == sizeof(Answer));
}

TEST_CASE("addresses are read as they are written") {
  for (const std::string text : {"127.0.0.1:4711", "[::1]:65535", "10.0.0.1:0", "[2001:db8::7]:80"})
    CHECK(parse_endpoint(text).text() == text);
  for (const std::string text :
       {"", ":", "127.0.0.1", "127.0.0.1:", "localhost:80", "::1:80", "[::1]", "[::1]80",
        "127.0.0.1:x", "127.0.0.1:70000", "[::1:80", "300.0.0.1:80"}) {
    CAPTURE(text);
    CHECK_THROWS_AS(parse_endpoint(text), Error);
  }
}

}  // namespace
}  // namespace rhino::launch
