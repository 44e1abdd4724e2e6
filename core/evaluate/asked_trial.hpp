// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <memory>
#include <utility>

#include "rhino/search.hpp"

namespace rhino::evaluate {

/// A trial in the hands of a searcher: what it is given is checked, and what it finds is told.
class AskedTrial : public Trial {
 public:
  using Ask = std::function<Estimate(Trial&)>;
  /// `price` asks the trial for its price.
  AskedTrial(std::unique_ptr<Trial> inner, Ask price)
      : inner_(std::move(inner)), price_(std::move(price)) {}

  const Strategy& strategy() const override { return inner_->strategy(); }
  void set(ValueId value, const ShardingSpec& spec) override;
  void undo() override { inner_->undo(); }
  Estimate price() override { return price_(*inner_); }

 private:
  std::unique_ptr<Trial> inner_;
  Ask price_;
};

}  // namespace rhino::evaluate
