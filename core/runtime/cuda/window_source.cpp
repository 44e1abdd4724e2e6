// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <utility>

#include "ir/op_info.hpp"
#include "runtime/cuda/op_kernel.hpp"

namespace rhino::runtime::cuda {
namespace {

class WindowSource : OpKernel {
 public:
  WindowSource(const lower::LoweredProgram& lowered, ValueId id)
      : OpKernel(lowered, id), window_(op_.attributes.get<WindowAttr>()) {}

  GroupSource run() {
    op_.kind == OpKind::reduce_window ? reduce() : select();
    return std::move(source_);
  }

 private:
  /// Nested loops over the elements of the operand in the window that begins at `start0`, `start1`,
  /// ..., row-major; `body` finds an element's index in `e`.
  std::string for_each_element(const std::string& body) {
    const lower::Dims &dims = shape(0).dims, strides = lower::dense_strides(dims);
    std::string loops, close, index = "0";
    for (std::size_t d = 0; d < dims.size(); ++d) {
      const std::string c = "c" + text(static_cast<std::int64_t>(d)),
                        s = "start" + text(static_cast<std::int64_t>(d));
      index += " + " + c + " * " + text(strides[d]);
      if (window_.sizes[d] == 1) {
        loops += "const Index " + c + " = " + s + ";\nif (" + c + " >= 0 && " + c + " < " +
                 text(dims[d]) + ") {\n";
      } else {
        loops += "for (Index " + c + " = max(" + s + ", (Index)0); " + c + " < min(" + s + " + " +
                 text(window_.sizes[d]) + ", (Index)" + text(dims[d]) + "); ++" + c + ") {\n";
      }
      close += "}\n";
    }
    return loops + "const Index e = " + index + ";\n" + body + close;
  }

  /// `start0`, `start1`, ... of the window at these coordinates.
  std::string starts(const std::vector<std::string>& windows) const {
    std::string body;
    for (std::size_t d = 0; d < windows.size(); ++d) {
      body += "const Index start" + text(static_cast<std::int64_t>(d)) + " = " + windows[d] +
              " * " + text(window_.strides[d]) + " - (" + text(window_.low[d]) + ");\n";
    }
    return body;
  }

  void reduce() {
    const lower::Dims& windows = op_.shape.dims;
    std::vector<std::string> own;
    for (std::size_t d = 0; d < windows.size(); ++d) own.push_back(coordinate(windows, d, "i"));
    const std::string start = literal(dtype(), ir::neutral_element(window_.reduction, dtype()));
    const std::string step =
        "total = " + functor(window_.reduction) + "(total, " + read(0, "e") + ");\n";
    add_kernel("i", num_elements(op_.shape),
               computed_type(dtype()) + " total = " + start + ";\n" + starts(own) +
                   for_each_element(step) + store("i", "total"));
  }

  /// A thread for each element of the operand: of all windows that hold it, those that choose it
  /// give it their element, in their order.
  void select() {
    const lower::Dims &dims = op_.shape.dims, &windows = shape(1).dims;
    const lower::Dims order = lower::dense_strides(windows);
    std::vector<std::string> names;
    std::string loops, close, number = "0";
    for (std::size_t d = 0; d < dims.size(); ++d) {
      const std::string w = "w" + text(static_cast<std::int64_t>(d)),
                        step = text(window_.strides[d]);
      const std::string place = "(" + coordinate(dims, d, "i") + " + " + text(window_.low[d]) + ")";
      names.push_back(w);
      number += " + " + w + " * " + text(order[d]);
      loops += "for (Index " + w + " = first_window(" + place + ", (Index)" +
               text(window_.sizes[d]) + ", (Index)" + step + "); " + w + " * " + step +
               " <= " + place + " && " + w + " < " + text(windows[d]) + "; ++" + w + ") {\n";
      close += "}\n";
    }
    const std::string candidate = read(0, "e");
    const char* better = window_.reduction == Reduction::max ? ">" : "<";
    const std::string look = "const " + computed_type(dtype()) + " candidate = " + candidate +
                             ";\nif (chosen < 0 || candidate " + better +
                             " best) chosen = e, best = candidate;\n";
    const std::string body = starts(names) + "Index chosen = -1;\n" + computed_type(dtype()) +
                             " best = 0;\n" + for_each_element(look) +
                             "if (chosen == i) total = op_add(total, " + read(1, number) + ");\n";
    add_kernel(
        "i", num_elements(op_.shape),
        computed_type(dtype()) + " total = 0;\n" + loops + body + close + store("i", "total"));
  }

  const WindowAttr& window_;
};

}  // namespace

GroupSource window_source(const lower::LoweredProgram& lowered, ValueId id) {
  return WindowSource(lowered, id).run();
}

}  // namespace rhino::runtime::cuda
