// SPDX-License-Identifier: Apache-2.0
#include "convolution.hpp"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <functional>
#include <numeric>
#include <utility>

#include "../common/numbers.hpp"

namespace fake {
namespace {

using Index = std::vector<int>;

int product(const Index& dims) {
  return std::accumulate(dims.begin(), dims.end(), 1, std::multiplies{});
}

/// Dense strides of samples, features and space.
Index dense(const Index& dims, DnnFormat format) {
  Index strides(dims.size(), 1);
  const bool last = format == DnnFormat::kFeaturesLast;
  int stride = last ? dims[1] : 1;
  for (std::size_t d = dims.size(); d-- > 2;) {
    strides[d] = stride;
    stride *= dims[d];
  }
  strides[1] = last ? 1 : stride;
  strides[0] = product(dims) / std::max(dims[0], 1);
  return strides;
}

bool lies(const DnnTensor& t, DnnFormat format) {
  const Index strides = dense(t.dims, format);
  for (std::size_t d = 0; d < t.dims.size(); ++d) {
    if (t.dims[d] != 1 && t.strides[d] != strides[d]) return false;
  }
  return true;
}

float load(const void* base, int element, DnnType type) {
  const char* at =
      static_cast<const char*>(base) + static_cast<std::size_t>(element) * bytes_of(type);
  if (type == DnnType::kF32) {
    float value;
    std::memcpy(&value, at, sizeof value);
    return value;
  }
  if (type == DnnType::kF16) {
    _Float16 value;
    std::memcpy(&value, at, sizeof value);
    return static_cast<float>(value);
  }
  std::uint16_t bits;
  std::memcpy(&bits, at, sizeof bits);
  return from_bf16(bits);
}

void store(void* base, int element, DnnType type, float value) {
  char* at = static_cast<char*>(base) + static_cast<std::size_t>(element) * bytes_of(type);
  if (type == DnnType::kF32) {
    std::memcpy(at, &value, sizeof value);
  } else if (type == DnnType::kF16) {
    const auto narrow = static_cast<_Float16>(value);
    std::memcpy(at, &narrow, sizeof narrow);
  } else {
    const std::uint16_t bits = to_bf16(value);
    std::memcpy(at, &bits, sizeof bits);
  }
}

/// The next index below `dims`, the last dim first; false behind the last one.
bool advance(Index& index, const Index& dims) {
  for (std::size_t d = dims.size(); d-- > 0;) {
    if (++index[d] < dims[d]) return true;
    index[d] = 0;
  }
  return false;
}

/// A convolution as its terms: which elements of x, w and y meet.
class Convolution {
 public:
  explicit Convolution(const DnnProblem& p)
      : p_(p), of_w_(dense(p.w.dims, p.w.format)), space_(p.w.dims.size() - 2) {}

  /// Adds each term to a list of the element that is made, then adds up.
  void run() {
    const Index& made = p_.direction == DnnDirection::kForward ? p_.y.dims
                        : p_.direction == DnnDirection::kData  ? p_.x.dims
                                                               : p_.w.dims;
    terms_.resize(static_cast<std::size_t>(product(made)));
    Index y(p_.y.dims.size(), 0);
    do meet(y);
    while (advance(y, p_.y.dims));
    Index index(made.size(), 0);
    std::size_t number = 0;
    do write(index, terms_[number++]);
    while (advance(index, made));
  }

 private:
  using Term = std::pair<float, float>;

  float factor(const void* base, int element, DnnType type) const {
    const float value = load(base, element, type);
    if (type != DnnType::kF32) return value;
    switch (p_.windows.math) {
      case DnnMath::kFma: return value;
      case DnnMath::kConverts: return static_cast<float>(static_cast<_Float16>(value));
      default: return as_tf32(value);
    }
  }

  static int place(const Index& index, const Index& strides) {
    return std::inner_product(index.begin(), index.end(), strides.begin(), 0);
  }
  static std::size_t number_of(const Index& index, const Index& dims) {
    return static_cast<std::size_t>(place(index, dense(dims, DnnFormat::kFeaturesFirst)));
  }

  /// All that one element of y is made of.
  void meet(const Index& y) {
    Index w(p_.w.dims.size(), 0), taps(p_.w.dims.begin() + 1, p_.w.dims.end()), tap(taps.size(), 0),
        x(p_.x.dims.size(), 0);
    const int group = y[1] / (p_.w.dims[0] / p_.windows.groups);
    w[0] = y[1];
    x[0] = y[0];
    do {
      std::copy(tap.begin(), tap.end(), w.begin() + 1);
      x[1] = group * p_.w.dims[1] + w[1];
      bool inside = true;
      for (std::size_t s = 0; s < space_; ++s) {
        x[s + 2] = y[s + 2] * p_.windows.strides[s] - p_.windows.padding[s] +
                   w[s + 2] * p_.windows.dilations[s];
        inside = inside && x[s + 2] >= 0 && x[s + 2] < p_.x.dims[s + 2];
      }
      if (inside) add(x, w, y);
    } while (advance(tap, taps));
  }

