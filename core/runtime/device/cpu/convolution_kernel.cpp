// SPDX-License-Identifier: Apache-2.0
#include <omp.h>

#include <algorithm>
#include <oneapi/dnnl/dnnl.hpp>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "lower/convolution_form.hpp"
#include "lower/view.hpp"
#include "rhino/index.hpp"
#include "runtime/box_copy.hpp"
#include "runtime/device/cpu/kernel.hpp"
#include "runtime/device/cpu/narrow_float.hpp"

namespace rhino::runtime {
namespace {

using Dims = std::vector<std::int64_t>;
using Desc = dnnl::memory::desc;
using Type = dnnl::memory::data_type;

/// Dims of one element may have any stride here; oneDNN wants plausible ones.
Dims plausible_strides(const lower::ConvolutionTensor& tensor) {
  Dims strides = tensor.view.strides;
  std::int64_t size = 1;
  for (std::size_t d = 0; d < strides.size(); ++d) {
    if (tensor.dims[d] > 1) size = std::max(size, strides[d] * tensor.dims[d]);
  }
  for (std::size_t d = 0; d < strides.size(); ++d) {
    if (tensor.dims[d] == 1) strides[d] = d < 2 ? size : 1;
  }
  return strides;
}

/// The library has no f16: such a tensor is packed, as f32.
Type type_of(DType dtype) { return dtype == DType::bf16 ? Type::bf16 : Type::f32; }

/// One of the three tensors: where it lies in the program's memory, and the memory that the
/// primitive takes it from or leaves it in, if that is another.
class Argument {
 public:
  Argument(const lower::ConvolutionTensor& tensor, DType dtype, const dnnl::engine& engine)
      : tensor_(tensor),
        is_widened_(dtype == DType::f16),
        element_bytes_(dtype == DType::f32 ? 4 : 2),
        user_(desc_of(type_of(dtype)), engine, nullptr) {
    if (!is_packed()) return;
    packed_.resize(at(num_elements(tensor.dims) * (is_widened_ ? 4 : element_bytes_)));
    copy_ = BoxCopy(tensor.dims, tensor.view.strides, lower::dense_strides(tensor.dims),
                    element_bytes_);
  }

  Desc desc() const { return user_.get_desc(); }
  Desc any(Type type) const { return {tensor_.dims, type, dnnl::memory::format_tag::any}; }

  /// The primitive takes `desc`.
  void take(const Desc& desc, const dnnl::engine& engine) {
    if (desc != user_.get_desc()) own_ = dnnl::memory(desc, engine);
  }

  dnnl::memory& memory() { return own_ ? own_ : user_; }

  void bind(Memory memory, const dnnl::stream& stream) {
    data_ = memory[at(tensor_.view.base)] + tensor_.view.offset * element_bytes_;
    if (is_widened_) convert([](F16& from, float& to) { to = widen(from); });
    else if (is_packed()) copy_.run(data_, packed_.data());
    user_.set_data_handle(is_packed() ? packed_.data() : data_, stream);
  }
  void load(dnnl::stream& stream) {
    if (own_) dnnl::reorder(user_, own_).execute(stream, user_, own_);
  }
  void store(dnnl::stream& stream) {
    if (own_) dnnl::reorder(own_, user_).execute(stream, own_, user_);
    stream.wait();
    if (is_widened_) convert([](F16& to, float& from) { narrow(from, to); });
  }

 private:
  bool is_packed() const { return tensor_.is_packed || is_widened_; }

  Desc desc_of(Type type) const {
    return {tensor_.dims, type,
            is_packed() ? lower::dense_strides(tensor_.dims) : plausible_strides(tensor_)};
  }

  /// Visits each element where it lies, with its place in packed memory.
  template <class Visit>
  void convert(Visit visit) {
    auto* const lying = reinterpret_cast<F16*>(data_);
    auto* const packed = reinterpret_cast<float*>(packed_.data());
    copy_.for_each_run([&](std::int64_t from, std::int64_t to, const BoxCopy::Dim& run) {
      for (std::int64_t i = 0; i < run.extent; ++i)
        visit(lying[from + i * run.from], packed[to + i * run.to]);
    });
  }

  lower::ConvolutionTensor tensor_;
  bool is_widened_;
  std::int64_t element_bytes_;
  std::byte* data_ = nullptr;
  dnnl::memory user_, own_;
  std::vector<std::byte> packed_;
  BoxCopy copy_;
};

/// As many threads as said while it lives; oneDNN asks when it makes code and when that runs.
class NumThreads {
 public:
  explicit NumThreads(int num_threads) : before_(omp_get_max_threads()) {
    omp_set_num_threads(num_threads);
  }
  ~NumThreads() { omp_set_num_threads(before_); }
  NumThreads(const NumThreads&) = delete;
  NumThreads& operator=(const NumThreads&) = delete;

