// SPDX-License-Identifier: Apache-2.0
#ifndef __SANITIZE_ADDRESS__  // which brings an allocator of its own
#include <malloc.h>

#include <catch2/catch.hpp>
#include <cstdlib>
#include <new>

#include "ir/training_step.hpp"
#include "models/models.hpp"

namespace {

std::int64_t g_live_bytes = 0;  // of all blocks of this process, as malloc rounds them up

}  // namespace

void* operator new(std::size_t size) {
  void* block = std::malloc(size);
  if (!block) throw std::bad_alloc();
  g_live_bytes += static_cast<std::int64_t>(malloc_usable_size(block));
  return block;
}
void operator delete(void* block) noexcept {
  g_live_bytes -= static_cast<std::int64_t>(malloc_usable_size(block));
  std::free(block);
}
void operator delete(void* block, std::size_t) noexcept { operator delete(block); }

using namespace rhino;

TEST_CASE("an op of the step of gpt 175b takes at most 200 bytes, heap included") {
  const auto bytes_per_op = [](auto make) {
    const std::int64_t before = g_live_bytes;
    const Program program = make();
    return static_cast<double>(g_live_bytes - before) / static_cast<double>(program.size());
  };
  const models::GptConfig config = models::gpt_preset("175b");
  const Program step = ir::training_step(models::gpt_forward(config, 4), {});
  CHECK(step.size() > 10000);
  CHECK(bytes_per_op([&] { return ir::training_step(models::gpt_forward(config, 4), {}); }) <= 200);
  const double copy = bytes_per_op([&] { return step; });
  CHECK(copy <= 200);
  CHECK(copy > static_cast<double>(sizeof(Op)));
}
#endif
