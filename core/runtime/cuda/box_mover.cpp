// SPDX-License-Identifier: Apache-2.0
#include "runtime/cuda/box_mover.hpp"

#include <algorithm>
#include <array>
#include <bit>

#include "rhino/error.hpp"
#include "rhino/index.hpp"
#include "runtime/cuda/taken_out.hpp"

namespace rhino::runtime::cuda {
namespace {

constexpr unsigned kMoverThreads = 256;
constexpr std::int64_t kMostBlocks = 4096;  ///< the grid strides over the rest
constexpr std::int64_t kWidest = 16;
constexpr std::array kNames = {"move_1", "move_2", "move_4", "move_8", "move_16"};

/// As the kernels declare it. Extents and strides in elements of the kernel's width, the innermost
/// dim first.
struct Moved {
  const std::byte* from;
  std::byte* to;
  long long count;
  int num_dims;
  long long extent[BoxMover::kMostDims], from_stride[BoxMover::kMostDims],
      to_stride[BoxMover::kMostDims];
};

constexpr const char* kSource = R"(
struct Moved {
  const char* from;
  char* to;
  long long count;
  int num_dims;
  long long extent[8], from_stride[8], to_stride[8];
};
template <class T>
__device__ void move(const Moved& moved) {
  const long long stride = (long long)gridDim.x * blockDim.x;
  for (long long i = (long long)blockIdx.x * blockDim.x + threadIdx.x; i < moved.count; i += stride) {
    long long rest = i, from = 0, to = 0;
    for (int d = 0; d < moved.num_dims; ++d) {
      const long long index = rest % moved.extent[d];
      rest /= moved.extent[d];
      from += index * moved.from_stride[d];
      to += index * moved.to_stride[d];
    }
    ((T*)moved.to)[to] = ((const T*)moved.from)[from];
  }
}
extern "C" __global__ void __launch_bounds__(256) move_1(Moved moved) { move<unsigned char>(moved); }
extern "C" __global__ void __launch_bounds__(256) move_2(Moved moved) { move<unsigned short>(moved); }
extern "C" __global__ void __launch_bounds__(256) move_4(Moved moved) { move<unsigned int>(moved); }
extern "C" __global__ void __launch_bounds__(256) move_8(Moved moved) { move<unsigned long long>(moved); }
extern "C" __global__ void __launch_bounds__(256) move_16(Moved moved) { move<uint4>(moved); }
)";

/// The greatest power of two up to kWidest that divides all.
std::int64_t width_of(std::int64_t bits) {
  return std::int64_t{1} << std::countr_zero(static_cast<std::uint64_t>(bits | kWidest));
}

std::int64_t address(const std::byte* place) { return reinterpret_cast<std::int64_t>(place); }

/// Elements become as wide as the innermost dim, which lies in a row at both ends, allows.
std::int64_t widest(const BoxCopy& box, std::int64_t element, std::int64_t places) {
  const BoxCopy::Dim& inner = box.dims().back();
  if (inner.from != 1 || inner.to != 1) return element;
  std::int64_t bits = (is_taken_out("alignment") ? 0 : places) | inner.extent * element;
  for (std::size_t d = 0; d + 1 < box.dims().size(); ++d)
    bits |= box.dims()[d].from * element | box.dims()[d].to * element;
  return width_of(bits);
}

}  // namespace

BoxMover::BoxMover(const Driver& driver, const Compiler& compiler)
    : driver_(driver), library_(compiler.compile({kSource})) {
  for (const char* name : kNames) kernels_.push_back(library_->kernel(name));
}

void BoxMover::enqueue(CuStream stream, const BoxCopy& box, const std::byte* from,
                       std::byte* to) const {
  const std::int64_t num_bytes = box.num_bytes();
  if (num_bytes == 0 || from == to) return;
  if (box.is_contiguous()) {
    driver_.check(
        driver_->cuMemcpyDtoDAsync_v2(reinterpret_cast<CuDevicePtr>(to),
                                      reinterpret_cast<CuDevicePtr>(from), at(num_bytes), stream),
        "copying " + std::to_string(num_bytes) + " bytes");
    return;
  }
  const std::int64_t element = num_bytes / box.num_elements();
  const std::int64_t width = widest(box, element, address(from) | address(to));
  const std::size_t num_dims = box.dims().size();
  if (num_dims > kMostDims)
    throw Error("a box of " + std::to_string(num_dims) + " dims cannot be moved on a GPU");
  Moved moved{.from = from,
              .to = to,
              .count = num_bytes / width,
              .num_dims = static_cast<int>(num_dims),
              .extent = {},
              .from_stride = {},
              .to_stride = {}};
  for (std::size_t d = 0; d < num_dims; ++d) {
    const BoxCopy::Dim& dim = box.dims()[num_dims - 1 - d];
    const bool is_inner = d == 0 && width != element;
    moved.extent[d] = is_inner ? dim.extent * element / width : dim.extent;
    moved.from_stride[d] = is_inner ? 1 : dim.from * element / width;
    moved.to_stride[d] = is_inner ? 1 : dim.to * element / width;
  }
  void* arguments[] = {&moved};
  const std::int64_t blocks =
      std::min<std::int64_t>(kMostBlocks, (moved.count + kMoverThreads - 1) / kMoverThreads);
  driver_.check(
      driver_->cuLaunchKernel(kernels_[at(std::countr_zero(static_cast<unsigned>(width)))],
                              static_cast<unsigned>(blocks), 1, 1, kMoverThreads, 1, 1, 0, stream,
                              arguments, nullptr),
      "moving a box");
}

}  // namespace rhino::runtime::cuda
