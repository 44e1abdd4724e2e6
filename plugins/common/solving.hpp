// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <memory>
#include <utility>

#include "common/cut_choice.hpp"
#include "common/helper.hpp"

namespace rhino::common {

/// A choice that a helper makes a graph of, and solves. Its deadline, which may be its search's, is
/// asked by the helper's owner alone.
class Solving {
 public:
  /// What `parts` borrow stays, and so does `helper`; `most_s`: of a step, as Effort::most_cost.
  Solving(Helper& helper, CutChoice::Parts parts, const choice::Effort& effort, double most_s)
      : helper_(helper),
        parts_(std::move(parts)),
        effort_(effort),
        most_s_(most_s),
        end_(effort.deadline) {
    helper_.give(task_);
  }
  ~Solving() {
    end();
    helper_.drop(task_);
  }
  Solving(const Solving&) = delete;
  Solving& operator=(const Solving&) = delete;

  double most_s() const { return most_s_; }

  /// Soon, with no answer that is of use.
  void end() { end_.is_now = true; }
  bool is_running() const { return helper_.is_running(task_); }

  void wait() {
    helper_.wait(task_, [&] {
      if (effort_.is_over()) end();
    });
  }
  /// Once it has been waited for.
  const CutChoice& choice() const { return *choice_; }
  const choice::Solution& found() const { return found_; }

 private:
  struct End final : choice::Deadline {
    explicit End(const choice::Deadline* of_search) : asked(of_search) {}
    bool is_over() const override { return is_now; }
    const choice::Deadline* asked;
    std::atomic<bool> is_now = false;
  };
  /// For the owner.
  struct Asked final : choice::Deadline {
    explicit Asked(const End& of_either) : end(of_either) {}
    bool is_over() const override {
      return end.is_over() || (end.asked != nullptr && end.asked->is_over());
    }
    const End& end;
  };

  void solve(Helper::By by) {
    choice_ = std::make_unique<const CutChoice>(parts_);
    const Asked asked(end_);
    choice::Effort effort = effort_;
    effort.most_cost = choice_->cost(most_s_);
    effort.deadline = &end_;
    if (by == Helper::By::owner) effort.deadline = &asked;
    found_ = choice_->solve(effort);
  }

  Helper& helper_;
  CutChoice::Parts parts_;
  choice::Effort effort_;
  double most_s_;
  End end_;
  std::unique_ptr<const CutChoice> choice_;
  choice::Solution found_;
  Helper::Task task_{[this](Helper::By by) { solve(by); }};
};

}  // namespace rhino::common
