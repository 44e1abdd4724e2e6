// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "lower/lower.hpp"
#include "lower/view.hpp"
#include "rhino/program.hpp"

namespace rhino::runtime::cuda {

/// One kernel and how it is launched. Kernels of the same text are one.
struct KernelText {
  std::string text;            ///< parameters and body: "(void* p0) {...}"
  std::vector<ValueId> bases;  ///< whose memory the parameters are
  std::int64_t blocks = 1;
  int threads = 128;
  int at_once = 1;        ///< blocks of a multiprocessor that registers are to do for
  std::string kind = {};  ///< for those who count kernels: "elementwise", "rows", an op's name
};

/// The type in which kernels compute with elements of `dtype`: 16 bits as float.
std::string computed_type(DType dtype);
/// The type in which an element lies in memory, and both ways between them.
std::string stored_type(DType dtype);
std::string from_stored(DType dtype, const std::string& element);
std::string to_stored(DType dtype, const std::string& value);
/// `value` of computed_type(dtype), rounded to what an element of `dtype` holds.
std::string rounded(DType dtype, const std::string& value);
std::string literal(DType dtype, double value);
/// The functor that combines two elements.
std::string functor(Reduction reduction);
/// An elementwise op of its operands' values. Throws Error where there is no kernel for it.
std::string elementwise(const Program& program, const Op& op,
                        const std::vector<std::string>& operands);
/// The same, not yet rounded to its dtype.
std::string unrounded(const Program& program, const Op& op,
                      const std::vector<std::string>& operands);

/// Where element `index` (an expression of type Index), row-major over `dims`, lies.
std::string offset_of(const lower::Dims& dims, const lower::View& view, const std::string& index);
/// Coordinate `dim` of element `index`.
std::string coordinate(const lower::Dims& dims, std::size_t dim, const std::string& index);

/// `body`, behind a declaration of what it calls `name` if it does.
std::string with_index(const std::string& name, const std::string& value, const std::string& body);

/// Writes a kernel: names what is given to it, and what is done for every index.
class KernelWriter {
 public:
  std::string pointer(ValueId base);
  std::string load(DType dtype, ValueId base, const std::string& index);
  std::string store(DType dtype, ValueId base, const std::string& index, const std::string& value);
  /// `body` for every `name` below `count`, a thread each.
  static std::string for_each(const std::string& name, std::int64_t count, const std::string& body);
  /// `largest`: what an Index must hold.
  KernelText finish(const std::string& body, std::int64_t largest) const;

 private:
  std::vector<ValueId> bases_;
};

/// Launch of one thread per element.
void spread(KernelText& kernel, std::int64_t count);
/// Whole warps for `count` elements of a block.
int block_threads(std::int64_t count);

}  // namespace rhino::runtime::cuda
