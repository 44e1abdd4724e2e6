// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "lower/attention_passes.hpp"
#include "runtime/cuda/attention_values.hpp"
#include "runtime/cuda/op_source.hpp"

namespace rhino::runtime::cuda {

/// What all kernels of an attention say: which block has which rows or columns, where operands and
/// results lie, what is known of a row.
class AttentionText {
 public:
  using Member = lower::Attention::Member;

  /// One kernel that is being written.
  struct Body {
    KernelWriter writer = {};
    std::string text = {};
    std::int64_t blocks = 0;
  };
  /// Products that scores are made of. Tiles are of the factors' type where all have one.
  struct Products {
    std::vector<ValueId> ops;
    DType dtype = DType::f32;
    std::int64_t depth = 1;
  };

  AttentionText(const lower::LoweredProgram& lowered, const lower::KernelGroup& group);

  const lower::LoweredProgram& lowered() const { return lowered_; }
  const lower::Attention& attention() const { return a_; }
  const Program& program() const { return lowered_.program; }
  const Shape& shape(ValueId id) const { return program().shape(id); }
  ValueId operand(ValueId id, std::size_t index) const { return program().op(id).operands[index]; }
  std::int64_t num_rows() const { return num_rows_; }
  std::int64_t num_columns() const { return num_columns_; }

  /// Bytes that hold a maximum, a sum and so many later sums of each row: of scratch_base(0).
  std::int64_t note_sums(std::int64_t num_later);

  Products products_for(const std::vector<ValueId>& values) const;
  std::int64_t depth_of(const Member& member, std::size_t index) const;

  Body begin(bool by_rows) const;
  KernelText finish(Body body, const AttentionValues& values, int at_once = 1) const;

  /// Operand `index` of a dot as rows of `of_rows ? r : c`, of elements along depth.
  std::string matrix(Body& body, const AttentionValues& values, const Member& member,
                     std::size_t index, DType tile) const;
  /// Which operand of a product a kernel's own rows are, or columns.
  std::size_t own_operand(const Member& product, bool by_rows) const;
  /// Elements along depth lie side by side, 16 bytes of them aligned.
  bool is_wide(const lower::View& view, const lower::Attention::Axes& axes, ValueId id,
               DType tile) const;
  bool is_wide(const Member& member, std::size_t index, DType tile) const;
  /// Rows, or columns, of a value lie equally far apart.
  bool is_even(const lower::View& view, const lower::Attention::Axes& axes) const;
  /// Rows of `of_rows ? r : c` that a kernel makes.
  std::string result_text(Body& body, const AttentionValues& values, ValueId result,
                          bool of_rows) const;

  /// Number `number` of those that note_sums() counts.
  std::string sum_place(Body& body, const std::string& number) const;
  /// What a kernel that comes after the first ones knows of a row: statements that read it, and
  /// those that make the rest.
  std::string fetch_row(Body& body, bool with_later) const;
  std::string know_row(AttentionValues& values, bool with_later) const;
  /// Declares `by`, and divides `v` where weights are quotients.
  std::string scaling(AttentionValues& values, const lower::Scaled& scaled) const;

 private:
  std::int64_t extent_of(const lower::Attention::Axes& axes) const;
  void note_size(ValueId base);
  Products completed(Products products) const;
  std::string extents(bool by_rows) const;

  const lower::LoweredProgram& lowered_;
  const lower::Attention& a_;
  const std::int64_t num_batches_, num_rows_, num_columns_;
  std::int64_t largest_ = 0;
};

/// `64`, `Bf16`: as kernels say them.
std::string text_of(std::int64_t value);
std::string element_of(DType dtype);

constexpr std::int64_t kAttentionOwn = 64;  ///< rows or columns of a block
constexpr std::int64_t kMaximumAndSum = 2;  ///< come before later sums

}  // namespace rhino::runtime::cuda
