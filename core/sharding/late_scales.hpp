// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <tuple>
#include <unordered_map>
#include <vector>

#include "rhino/program.hpp"

namespace rhino::sharding {

inline bool is_single(const Shape& shape) { return num_elements(shape) == 1; }

/// A program that is written op by op and knows which values say the same, and which scalars are of
/// the whole batch.
class LateProgram {
 public:
  /// `on_batch`: the op is a batch input that micro-batches cut.
  ValueId append(Op op, bool on_batch = false);
  ValueId make(OpKind kind, Shape shape, std::vector<ValueId> operands, Phase phase,
               Attributes attributes = {});
  ValueId splat(const Shape& shape, double element, Phase phase);
  /// A scalar repeated to `shape`.
  ValueId spread(ValueId scalar, const Shape& shape, Phase phase);

  const Op& op(ValueId id) const { return program_.op(id); }
  const Shape& shape(ValueId id) const { return program_.shape(id); }
  /// One element that depends on the batch: it is known behind the last micro-batch.
  bool is_late(ValueId id) const { return late_[static_cast<std::size_t>(id)]; }
  /// The first value that is made of the same by the same ops.
  ValueId first_equal(ValueId id) const { return equal_[static_cast<std::size_t>(id)]; }
  Program& program() { return program_; }

 private:
  ValueId find_equal(const Op& op);

  Program program_;
  std::vector<bool> on_batch_, late_;
  std::vector<ValueId> equal_;
  std::unordered_map<std::size_t, std::vector<ValueId>> by_hash_;
};

/// Factors that are taken out of values and multiplied back in when they are known. A factor is a
/// power of two times late scalars, or their inverses, and about 1 where these are counts of the
/// batch: what is left of the value keeps its size, so that narrow dtypes hold its sums, too.
class LateScales {
 public:
  using Key = std::int32_t;
  static constexpr Key kNone = -1;  ///< nothing is taken out

  explicit LateScales(LateProgram& program) : program_(program) {}

  struct Taken {
    Key key = kNone;
    ValueId rest = kNoValue;  ///< scalar, not late: what stays with the value
  };
  /// `scalar`, or where `inverse` what it divides, out of a value of which `key` is out already.
  Taken take_out(ValueId scalar, bool inverse, Key key, Phase phase);
  /// The scalar of a key.
  ValueId factor(Key key) const { return factors_[static_cast<std::size_t>(key)]; }

 private:
  /// A late scalar as what is late of it and what is not.
  struct Parts {
    ValueId core = kNoValue;
    bool inverse = false;
    ValueId rest = kNoValue;  ///< kNoValue: 1
  };
  struct Core {
    ValueId factor = kNoValue;
    int exponent = 0;  ///< the scalar is the factor times 2^exponent
  };
  Parts parts_of(ValueId scalar, bool inverse, Phase phase);
  Parts without(ValueId coefficient, bool divides, Parts parts, Phase phase);
  ValueId product(ValueId a, ValueId b, bool divides, Phase phase);
  const Core& core(const Parts& parts);
  std::optional<double> guess(ValueId scalar);
  std::optional<double> guess_of(ValueId scalar);

  LateProgram& program_;
  std::map<std::pair<ValueId, bool>, Core> cores_;
  std::map<std::tuple<Key, ValueId, bool>, Key> keys_;
  std::vector<ValueId> factors_;
  std::map<ValueId, std::optional<double>> guesses_;
};

}  // namespace rhino::sharding
