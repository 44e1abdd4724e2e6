// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>
#include <cstddef>
#include <memory>
#include <vector>

#include "ir/element.hpp"
#include "ir/reference.hpp"
#include "runtime/cuda/cuda_device.hpp"

/// Programs on the cuda device, which the fakes run.
namespace rhino::test {

/// Tensors on a device, in memory that held all ones.
struct Placed {
  std::vector<std::unique_ptr<runtime::DeviceMemory>> memory;
  std::byte* add(runtime::Device& device, runtime::Stream& stream, std::int64_t num_bytes) {
    memory.push_back(device.allocate(num_bytes));
    device.fill(stream, memory.back()->data(), std::byte{0xff}, num_bytes);
    return memory.back()->data();
  }
};

inline std::vector<std::byte> bytes_of(const ir::Tensor& tensor) {
  std::vector<std::byte> bytes(static_cast<std::size_t>(num_bytes(tensor.shape)));
  ir::write_elements(tensor.shape.dtype, tensor.elements, bytes.data());
  return bytes;
}

/// The root of the sum of squares of what is wrong, over that of what is right.
inline double wrong_part(const ir::Tensor& actual, const ir::Tensor& expected) {
  double wrong = 0, whole = 1e-12;
  for (std::size_t i = 0; i < expected.elements.size(); ++i) {
    const double difference = actual.elements[i] - expected.elements[i];
    wrong += difference * difference;
    whole += expected.elements[i] * expected.elements[i];
  }
  return std::sqrt(wrong / whole);
}

/// What `executable` makes of `program`'s inputs, with updated states in the memory of theirs or
/// not.
inline std::vector<ir::Tensor> run_on_device(runtime::Device& device,
                                             runtime::Executable& executable,
                                             const Program& program,
                                             const std::vector<ir::Tensor>& inputs, bool in_place) {
  const std::unique_ptr<runtime::Stream> stream = device.stream();
  Placed placed;
  std::vector<std::vector<std::byte>> host;
  std::vector<const void*> in;
  std::vector<void*> out;
  for (const ir::Tensor& input : inputs) {
    host.push_back(bytes_of(input));
    std::byte* place = placed.add(device, *stream, num_bytes(input.shape));
    device.copy(*stream, place, host.back().data(), num_bytes(input.shape));
    in.push_back(place);
  }
  for (const Output& output : program.outputs) {
    const bool shares = in_place && output.kind == OutputKind::updated_state;
    out.push_back(shares ? const_cast<void*>(in[static_cast<std::size_t>(output.input)])
                         : placed.add(device, *stream, num_bytes(program.shape(output.value))));
  }
  std::byte* workspace = placed.add(device, *stream, executable.workspace_bytes());
  executable.enqueue(*stream, in, out, workspace);
  std::vector<ir::Tensor> results;
  for (std::size_t i = 0; i < out.size(); ++i) {
    const Shape& shape = program.shape(program.outputs[i].value);
    std::vector<std::byte> bytes(static_cast<std::size_t>(num_bytes(shape)));
    device.copy(*stream, bytes.data(), out[i], num_bytes(shape));
    stream->record().wait();
    ir::Tensor& result = results.emplace_back(ir::Tensor{shape, {}});
    result.elements.resize(static_cast<std::size_t>(num_elements(shape)));
    ir::read_elements(shape.dtype, bytes.data(), result.elements);
  }
  return results;
}

inline std::vector<ir::Tensor> run_on_device(runtime::Device& device, const Program& program,
                                             const std::vector<ir::Tensor>& inputs, bool in_place) {
  return run_on_device(device, *device.compile(program), program, inputs, in_place);
}

}  // namespace rhino::test
