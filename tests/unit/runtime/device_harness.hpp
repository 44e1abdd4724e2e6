// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <memory>
#include <vector>

#include "ir/element.hpp"
#include "ir/reference.hpp"
#include "rhino/program.hpp"
#include "runtime/device/device.hpp"

namespace rhino {

/// Dense memory of a tensor, aligned as a worker's arena is.
class Buffer {
 public:
  explicit Buffer(std::int64_t bytes)
      : data_(static_cast<std::byte*>(
            ::operator new (static_cast<std::size_t>(bytes) + 64, std::align_val_t{64}))) {}
  ~Buffer() { ::operator delete (data_, std::align_val_t{64}); }
  Buffer(Buffer&& other) noexcept : data_(std::exchange(other.data_, nullptr)) {}
  Buffer(const Buffer&) = delete;
  Buffer& operator=(const Buffer&) = delete;
  std::byte* data() const { return data_; }

 private:
  std::byte* data_;
};

enum class Placement { apart, in_place };

/// Outputs of one run of `program`. in_place: an updated_state gets the memory of its input.
inline std::vector<ir::Tensor> run_on(runtime::Device& device, const Program& program,
                                      const std::vector<ir::Tensor>& inputs,
                                      Placement placement = Placement::in_place) {
  const std::unique_ptr<runtime::Executable> executable = device.compile(program);
  std::vector<Buffer> buffers;
  std::vector<const void*> in;
  std::vector<void*> out;
  for (const ir::Tensor& input : inputs) {
    buffers.emplace_back(num_bytes(input.shape));
    ir::write_elements(input.shape.dtype, input.elements, buffers.back().data());
    in.push_back(buffers.back().data());
  }
  for (const Output& output : program.outputs) {
    if (placement == Placement::in_place && output.kind == OutputKind::updated_state) {
      out.push_back(buffers[static_cast<std::size_t>(output.input)].data());
      continue;
    }
    buffers.emplace_back(num_bytes(program.shape(output.value)));
    out.push_back(buffers.back().data());
  }
  const Buffer workspace(executable->workspace_bytes());
  std::fill_n(workspace.data(), executable->workspace_bytes(), std::byte{0xff});  // NaN
  const std::unique_ptr<runtime::Stream> stream = device.stream();
  executable->enqueue(*stream, in, out, workspace.data());
  stream->record().wait();
  std::vector<ir::Tensor> results;
  for (std::size_t i = 0; i < out.size(); ++i) {
    const Shape& shape = program.shape(program.outputs[i].value);
    ir::Tensor& result = results.emplace_back(ir::Tensor{shape, {}});
    result.elements.resize(static_cast<std::size_t>(num_elements(shape)));
    ir::read_elements(shape.dtype, out[i], result.elements);
  }
  return results;
}

/// Largest difference over the root mean square of `expected` (at least `floor`); infinity where
/// exactly one is NaN.
inline double relative_error(const ir::Tensor& actual, const ir::Tensor& expected,
                             double floor = 1e-6) {
  double squares = 0, worst = 0;
  for (double element : expected.elements) {
    if (std::isfinite(element)) squares += element * element;
  }
  for (std::size_t i = 0; i < expected.elements.size(); ++i) {
    const double a = actual.elements[i], e = expected.elements[i];
    if (a == e || (std::isnan(a) && std::isnan(e))) continue;
    const double difference = std::abs(a - e);
    worst = std::isnan(difference) ? INFINITY : std::max(worst, difference);
  }
  const auto count = static_cast<double>(std::max<std::size_t>(1, expected.elements.size()));
  return worst / std::max(floor, std::sqrt(squares / count));
}

}  // namespace rhino
