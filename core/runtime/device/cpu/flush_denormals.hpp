// SPDX-License-Identifier: Apache-2.0
#pragma once

#if defined(__SSE2__)
#include <xmmintrin.h>
#endif

namespace rhino::runtime {

/// While one lives, threads of the OpenMP pool treat denormal numbers as zero, in operands and
/// results: probabilities that underflow would otherwise slow every loop that meets them, and 1e-38
/// is beyond any tolerance. The caller's own mode comes back at the end.
class FlushDenormals {
 public:
  explicit FlushDenormals(int num_threads) {
#if defined(__SSE2__)
    constexpr unsigned int kFlushToZero = 0x8000, kDenormalsAreZero = 0x0040;
    mode_ = _mm_getcsr();
#pragma omp parallel num_threads(num_threads)
    _mm_setcsr(_mm_getcsr() | kFlushToZero | kDenormalsAreZero);
#else
    static_cast<void>(num_threads);
#endif
  }
  ~FlushDenormals() {
#if defined(__SSE2__)
    _mm_setcsr(mode_);
#endif
  }
  FlushDenormals(const FlushDenormals&) = delete;
  FlushDenormals& operator=(const FlushDenormals&) = delete;

 private:
  unsigned int mode_ = 0;
};

}  // namespace rhino::runtime
