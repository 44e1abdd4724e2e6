// SPDX-License-Identifier: Apache-2.0
#include "runtime/worker/arena.hpp"

#include <catch2/catch.hpp>
#include <cstring>
#include <functional>
#include <vector>

#include "rhino/error.hpp"
#include "runtime/device/host_device.hpp"

using namespace rhino;
using namespace rhino::runtime;

namespace {

/// Does nothing before it is waited for, as a GPU may.
class LateStream : public Stream {
 public:
  Event record() override { return {this, static_cast<std::int64_t>(work_.size())}; }
  void wait(std::int64_t number) override {
    while (done_ < number) work_[static_cast<std::size_t>(done_++)]();
  }
  std::int64_t mark() override { return 0; }
  double time_s(std::int64_t) override { return 0; }
  void add(std::function<void()> work) { work_.push_back(std::move(work)); }

 private:
  std::vector<std::function<void()>> work_;
  std::int64_t done_ = 0;
};

class LateMemory : public DeviceMemory {
 public:
  explicit LateMemory(std::int64_t num_bytes) : bytes_(static_cast<std::size_t>(num_bytes)) {}
  std::byte* data() const override { return const_cast<std::byte*>(bytes_.data()); }
  std::int64_t num_bytes() const override { return static_cast<std::int64_t>(bytes_.size()); }
  const SharedMemory* shared() const override { return nullptr; }

 private:
  std::vector<std::byte> bytes_;
};

/// Late, with memory that the host may not touch.
class LateDevice : public Device {
 public:
  std::unique_ptr<DeviceMemory> allocate(std::int64_t num_bytes) override {
    return std::make_unique<LateMemory>(num_bytes);
  }
  void copy(Stream& stream, void* to, const void* from, std::int64_t num_bytes) override {
    dynamic_cast<LateStream&>(stream).add(
        [=] { std::memcpy(to, from, static_cast<std::size_t>(num_bytes)); });
  }
  void fill(Stream& stream, void* to, std::byte value, std::int64_t num_bytes) override {
    dynamic_cast<LateStream&>(stream).add(
        [=] { std::memset(to, std::to_integer<int>(value), static_cast<std::size_t>(num_bytes)); });
  }
  std::unique_ptr<Stream> stream() override { return std::make_unique<LateStream>(); }
  std::unique_ptr<Executable> compile(const Program&) override { throw Error("computes nothing"); }
  std::string name() const override { return "late"; }
  std::string narrow_dots() const override { return ""; }
};

class PlainDevice : public HostDevice {
 public:
  std::unique_ptr<Executable> compile(const Program&) override { throw Error("computes nothing"); }
  std::string name() const override { return "plain"; }
  std::string narrow_dots() const override { return ""; }
};

void write_and_read(Device& device) {
  Arena arena(device, 256);
  REQUIRE(arena.num_bytes() == 256);
  arena.poison(arena.data(), 256);
  std::byte* place = arena.data() + 64;
  std::fill_n(arena.stage(place, 32), 32, std::byte{7});
  arena.commit(place, 32);
  const std::byte* all = arena.fetch(arena.data(), 256);
  for (int i = 0; i < 256; ++i) {
    INFO("byte " << i);
    CHECK(all[i] == std::byte(i >= 64 && i < 96 ? 7 : 0xff));
  }
}

}  // namespace

TEST_CASE("an arena is read and written where the host shares it and where it does not") {
  PlainDevice plain;
  write_and_read(plain);
  LateDevice late;
  write_and_read(late);
}

TEST_CASE("a piece of an arena that is staged again holds nothing of the piece before") {
  LateDevice late;
  Arena arena(late, 128);
  std::fill_n(arena.stage(arena.data(), 128), 128, std::byte{1});
  arena.commit(arena.data(), 128);
  std::fill_n(arena.stage(arena.data(), 128), 64, std::byte{2});
  arena.commit(arena.data(), 128);
  const std::byte* all = arena.fetch(arena.data(), 128);
  CHECK(all[63] == std::byte{2});
  CHECK(all[64] == std::byte{0xff});
}

TEST_CASE("a host device has done its work when enqueuing returns") {
  PlainDevice device;
  const auto stream = device.stream();
  const std::int64_t before = stream->mark();
  CHECK(stream->record().source == nullptr);
  CHECK(stream->time_s(before) <= stream->time_s(stream->mark()));
}

TEST_CASE("a host stream waits for what others have under way") {
  PlainDevice device;
  LateStream other;
  bool done = false;
  other.add([&] { done = true; });
  device.stream()->wait_for(other.record());
  CHECK(done);
}
