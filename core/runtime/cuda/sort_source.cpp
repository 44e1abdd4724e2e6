// SPDX-License-Identifier: Apache-2.0
#include <utility>

#include "runtime/cuda/op_kernel.hpp"

namespace rhino::runtime::cuda {
namespace {

/// A run of so many elements is sorted by counting, each against all others of it.
constexpr std::int64_t kFirstRun = 32;
constexpr std::int64_t kNumberBytes = 4;

/// Numbers of a line's elements in their order lie in two scratch memories that take turns: runs
/// merge, twice as long each time, every element finding its place in the other run by bisection.
class SortSource : OpKernel {
 public:
  SortSource(const lower::LoweredProgram& lowered, ValueId id) : OpKernel(lowered, id) {
    const std::size_t dim = at(op_.attributes.get<DimAttr>().dim);
    const lower::Dims& dims = op_.shape.dims;
    extent_ = dims[dim];
    inner_ = lower::dense_strides(dims)[dim];
    count_ = num_elements(op_.shape);
  }

  GroupSource run() {
    count_runs();
    for (std::int64_t run = kFirstRun; run < extent_; run *= 2) merge(run);
    take();
    source_.scratch_bytes = {count_ * kNumberBytes, count_ * kNumberBytes};
    return std::move(source_);
  }

 private:
  std::string number(const std::string& index) {
    return "((s32*)" + writer_.pointer(scratch_base(lowered_, is_odd_ ? 1 : 0)) + ")[" + index +
           "]";
  }
  /// `body` behind `j`, the place of element `i` in its line, and `line`, the first one of that;
  /// neighbours are apart by `inner_`.
  std::string in_line(const std::string& body) const {
    const std::string inner = text(inner_), line = text(inner_ * extent_);
    return with_index("j", "i / " + inner + " % " + text(extent_),
                      with_index("line", "i / " + line + " * " + line + " + i % " + inner, body));
  }
  std::string element(const std::string& number) const {
    return "line + (" + number + ") * " + text(inner_);
  }
  std::string key_type() const { return computed_type(shape(0).dtype); }

  void count_runs() {
    const std::string own = read(0, "i"), other = read(0, element("o"));
    const std::string body =
        "const Index first = j / " + text(kFirstRun) + " * " + text(kFirstRun) +
        ", end = min(first + " + text(kFirstRun) + ", (Index)" + text(extent_) +
        ");\nIndex to = first;\nconst " + key_type() + " key = " + own +
        ";\nfor (Index o = first; o < end; ++o) {\nconst " + key_type() + " other = " + other +
        ";\nto += is_before(other, key) || (!is_before(key, other) && o < j);\n}\n" +
        number(element("to")) + " = (s32)j;\n";
    add_kernel("i", count_, in_line(body));
  }

  void merge(std::int64_t run) {
    const std::string own = number("i");
    const std::string middle = number(element("middle"));
    is_odd_ = !is_odd_;
    const std::string to = number(element("to"));
    const std::string key = read(0, element("own")), other = read(0, element("from"));
    const std::string size = text(run), extent = "(Index)" + text(extent_);
    // Of equal ones those of the run on the left come first.
    const std::string body =
        "const Index mine = j / " + size + ", pair = mine / 2 * " + text(2 * run) +
        ", first = min((mine ^ 1) * " + size + ", " + extent +
        ");\nIndex low = first, high = min(first + " + size + ", " + extent +
        ");\nconst Index own = " + own + ";\nconst " + key_type() + " key = " + key +
        ";\nwhile (low < high) {\nconst Index middle = (low + high) / 2;\n" +
        "const Index from = " + middle + ";\nconst " + key_type() + " other = " + other +
        ";\nconst bool is_first = mine % 2 ? !is_before(key, other) : " +
        "is_before(other, key);\nif (is_first) low = middle + 1; else high = " +
        "middle;\n}\nconst Index to = pair + j % " + size + " + low - first;\n" + to +
        " = (s32)own;\n";
    add_kernel("i", count_, in_line(body));
  }

  void take() {
    const std::string from = number("i");
    const std::size_t values = op_.operands.size() - 1;
    add_kernel(
        "i", count_,
        in_line("const Index from = " + from + ";\n" + store("i", read(values, element("from")))));
  }

  std::int64_t extent_ = 1, inner_ = 1, count_ = 0;
  bool is_odd_ = false;  ///< which scratch holds the numbers
};

}  // namespace

GroupSource sort_source(const lower::LoweredProgram& lowered, ValueId id) {
  return SortSource(lowered, id).run();
}

}  // namespace rhino::runtime::cuda
