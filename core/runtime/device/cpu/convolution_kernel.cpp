// SPDX-License-Identifier: Apache-2.0
#include <omp.h>

#include <algorithm>
#include <numeric>
#include <oneapi/dnnl/dnnl.hpp>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "lower/view.hpp"
#include "rhino/index.hpp"
#include "runtime/box_copy.hpp"
#include "runtime/device/cpu/convolution_form.hpp"
#include "runtime/device/cpu/kernel.hpp"

namespace rhino::runtime {
namespace {

using Dims = std::vector<std::int64_t>;
using Desc = dnnl::memory::desc;

/// Dims of one element may have any stride here; oneDNN wants plausible ones.
Dims plausible_strides(const ConvolutionTensor& tensor) {
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

/// One of the three tensors: where it lies in the program's memory, and the memory that the
/// primitive takes it from or leaves it in, if that is another.
class Argument {
 public:
  Argument(const ConvolutionTensor& tensor, const dnnl::engine& engine)
      : tensor_(tensor), user_(desc_of(tensor), engine, nullptr) {
    if (!tensor.is_packed) return;
    packed_.resize(at(std::accumulate(tensor.dims.begin(), tensor.dims.end(), std::int64_t{1},
                                      std::multiplies<>())));
    copy_ =
        BoxCopy(tensor.dims, tensor.view.strides, lower::dense_strides(tensor.dims), sizeof(float));
  }

  Desc desc() const { return user_.get_desc(); }
  Desc any() const {
    return {tensor_.dims, dnnl::memory::data_type::f32, dnnl::memory::format_tag::any};
  }

  /// The primitive takes `desc`.
  void take(const Desc& desc, const dnnl::engine& engine) {
    if (desc != user_.get_desc()) own_ = dnnl::memory(desc, engine);
  }

  dnnl::memory& memory() { return own_ ? own_ : user_; }

  void bind(Memory memory, const dnnl::stream& stream) {
    auto* data = reinterpret_cast<float*>(memory[at(tensor_.view.base)]) + tensor_.view.offset;
    if (tensor_.is_packed) {
      copy_.run(reinterpret_cast<const std::byte*>(data),
                reinterpret_cast<std::byte*>(packed_.data()));
      data = packed_.data();
    }
    user_.set_data_handle(data, stream);
  }
  void load(dnnl::stream& stream) {
    if (own_) dnnl::reorder(user_, own_).execute(stream, user_, own_);
  }
  void store(dnnl::stream& stream) {
    if (own_) dnnl::reorder(own_, user_).execute(stream, own_, user_);
  }

 private:
  static Desc desc_of(const ConvolutionTensor& tensor) {
    return {tensor.dims, dnnl::memory::data_type::f32,
            tensor.is_packed ? lower::dense_strides(tensor.dims) : plausible_strides(tensor)};
  }

  ConvolutionTensor tensor_;
  dnnl::memory user_, own_;
  std::vector<float> packed_;
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
  ConvolutionKernel(const ConvolutionForm& form, int num_threads)
      : num_threads_(num_threads),
        engine_(dnnl::engine::kind::cpu, 0),
        stream_(engine_),
        kind_(form.kind),
        image_(form.image, engine_),
        kernel_(form.kernel, engine_),
        result_(form.result, engine_) {
    const NumThreads threads(num_threads_);
    // As tensors lie, but for the kernel; where that has no fast code, as the library likes.
    if (!make(form, {image_.desc(), kernel_.any(), result_.desc()}, false))
      make(form, {image_.any(), kernel_.any(), result_.any()}, true);
  }

  void run(Memory memory) override {
    const NumThreads threads(num_threads_);
    for (Argument* argument : {&image_, &kernel_, &result_}) argument->bind(memory, stream_);
    for (Argument* argument : {&image_, &kernel_, &result_}) {
      if (argument != &made()) argument->load(stream_);
    }
    primitive_.execute(stream_, arguments());
    made().store(stream_);
    stream_.wait();
  }

 private:
  using Kind = ConvolutionForm::Kind;
  struct Descs {
    Desc image, kernel, result;
  };

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

  bool make(const ConvolutionForm& form, const Descs& d, bool anyhow) {
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
  if (op.kind != OpKind::convolution || op.shape.dtype != DType::f32) return nullptr;
  const std::optional<ConvolutionForm> form = convolution_form(lowered, id);
  if (!form) return nullptr;
  try {
    return std::make_unique<ConvolutionKernel>(*form,
                                               group.flops < kWorthThreads ? 1 : num_threads);
  } catch (const dnnl::error&) {
    return nullptr;
  }
}

}  // namespace rhino::runtime
