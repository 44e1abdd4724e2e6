// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "runtime/cuda/attention_text.hpp"

namespace rhino::runtime::cuda {

/// Kernels of an attention by kAttentionStreams; nullopt where operands do not lie so that they
/// can be copied 16 bytes at a time, or are too deep, or registers would not do.
class AttentionStreamSource {
 public:
  explicit AttentionStreamSource(const AttentionText& text) : text_(text) {}

  /// A result over columns, in one pass.
  std::optional<KernelText> softmax_rows(ValueId result) const;
  /// Maximum and sum of each row, and later sums of what the exponential is a factor of.
  std::optional<KernelText> softmax_sums(const std::vector<ValueId>& later) const;
  /// One result or two, once all of a row is known.
  std::optional<KernelText> weighted_sums(const std::vector<ValueId>& results, bool by_rows) const;

 private:
  /// A kernel that has begun: arguments as text.
  struct Stream;
  std::unique_ptr<Stream> begin(const std::vector<ValueId>& scores,
                                const std::vector<ValueId>& results, bool by_rows) const;
  bool fits(const AttentionText::Products& products, const std::vector<ValueId>& results) const;
  std::string is_full(bool by_rows) const;
  std::string softmax_of(AttentionValues& values, const AttentionText::Products& products) const;

  const AttentionText& text_;
};

}  // namespace rhino::runtime::cuda
