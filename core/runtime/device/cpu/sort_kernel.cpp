// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <numeric>
#include <type_traits>
#include <utility>
#include <vector>

#include "rhino/index.hpp"
#include "runtime/device/cpu/kernel.hpp"
#include "runtime/device/cpu/narrow_float.hpp"
#include "runtime/device/cpu/reductions.hpp"

namespace rhino::runtime {
namespace {

/// Fewer elements than this are not worth a second thread.
constexpr std::int64_t kWorthThreads = 4096;

/// NaN comes last.
template <typename T>
bool before(T a, T b) {
  if constexpr (std::is_floating_point_v<T>) return std::isnan(b) ? !std::isnan(a) : a < b;
  return a < b;
}

/// What keys are compared as.
template <typename T>
auto key_of(T element) {
  if constexpr (std::is_same_v<T, Bf16> || std::is_same_v<T, F16>) return widen(element);
  else return element;
}

/// Rows along a dim, each with its keys and the numbers of its elements copied next to each other.
template <typename K, typename V>
class SortKernel : public Kernel {
 public:
  SortKernel(const lower::LoweredProgram& lowered, ValueId id, int num_threads) : to_(id) {
    const Op& op = lowered.program.op(id);
    keys_ = lowered.views[at(op.operands[0])].base;
    values_ = lowered.views[at(op.operands.back())].base;
    const std::size_t dim = at(op.attributes.get<DimAttr>().dim);
    const std::vector<std::int64_t>& dims = op.shape.dims;
    extent_ = dims[dim];
    for (std::size_t d = 0; d < dim; ++d) outer_ *= dims[d];
    for (std::size_t d = dim + 1; d < dims.size(); ++d) inner_ *= dims[d];
    const std::int64_t lines = outer_ * inner_;
    const bool pays = lines * extent_ >= kWorthThreads;
    lines_.resize(at(pays ? std::min<std::int64_t>(num_threads, lines) : 1));
    for (std::vector<Element>& line : lines_) line.resize(at(extent_));
  }

  void run(Memory memory) override {
    const K* keys = reinterpret_cast<const K*>(memory[at(keys_)]);
    const V* values = reinterpret_cast<const V*>(memory[at(values_)]);
    V* to = reinterpret_cast<V*>(memory[at(to_)]);
    const auto num_parts = static_cast<int>(lines_.size());
    const std::int64_t count = outer_ * inner_;
#pragma omp parallel for schedule(static) num_threads(num_parts)
    for (int part = 0; part < num_parts; ++part) {
      for (std::int64_t i = count * part / num_parts; i < count * (part + 1) / num_parts; ++i) {
        const std::int64_t first = i / inner_ * extent_ * inner_ + i % inner_;
        sort(keys + first, values + first, to + first, lines_[at(part)]);
      }
    }
  }

 private:
  struct Element {
    decltype(key_of(K{})) key;
    V value;
    std::int64_t number;
  };

  void sort(const K* keys, const V* values, V* to, std::vector<Element>& line) const {
    for (std::int64_t i = 0; i < extent_; ++i)
      line[at(i)] = {key_of(keys[i * inner_]), values[i * inner_], i};
    std::ranges::sort(line, [](const Element& a, const Element& b) {
      return before(a.key, b.key) || (!before(b.key, a.key) && a.number < b.number);
    });
    for (std::int64_t i = 0; i < extent_; ++i) to[i * inner_] = line[at(i)].value;
  }

  ValueId keys_, values_, to_;
  std::int64_t outer_ = 1, extent_ = 1, inner_ = 1;
  std::vector<std::vector<Element>> lines_;  ///< per thread
};

/// Calls `visit(V{})` for a type of as many bytes: values are moved only.
template <typename Visit>
void with_bytes(DType dtype, Visit visit) {
  switch (dtype_bytes(dtype)) {
    case 1: return visit(std::uint8_t{});
    case 2: return visit(std::uint16_t{});
    case 4: return visit(std::uint32_t{});
    default: return visit(std::uint64_t{});
  }
}

}  // namespace

std::unique_ptr<Kernel> make_sort_kernel(const lower::LoweredProgram& lowered,
                                         const lower::KernelGroup& group, int num_threads) {
  const ValueId id = group.ops[0];
  const Op& op = lowered.program.op(id);
  if (op.kind != OpKind::sort) return nullptr;
  std::unique_ptr<Kernel> kernel;
  const auto make = [&]<typename K>(K) {
    with_bytes(op.shape.dtype, [&]<typename V>(V) {
      kernel = std::make_unique<SortKernel<K, V>>(lowered, id, num_threads);
    });
  };
  const DType keys = lowered.program.shape(op.operands[0]).dtype;
  if (keys == DType::bf16) make(Bf16{});
  else if (keys == DType::f16) make(F16{});
  else with_element_type(keys, make);
  return kernel;
}

}  // namespace rhino::runtime