 private:
  int before_;
};

class ConvolutionKernel : public Kernel {
 public:
  ConvolutionKernel(const lower::ConvolutionForm& form, DType dtype, int num_threads)
      : num_threads_(num_threads),
        engine_(dnnl::engine::kind::cpu, 0),
        stream_(engine_),
        kind_(form.kind),
        image_(form.image, dtype, engine_),
        kernel_(form.kernel, dtype, engine_),
        result_(form.result, dtype, engine_) {
    const NumThreads threads(num_threads_);
    const Type type = type_of(dtype);
    // As tensors lie, but for the kernel; where that has no fast code, as the library likes, then
    // in f32.
    if (try_make(form, {image_.desc(), kernel_.any(type), result_.desc()})) return;
    if (type != Type::f32 && try_make(form, any(type))) return;
    make(form, any(Type::f32), true);
  }

  void run(Memory memory) override {
    const NumThreads threads(num_threads_);
    for (Argument* argument : {&image_, &kernel_, &result_}) argument->bind(memory, stream_);
    for (Argument* argument : {&image_, &kernel_, &result_}) {
      if (argument != &made()) argument->load(stream_);
    }
    primitive_.execute(stream_, arguments());
    made().store(stream_);
  }

 private:
  using Kind = lower::ConvolutionForm::Kind;
  struct Descs {
    Desc image, kernel, result;
  };

  Descs any(Type type) const { return {image_.any(type), kernel_.any(type), result_.any(type)}; }

  /// Whether there is fast code for it.
  bool try_make(const lower::ConvolutionForm& form, const Descs& descs) {
    try {
      return make(form, descs, false);
    } catch (const dnnl::error&) {
      return false;
    }
  }

  Argument& made() {
    return kind_ == Kind::forward ? result_ : kind_ == Kind::image ? image_ : kernel_;
  }

  std::unordered_map<int, dnnl::memory> arguments() {
    const bool forward = kind_ == Kind::forward;
    const int image = kind_ == Kind::image ? DNNL_ARG_DIFF_SRC : DNNL_ARG_SRC;
    const int kernel = kind_ == Kind::kernel ? DNNL_ARG_DIFF_WEIGHTS : DNNL_ARG_WEIGHTS;
    const int result = forward ? DNNL_ARG_DST : DNNL_ARG_DIFF_DST;
    return {{image, image_.memory()}, {kernel, kernel_.memory()}, {result, result_.memory()}};
  }

  /// Whether it has other code for it than the plainest, or need not.
  template <class Primitive, class Description>
  bool use(const Description& description, bool anyhow) {
    if (!anyhow && std::string(description.impl_info_str()).starts_with("ref")) return false;
    primitive_ = Primitive(description);
    const bool forward = kind_ == Kind::forward;
    image_.take(kind_ == Kind::image ? description.diff_src_desc() : description.src_desc(),
                engine_);
    kernel_.take(
        kind_ == Kind::kernel ? description.diff_weights_desc() : description.weights_desc(),
        engine_);
    result_.take(forward ? description.dst_desc() : description.diff_dst_desc(), engine_);
    return true;
  }

  bool make(const lower::ConvolutionForm& form, const Descs& d, bool anyhow) {
    constexpr auto kDirect = dnnl::algorithm::convolution_direct;
    Dims dilations = form.dilations;  // zero is none
    for (std::int64_t& dilation : dilations) --dilation;
    const dnnl::convolution_forward::primitive_desc forward(
        {dnnl::prop_kind::forward_training, kDirect, d.image, d.kernel, d.result, form.strides,
         dilations, form.low, form.high},
        engine_);
    switch (kind_) {
      case Kind::forward: return use<dnnl::convolution_forward>(forward, anyhow);
      case Kind::image:
        return use<dnnl::convolution_backward_data>(
            dnnl::convolution_backward_data::primitive_desc(
                {kDirect, d.image, d.kernel, d.result, form.strides, dilations, form.low,
                 form.high},
                engine_, forward),
            anyhow);
      case Kind::kernel:
        return use<dnnl::convolution_backward_weights>(
            dnnl::convolution_backward_weights::primitive_desc(
                {kDirect, d.image, d.kernel, d.result, form.strides, dilations, form.low,
                 form.high},
                engine_, forward),
            anyhow);
    }
    return false;
  }

  int num_threads_;
  dnnl::engine engine_;
  dnnl::stream stream_;
  Kind kind_;
  Argument image_, kernel_, result_;
  dnnl::primitive primitive_;
};

}  // namespace

std::unique_ptr<Kernel> make_convolution_kernel(const lower::LoweredProgram& lowered,
                                                const lower::KernelGroup& group, int num_threads) {
  constexpr double kWorthThreads = 4e6;  // FLOPs, some 0.1 ms: to meet takes longer than less
  const ValueId id = group.ops[0];
  const Op& op = lowered.program.op(id);
  const DType dtype = op.shape.dtype;
  const bool is_known = dtype == DType::f32 || dtype == DType::bf16 || dtype == DType::f16;
  if (op.kind != OpKind::convolution || !is_known) return nullptr;
  const std::optional<lower::ConvolutionForm> form = lower::convolution_form(lowered, id);
  if (!form) return nullptr;
  try {
    return std::make_unique<ConvolutionKernel>(*form, dtype,
                                               group.flops < kWorthThreads ? 1 : num_threads);
  } catch (const dnnl::error&) {
    return nullptr;
  }
}

}  // namespace rhino::runtime
