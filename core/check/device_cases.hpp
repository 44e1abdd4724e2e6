// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "runtime/device_case.hpp"

namespace rhino::check {

/// What a device computes of a training step, taken apart from the bottom up, with the values that
/// the reference evaluator finds: each unlike op, each unlike kernel that lowering makes, and the
/// loss of the whole step; with attention as one kernel, and with its scores in memory.
struct StepCases {
  std::vector<runtime::DeviceCase> ops, kernels, whole;
};
StepCases step_cases(const Program& step, std::uint64_t seed);
/// Of a step the kernels of attention alone, forward and backward.
std::vector<runtime::DeviceCase> attention_cases(const Program& step, std::uint64_t seed);

/// Dots of odd and of round shapes, transposed and in batches, of one dtype.
std::vector<runtime::DeviceCase> dot_cases(DType dtype, std::uint64_t seed);

/// The same by each of cuBLASLt's first algorithms, and by kernels of our own.
std::vector<runtime::DeviceCase> dot_ways(const std::vector<runtime::DeviceCase>& dots);
/// Convolutions of one dtype, of each direction, in groups and padded on one side: by cuDNN, where
/// it takes them, and by kernels of our own.
std::vector<runtime::DeviceCase> convolution_cases(DType dtype, std::uint64_t seed);
/// The same as CUDA graphs.
std::vector<runtime::DeviceCase> as_graphs(std::vector<runtime::DeviceCase> cases);

/// What large kernels reach, to be timed and not compared: `bytes` are read and written, `flops`
/// computed.
struct RateCase {
  runtime::DeviceCase run;
  DType dtype = DType::f32;
  double bytes = 0, flops = 0;
};
struct RateSizes {
  std::int64_t rows = 16384, columns = 4096, extent = 4096;
};
std::vector<RateCase> rate_cases(const RateSizes& sizes);

}  // namespace rhino::check
