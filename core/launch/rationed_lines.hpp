// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <string>

namespace rhino::launch {

/// Lines that strangers cause: so many within a time, the others are counted.
class RationedLines {
 public:
  using Clock = std::chrono::steady_clock;
  using Tell = std::function<void(const std::string&)>;

  void say(const std::string& line, Clock::time_point now, const Tell& tell) {
    end_period(now, tell);
    if (num_told_ == 0) since_ = now;
    last_ = line;
    if (num_told_ < kLines) {
      ++num_told_;
      tell(line);
    } else {
      ++num_kept_;
    }
  }

  /// Says how many were kept back, once their time is over.
  void end_period(Clock::time_point now, const Tell& tell) {
    if (num_told_ == 0 || now - since_ < kPeriod) return;
    if (num_kept_ > 0) tell("and " + std::to_string(num_kept_) + " more, at last: " + last_);
    num_told_ = num_kept_ = 0;
  }

 private:
  static constexpr std::int64_t kLines = 16;
  static constexpr std::chrono::seconds kPeriod{10};

  Clock::time_point since_{};
  std::int64_t num_told_ = 0, num_kept_ = 0;
  std::string last_;
};

}  // namespace rhino::launch
