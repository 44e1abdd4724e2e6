// SPDX-License-Identifier: Apache-2.0
#include "runtime/message.hpp"

#include <sys/socket.h>

#include <catch2/catch.hpp>
#include <thread>

#include "runtime/channel.hpp"

namespace rhino {
namespace {

std::vector<std::byte> address(std::size_t size) {
  return std::vector<std::byte>(size, static_cast<std::byte>(size));
}

std::pair<runtime::Channel, runtime::Channel> channel_pair() {
  int ends[2];
  REQUIRE(::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) == 0);
  return {runtime::Channel(topology::FileDescriptor(ends[0])),
          runtime::Channel(topology::FileDescriptor(ends[1]))};
}

std::string pattern(std::size_t size) {
  std::string bytes(size, ' ');
  for (std::size_t i = 0; i < size; ++i) bytes[i] = static_cast<char>(i * 31 >> 3);
  return bytes;
}

TEST_CASE("messages come back as they were") {
  const runtime::SetupRequest setup{
      .rank = 3,
      .num_threads = 2,
      .oversubscribed = true,
      .seed = 99,
      .device = "cpu",
      .cores = {4, 5},
      .gpu = {.dots = runtime::GpuModes::Dots::simple, .waits_each = true}};
  const auto read = runtime::decode_message<runtime::SetupRequest>(runtime::encode_message(setup));
  CHECK(read.rank == 3);
  CHECK(read.oversubscribed);
  CHECK(read.seed == 99);
  CHECK(read.device == "cpu");
  CHECK(read.cores == setup.cores);
  CHECK(read.gpu == setup.gpu);

  const runtime::ConnectRequest connect{.addresses = {address(3), {}, address(100)},
                                        .deadline_s = 1.5};
  CHECK(runtime::decode_message<runtime::ConnectRequest>(runtime::encode_message(connect))
            .addresses == connect.addresses);

  runtime::RunReply run;
  run.start_s = 4;
  run.trace.step_end_s = {1, 2};
  run.trace.events = {{1, 2, 3, 4}};
  const auto run_read = runtime::decode_message<runtime::RunReply>(runtime::encode_message(run));
  CHECK(run_read.start_s == 4);
  CHECK(run_read.trace.step_end_s == run.trace.step_end_s);
  CHECK(run_read.trace.events == run.trace.events);
}

TEST_CASE("a torn message is refused at every byte") {
  const runtime::ConnectRequest connect{.addresses = {address(3), address(9)}, .deadline_s = 1};
  const std::string whole = runtime::encode_message(connect);
  for (std::size_t size = 0; size < whole.size(); ++size)
    CHECK_THROWS_AS(runtime::decode_message<runtime::ConnectRequest>(whole.substr(0, size)), Error);
}

TEST_CASE("frames of any size arrive whole and in order") {
  auto [left, right] = channel_pair();
  const std::vector<std::size_t> sizes = {0, 1, 70'000, 3'000'000, 5};
  std::thread writer([&channel = left, &sizes] {
    for (std::size_t size : sizes) channel.put({runtime::MessageKind::run, pattern(size), {}});
  });
  for (std::size_t size : sizes) {
    const std::optional<runtime::Frame> frame = right.take();
    REQUIRE(frame);
    CHECK(frame->kind == runtime::MessageKind::run);
    CHECK(frame->body == pattern(size));
  }
  writer.join();
}

TEST_CASE("polling yields a frame once it is whole and never waits") {
  auto [left, right] = channel_pair();
  CHECK_FALSE(right.poll());
  left.put({runtime::MessageKind::fetch, {}, "it failed"});
  left.put({runtime::MessageKind::reset, pattern(2), {}});
  CHECK(right.poll()->error == "it failed");
  CHECK(right.poll()->body == pattern(2));
  CHECK_FALSE(right.poll());
  CHECK_FALSE(right.ended());
  left = runtime::Channel(topology::FileDescriptor());
  CHECK_FALSE(right.poll());
  CHECK(right.ended());
  CHECK_FALSE(right.take());
  CHECK_THROWS_AS(right.put({runtime::MessageKind::exit, {}, {}}), Error);
}

}  // namespace
}  // namespace rhino
