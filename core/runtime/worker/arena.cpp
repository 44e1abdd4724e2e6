// SPDX-License-Identifier: Apache-2.0
#include "runtime/worker/arena.hpp"

#include <algorithm>

namespace rhino::runtime {
namespace {

constexpr std::byte kPoison{0xff};

}  // namespace

Arena::Arena(Device& device, std::int64_t num_bytes)
    : device_(device), stream_(device.stream()), memory_(device.allocate(num_bytes)) {}

const std::byte* Arena::fetch(const std::byte* place, std::int64_t num_bytes) {
  if (shared()) return place;
  staged_.resize(std::max(staged_.size(), static_cast<std::size_t>(num_bytes)));
  device_.copy(*stream_, staged_.data(), place, num_bytes);
  stream_->record().wait();
  return staged_.data();
}

std::byte* Arena::stage(std::byte* place, std::int64_t num_bytes) {
  if (shared()) return place;
  staged_.resize(std::max(staged_.size(), static_cast<std::size_t>(num_bytes)));
  std::fill_n(staged_.data(), num_bytes, kPoison);
  return staged_.data();
}

void Arena::commit(std::byte* place, std::int64_t num_bytes) {
  if (shared()) return;
  device_.copy(*stream_, place, staged_.data(), num_bytes);
  stream_->record().wait();
}

void Arena::poison(std::byte* place, std::int64_t num_bytes) {
  device_.fill(*stream_, place, kPoison, num_bytes);
  stream_->record().wait();
}

}  // namespace rhino::runtime
