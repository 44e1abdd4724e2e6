// SPDX-License-Identifier: Apache-2.0
#include "runtime/cuda/box_mover.hpp"

#include <catch2/catch.hpp>
#include <random>

#include "rhino/index.hpp"
#include "runtime/cuda/cuda_device.hpp"
#include "runtime/cuda/cuda_stream.hpp"
#include "runtime/transport/message_box.hpp"

namespace rhino {
namespace {

using namespace runtime;

/// A box of a random array into one of another array, at a random place of both.
struct BoxCase {
  std::vector<std::int64_t> size, from_dims, to_dims;
  std::int64_t width = 1, from_offset = 0, to_offset = 0;

  explicit BoxCase(std::mt19937& random) {
    const auto below = [&](std::int64_t n) { return static_cast<std::int64_t>(random() % at(n)); };
    width = std::int64_t{1} << below(4);
    Box from, to;
    const std::int64_t num_dims = 1 + below(4);
    for (std::int64_t d = 0; d < num_dims; ++d) {
      const std::int64_t extent = d + 1 == num_dims && below(2) ? 4 * (1 + below(3)) : 1 + below(5);
      size.push_back(extent);
      for (auto [dims, box] : {std::pair(&from_dims, &from), std::pair(&to_dims, &to)}) {
        const std::int64_t start = below(4);
        // Rows often begin where wide accesses may, and boxes in them where they may not.
        const std::int64_t end = start + extent + below(3);
        dims->push_back(below(2) ? end : (end + 3) / 4 * 4);
        box->start.push_back(start);
        box->size.push_back(extent);
      }
    }
    from_offset = box_offset(from_dims, from, width);
    to_offset = box_offset(to_dims, to, width);
  }
};

TEST_CASE("boxes arrive whole, wherever they lie, and nothing beside them is touched") {
  const std::unique_ptr<Device> device = cuda::make_cuda_device({});
  auto& gpu = dynamic_cast<cuda::CudaDeviceBase&>(*device);
  const cuda::BoxMover mover(gpu.driver(), gpu.compiler());
  const std::unique_ptr<Stream> stream = device->stream();
  std::mt19937 random(Catch::rngSeed());
  for (int i = 0; i < 60; ++i) {
    const BoxCase box(random);
    INFO("box " << i << " of seed " << Catch::rngSeed());
    std::vector<std::byte> source(at(num_elements(box.from_dims) * box.width));
    for (std::byte& byte : source) byte = static_cast<std::byte>(random());
    std::vector<std::byte> expected(at(num_elements(box.to_dims) * box.width), std::byte{0x5a});
    std::vector<std::byte> actual = expected;
    const auto from = device->allocate(std::ssize(source)),
               to = device->allocate(std::ssize(actual));
    device->copy(*stream, from->data(), source.data(), std::ssize(source));
    device->copy(*stream, to->data(), actual.data(), std::ssize(actual));
    const BoxCopy copy = make_box_copy(box.size, box.from_dims, box.to_dims, box.width);
    mover.enqueue(dynamic_cast<cuda::CudaStream&>(*stream).handle(), copy,
                  from->data() + box.from_offset, to->data() + box.to_offset);
    device->copy(*stream, actual.data(), to->data(), std::ssize(actual));
    stream->record().wait();
    copy.run(source.data() + box.from_offset, expected.data() + box.to_offset);
    REQUIRE(actual == expected);
  }
}

}  // namespace
}  // namespace rhino
