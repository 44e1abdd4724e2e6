// SPDX-License-Identifier: Apache-2.0
#include "launch/slurm.hpp"

#include <charconv>
#include <utility>

#include "rhino/error.hpp"

namespace rhino::launch {
namespace {

/// From here on the ids of steps that run no ranks: batch scripts, interactive shells and such.
constexpr std::uint64_t kFirstSpecialStep = 0xfffffff0;
constexpr std::size_t kMaxHosts = 1 << 16;

std::uint64_t whole_number(std::string_view text, const std::string& what) {
  std::uint64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (text.empty() || error != std::errc() || end != text.data() + text.size())
    throw Error(what + " '" + std::string(text) + "' is no number");
  return number;
}

std::uint64_t id_in(const std::string& variable, const Environment& environment) {
  return whole_number(environment(variable).value_or(""), variable);
}

std::vector<std::string_view> split(std::string_view text, char at) {
  std::vector<std::string_view> parts;
  while (true) {
    const std::size_t end = text.find(at);
    parts.push_back(text.substr(0, end));
    if (end == std::string_view::npos) return parts;
    text.remove_prefix(end + 1);
  }
}

class HostlistReader {
 public:
  explicit HostlistReader(const std::string& list) : list_(list) {}

  std::vector<std::string> read() {
    std::vector<std::string> hosts;
    while (true) {
      for (std::string& host : read_name()) hosts.push_back(std::move(host));
      check_count(hosts.size());
      if (at_ == list_.size()) return hosts;
      ++at_;  // the comma
    }
  }

 private:
  /// Up to the next comma outside of brackets.
  std::vector<std::string> read_name() {
    std::vector<std::string> names{""};
    const std::size_t begin = at_;
    while (at_ < list_.size() && list_[at_] != ',') {
      if (list_[at_] == '[') {
        names = crossed(names, read_brackets());
      } else if (list_[at_] == ']') {
        fail("has a ']' without its '['");
      } else {
        for (std::string& name : names) name += list_[at_];
        ++at_;
      }
    }
    if (at_ == begin) fail("has no name");
    return names;
  }

  std::vector<std::string> read_brackets() {
    const std::size_t end = list_.find(']', at_);
    if (end == std::string::npos) fail("has a '[' without its ']'");
    const std::string_view inside = std::string_view(list_).substr(at_ + 1, end - at_ - 1);
    std::vector<std::string> numbers;
    for (const std::string_view range : split(inside, ',')) add_range(range, numbers);
    at_ = end + 1;
    return numbers;
  }

  /// As many digits as the first of them is written with.
  void add_range(std::string_view range, std::vector<std::string>& to) const {
    const std::vector<std::string_view> ends = split(range, '-');
    const std::string what = "hosts '" + list_ + "': in brackets,";
    const std::uint64_t first = whole_number(ends.front(), what);
    const std::uint64_t last = whole_number(ends.back(), what);
    if (ends.size() > 2 || last < first) fail("has no range '" + std::string(range) + "'");
    if (last - first >= kMaxHosts) check_count(kMaxHosts + 1);
    for (std::uint64_t number = first; number <= last; ++number) {
      const std::string digits = std::to_string(number);
      const std::size_t width = ends.front().size();
      to.push_back(std::string(width > digits.size() ? width - digits.size() : 0, '0') + digits);
    }
    check_count(to.size());
  }

  std::vector<std::string> crossed(const std::vector<std::string>& names,
                                   const std::vector<std::string>& numbers) const {
    check_count(names.size() * numbers.size());
    std::vector<std::string> all;
    for (const std::string& name : names) {
      for (const std::string& number : numbers) all.push_back(name + number);
    }
    return all;
  }

  void check_count(std::size_t count) const {
    if (count > kMaxHosts) fail("are more than " + std::to_string(kMaxHosts));
  }

  [[noreturn]] void fail(const std::string& what) const {
    throw Error("hosts '" + list_ + "': character " + std::to_string(at_ + 1) + " " + what);
  }

  const std::string& list_;
  std::size_t at_ = 0;
};

}  // namespace

bool is_slurm_step(const Environment& environment) {
  const std::string variable =
      environment("SLURM_STEP_ID") ? "SLURM_STEP_ID" : "SLURM_STEPID";  // its older name
  return environment(variable) && id_in(variable, environment) < kFirstSpecialStep;
}

std::uint16_t slurm_port(const Environment& environment) {
  const std::uint64_t job =
      id_in(environment("SLURM_JOB_ID") ? "SLURM_JOB_ID" : "SLURM_JOBID", environment);
  const std::uint64_t step =
      id_in(environment("SLURM_STEP_ID") ? "SLURM_STEP_ID" : "SLURM_STEPID", environment);
  constexpr std::uint64_t kFirst = 16384, kCount = 16384;
  return static_cast<std::uint16_t>(kFirst + (job * 37 + step) % kCount);
}

std::optional<ArrayTask> array_task(const Environment& environment) {
  if (!environment("SLURM_ARRAY_TASK_ID")) return std::nullopt;
  const std::uint64_t id = id_in("SLURM_ARRAY_TASK_ID", environment);
  const std::uint64_t least = id_in("SLURM_ARRAY_TASK_MIN", environment);
  const std::uint64_t most = id_in("SLURM_ARRAY_TASK_MAX", environment);
  const std::uint64_t count = id_in("SLURM_ARRAY_TASK_COUNT", environment);
  const bool has_step = environment("SLURM_ARRAY_TASK_STEP").has_value();
  const std::uint64_t step = has_step ? id_in("SLURM_ARRAY_TASK_STEP", environment) : 1;
  const bool is_within = least <= id && id <= most && most <= INT32_MAX;
  if (!is_within || step == 0 || (id - least) % step != 0 || (most - least) / step + 1 != count)
    throw Error("task " + std::to_string(id) + " of a Slurm array of " + std::to_string(count) +
                " from " + std::to_string(least) + " to " + std::to_string(most) +
                ", which is no range of ids: --shard I/N says which part this is");
  return ArrayTask{static_cast<std::int32_t>((id - least) / step + 1),
                   static_cast<std::int32_t>(count)};
}

std::vector<std::string> expand_hostlist(const std::string& list) {
  return HostlistReader(list).read();
}

}  // namespace rhino::launch
