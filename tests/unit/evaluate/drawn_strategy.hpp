// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <initializer_list>
#include <memory>
#include <string>

#include "../sharding/spmd_harness.hpp"
#include "ir/training_step.hpp"
#include "planning.hpp"
#include "rhino/strategy.hpp"

namespace rhino::test {

template <class T>
T one_of(Random& random, std::initializer_list<T> values) {
  return values.begin()[draw(random, static_cast<std::int64_t>(values.size()))];
}

/// A strategy as searchers propose them, of a program on a cluster.
struct Drawn {
  std::unique_ptr<const Program> program;
  std::unique_ptr<Planning> planning;
  StrategyDraft draft;
  std::string text;  ///< for people
};

/// What parameters and activations are of, and how they are updated.
struct Precision {
  DType dtype = DType::f32;
  ir::Optimizer optimizer;
};

/// 16 bits; with f32 masters, f32 gradients, a loss that is scaled by what grows or stays, or not.
Precision draw_mixed_precision(Random& random);

/// Of a program of some ten to hundred ops (random, branching or gpt), on devices as slow as it is
/// small: kernels take microseconds, as those of large models do on large devices.
Drawn draw_small(Random& random, const Precision& precision = {});
/// Random dims of some parameters over the axis that does not split the batch.
void annotate(Random& random, const Program& program, StrategyDraft& draft);
/// What of it the forward pass does not keep: all of a chunk, or one value in four; and whether
/// reductions overlap.
void draw_rest(Random& random, const Program& program, StrategyDraft& draft);

/// All of these.
Drawn draw_small_strategy(Random& random);
/// The same where hosts issue kernels, sums of any size are reduced early, backward passes may be
/// cut, meshes may have several chunks, small collectives may get a part of the rate of links.
Drawn draw_hard(Random& random);

/// Of a vgg or a wide_resnet of few features, whose images are cut along rows or columns.
Drawn draw_images(Random& random);

/// Of a gpt of 125m to 2.6b parameters, or a branching program as wide, on 4 to 16 devices of one
/// of the topologies; cut by hand as the files of strategies/ are, or as a search would try it.
Drawn draw_large(Random& random);

/// The same three in a drawn precision of 16 bits.
Drawn draw_small_mixed(Random& random);
Drawn draw_hard_mixed(Random& random);
Drawn draw_large_mixed(Random& random);

/// Of a llama of two layers where several heads read one key, and attention is one kernel, on such
/// topologies.
Drawn draw_grouped(Random& random);

}  // namespace rhino::test