  void add(const Index& x, const Index& w, const Index& y) {
    const auto of_x = [&] { return factor(p_.at_x, place(x, p_.x.strides), p_.x.type); };
    const auto of_w = [&] { return factor(p_.at_w, place(w, of_w_), p_.w.type); };
    const auto of_y = [&] { return factor(p_.at_y, place(y, p_.y.strides), p_.y.type); };
    switch (p_.direction) {
      case DnnDirection::kForward:
        terms_[number_of(y, p_.y.dims)].emplace_back(of_x(), of_w());
        break;
      case DnnDirection::kData: terms_[number_of(x, p_.x.dims)].emplace_back(of_y(), of_w()); break;
      case DnnDirection::kFilter:
        terms_[number_of(w, p_.w.dims)].emplace_back(of_x(), of_y());
        break;
    }
  }

  float sum(const std::vector<Term>& terms) const {
    const auto of = [&](std::size_t begin, std::size_t end, bool backward) {
      float sum = 0;
      for (std::size_t i = begin; i < end; ++i) {
        const Term& term = terms[backward ? end - 1 - (i - begin) : i];
        sum += term.first * term.second;
      }
      return sum;
    };
    const std::size_t n = terms.size();
    if (p_.summation == DnnSummation::kHalves) return of(0, n / 2, false) + of(n / 2, n, false);
    return of(0, n, p_.summation == DnnSummation::kBackward);
  }

  void write(const Index& index, const std::vector<Term>& terms) const {
    const bool makes_y = p_.direction == DnnDirection::kForward,
               makes_x = p_.direction == DnnDirection::kData;
    void* base = makes_y ? p_.at_y : makes_x ? p_.at_x : p_.at_w;
    const int element = place(index, makes_y ? p_.y.strides : makes_x ? p_.x.strides : of_w_);
    float value = p_.alpha * sum(terms);
    if (p_.beta != 0) value += p_.beta * load(base, element, p_.y.type);
    store(base, element, p_.y.type, value);
  }

  const DnnProblem& p_;
  Index of_w_;
  std::size_t space_;
  std::vector<std::vector<Term>> terms_;
};

bool positive(const Index& entries, int least) {
  return std::all_of(entries.begin(), entries.end(), [&](int entry) { return entry >= least; });
}

}  // namespace

std::size_t bytes_of(DnnType type) {
  return type == DnnType::kF64 ? 8 : type == DnnType::kF32 ? 4 : 2;
}
std::size_t span_bytes(const DnnTensor& t) {
  int last = 0;
  for (std::size_t d = 0; d < t.dims.size(); ++d) last += (t.dims[d] - 1) * t.strides[d];
  return (static_cast<std::size_t>(last) + 1) * bytes_of(t.type);
}
std::size_t span_bytes(const DnnFilter& f) {
  return static_cast<std::size_t>(product(f.dims)) * bytes_of(f.type);
}

int check_problem(const DnnProblem& p) {
  const DnnWindows& v = p.windows;
  const std::size_t rank = p.w.dims.size();
  if (rank < 4 || p.x.dims.size() != rank || p.y.dims.size() != rank ||
      v.padding.size() + 2 != rank)
    return kDnnBadParam;
  if (!positive(p.x.dims, 1) || !positive(p.w.dims, 1) || !positive(p.y.dims, 1) ||
      !positive(v.padding, 0) || !positive(v.strides, 1) || !positive(v.dilations, 1))
    return kDnnBadParam;
  if (p.x.dims[1] != p.w.dims[1] * v.groups || p.w.dims[0] % v.groups != 0 ||
      p.y.dims[1] != p.w.dims[0] || p.y.dims[0] != p.x.dims[0])
    return kDnnBadParam;
  for (std::size_t s = 0; s < v.padding.size(); ++s) {
    const int last =
        p.x.dims[s + 2] + 2 * v.padding[s] - ((p.w.dims[s + 2] - 1) * v.dilations[s] + 1);
    if (last < 0 || last / v.strides[s] + 1 != p.y.dims[s + 2]) return kDnnBadParam;
  }
  if (p.x.type != p.w.type || p.x.type != p.y.type || p.x.type == DnnType::kF64 ||
      v.compute != DnnType::kF32 || v.mode != DnnMode::kCrossCorrelation)
    return kDnnNotSupported;
  return lies(p.x, p.w.format) && lies(p.y, p.w.format) ? kDnnSuccess : kDnnNotSupported;
}

void convolve(const DnnProblem& problem) { Convolution(problem).run(); }

}  // namespace fake
