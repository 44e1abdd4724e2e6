// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <iterator>
#include <list>
#include <optional>
#include <utility>

#include "rhino/schedule.hpp"

namespace rhino::plugin {

/// A schedule whose answers are remembered: searches ask the same of it again and again. What was
/// asked longest ago is forgotten first. Refusals are not remembered.
class AskedOnce : public Schedule {
 public:
  /// Keeps answers of about so many actions at most, of 20 bytes each.
  explicit AskedOnce(Schedule& inner, std::int64_t most_actions = 2'000'000)
      : inner_(inner), most_actions_(most_actions) {}

  Placement placement(int num_meshes) override { return inner_.placement(num_meshes); }
  std::optional<double> bubble_s(const PipelineProblem& problem) override {
    return inner_.bubble_s(problem);
  }
  PipelineSchedule schedule(const PipelineProblem& problem) override {
    for (auto known = answers_.begin(); known != answers_.end(); ++known) {
      if (known->first != problem) continue;
      answers_.splice(answers_.begin(), answers_, known);
      return known->second;
    }
    PipelineSchedule answer = inner_.schedule(problem);
    answers_.emplace_front(problem, std::move(answer));
    num_actions_ += count(answers_.front().second);
    while (answers_.size() > 1 &&
           (num_actions_ > most_actions_ || answers_.size() > kMostAnswers)) {
      num_actions_ -= count(answers_.back().second);
      answers_.pop_back();
    }
    return answers_.front().second;
  }

 private:
  static constexpr std::size_t kMostAnswers = 64;  ///< all are compared with what is asked

  static std::int64_t count(const PipelineSchedule& schedule) {
    std::int64_t actions = 0;
    for (const auto& order : schedule.order) actions += std::ssize(order);
    return actions;
  }

  Schedule& inner_;
  const std::int64_t most_actions_;
  std::int64_t num_actions_ = 0;
  std::list<std::pair<PipelineProblem, PipelineSchedule>> answers_;  ///< asked last in front
};

}  // namespace rhino::plugin
