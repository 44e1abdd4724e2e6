// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "calibrate/machine.hpp"
#include "calibrate/probe_plan.hpp"

namespace rhino::calibrate {

/// Square images of a batch and the kernel that they are convolved with, padded so that a stride of
/// 1 keeps their size.
struct Images {
  std::int64_t batch = 1, side = 1, in = 1, out = 1, size = 3, stride = 1;
};

/// What is measured: loops over data that stay in a cache, streams that no cache holds, dots of
/// extents between and beyond those of the presets, of heads and of a vocabulary.
struct Sizes {
  std::array<std::int64_t, 3> extents;  ///< small, middle, large
  std::int64_t few;                     ///< rows, or terms; 0: dots of so few are not measured
  std::array<std::int64_t, 4> heads;    ///< rows of `head` elements, in a batch
  std::int64_t head, batch;
  std::array<std::int64_t, 3> wide;
  std::int64_t loop_elements;
  std::vector<std::int64_t> rows;  ///< of loops that fold them, ascending
  std::int64_t stream_elements;
  std::int64_t large_message;  ///< and sum
  /// That a loop touches before it comes back to them, ascending; empty: one rate for all.
  std::vector<std::int64_t> reuse_bytes = {};
  /// Elements of all-reduces, ascending; empty: those of `large_message` alone.
  std::vector<std::int64_t> sums = {};
  /// Elements of what an all-gather makes, and a reduce-scatter and an all-to-all take, ascending.
  std::vector<std::int64_t> moves = {};

  /// Samples, heads and positions of attentions of these depths; empty: there are no such kernels.
  std::int64_t attention_batch = 0, attention_heads = 0, attention_rows = 0;
  std::vector<std::int64_t> attention_depths = {};
  /// Products of 16 bits go on getting quicker up to the largest extent along all dims.
  bool has_large_narrow = false;
  /// Of loops that fold rows and columns; 0: as other loops.
  std::int64_t fold_elements = 0;
  /// A product of 16 bits is also taken behind so many turns of itself and of a stream of so many
  /// elements, a third of the time: what hardly rests is slower than what is run now and then, for
  /// its power has a cap. 0: as ever.
  int hot_turns = 0;
  std::int64_t hot_elements = 0;
  std::vector<Images> images = {};  ///< of convolutions

  std::int64_t folded() const { return fold_elements > 0 ? fold_elements : loop_elements; }
  /// Of the longest stream, read once and written once.
  double stream_bytes() const { return 2.0 * 4 * static_cast<double>(stream_elements); }
};
const Sizes& sizes_of(const WorkerSetup& setup);

bool drives_gpus(const WorkerSetup& setup);
/// Of its workers.
Cluster cluster_of(const WorkerSetup& setup);

/// Ops of a steps_probe, of a fold_probe and of a columns_probe.
inline constexpr std::int64_t kLoopSteps = 24, kFoldChain = 8, kColumnSums = 8;

/// Passes over what is far until it takes no less: a shared cache that keeps what was evicted from
/// nearer ones takes up little of what it sees for the first time (a dot of few rows and weights of
/// 16 MB: 57, 36, 32, 31, 30 us).
inline constexpr int kWarmPasses = 5;

/// How a dot's operands lie: row-major, or one of them transposed.
enum class Layout { plain, columns, rows };

Probe dot_probe(const cost::Calibration::Dot& dot, DType dtype, Layout layout = Layout::plain);
/// A convolution, or the one that makes a derivative of it, alone.
enum class Pass { forward, of_images, of_kernel };
Probe convolution_probe(const Images& images, DType dtype, Pass pass);
/// Products one after the other, of `rows` rows each, with `count` weights of size x size: all of
/// one place, or apart, so that each comes from afar.
Probe products_probe(std::int64_t rows, std::int64_t size, std::int64_t count, Layout layout,
                     bool is_apart);
/// A chain of one elementwise op over data that stay in cache; binary ops take the input again.
Probe chain_probe(OpKind kind, std::int64_t elements, std::int64_t length);
/// So many of an op in one loop, each result needed by the two behind it, as most are: y = y' +
/// y''.
Probe steps_probe(OpKind kind, std::int64_t elements);
/// So many terms, each of one op on its own multiple of x, added up; none: of the multiples alone.
Probe terms_probe(std::optional<OpKind> kind, std::int64_t elements);
/// Sums along columns, each of another value.
Probe columns_probe(std::int64_t elements, std::int64_t columns);
/// A copy in which rows of so many elements lie in another order.
Probe turn_probe(std::int64_t elements, std::int64_t row);
/// x = x + x where x lies.
Probe update_probe(std::int64_t elements);
/// x = x + y where x lies.
Probe sum_probe(std::int64_t elements);
/// Rows folded by sums and maxima in turn, each taken from all elements of its row, which are
/// halved.
Probe fold_probe(std::int64_t elements, std::int64_t row);
/// x + x over the longest stream, written elsewhere.
Probe stream_probe(const Sizes& sizes);

/// Causal attention: forward, or the derivatives of all three operands.
Probe attention_probe(const Sizes& sizes, DType dtype, std::int64_t depth, bool is_backward);

std::vector<cost::Calibration::Dot> dot_grid(const Sizes& sizes);
/// Those of the grid that tell how dots of another kind differ: small and large, of few and of many
/// terms.
std::vector<cost::Calibration::Dot> narrow_grid(const Sizes& sizes);
/// Those with one operand transposed: of few rows, too, which share the work of turning it.
std::vector<cost::Calibration::Dot> transposed_grid(const Sizes& sizes);

}  // namespace rhino::calibrate
