// SPDX-License-Identifier: Apache-2.0
#include "runtime/controller/watch.hpp"

#include <sys/stat.h>

#include <algorithm>
#include <cstdio>

namespace rhino::runtime {
namespace {

constexpr double kLongestLook = 0.25;  ///< seconds that one look may add to an age
constexpr double kMissedHeartbeats = 3;

std::string seconds(double value) {
  char text[32];
  std::snprintf(text, sizeof(text), "%.3g s", value);
  return text;
}

}  // namespace

Watch::Watch(const plan::ExecutionPlan& plan, const std::vector<RankPlace>& places,
             const WorkerGroup& group, const ProgressPages& pages)
    : plan_(plan),
      places_(places),
      group_(group),
      pages_(pages),
      observed_(places.size()),
      hosts_(group.hosts().size()) {}

void Watch::begin(double deadline_s, double heartbeat_s) {
  deadline_s_ = deadline_s;
  heartbeat_s_ = heartbeat_s;
  last_look_ = std::chrono::steady_clock::now();
  std::fill(observed_.begin(), observed_.end(), Observed{});
  std::fill(hosts_.begin(), hosts_.end(), Change{});
}

std::optional<std::string> Watch::inspect(const std::vector<bool>& pending) {
  observe();
  if (auto found = find_dead()) return found;
  if (auto found = find_lost_host()) return found;
  if (auto found = find_silent()) return found;
  return find_hung(pending);
}

void Watch::observe() {
  const auto now = std::chrono::steady_clock::now();
  const double elapsed_s =
      std::min(kLongestLook, std::chrono::duration<double>(now - last_look_).count());
  last_look_ = now;
  for (std::size_t r = 0; r < observed_.size(); ++r) {
    const ProgressPage& page = pages_[static_cast<int>(r)];
    observed_[r].heartbeat.observe(page.heartbeats.load(std::memory_order_relaxed), elapsed_s);
    observed_[r].progress.observe(page.progress.load(std::memory_order_relaxed), elapsed_s);
    observed_[r].step.observe(static_cast<std::uint64_t>(page.step.load(std::memory_order_relaxed)),
                              elapsed_s);
  }
  for (std::size_t h = 0; h < hosts_.size(); ++h)
    hosts_[h].observe(group_.hosts()[h]->num_signs(), elapsed_s);
}

/// Its ranks, of whom it is not known what became.
std::optional<std::string> Watch::find_lost_host() const {
  for (std::size_t h = 0; h < hosts_.size(); ++h) {
    const HostWorkers& host = *group_.hosts()[h];
    if (host.host().empty()) continue;
    std::string why = host.why_lost();
    const bool is_silent = hosts_[h].age_s > kMissedHeartbeats * heartbeat_s_;
    if (why.empty() && !is_silent) continue;
    if (why.empty()) why = "no word of its agent for " + seconds(hosts_[h].age_s);
    std::string ranks;
    for (const int rank : host.ranks()) ranks += (ranks.empty() ? "" : ", ") + std::to_string(rank);
    const int first = host.ranks().front();
    return "host " + host.host() + " with rank" + (host.ranks().size() > 1 ? "s " : " ") + ranks +
           " is " + (is_silent ? "silent" : "lost") + place_of(first) + ": " + why;
  }
  return std::nullopt;
}

/// A crash explains an orderly exit, not the other way round.
std::optional<std::string> Watch::find_dead() const {
  std::optional<std::string> found;
  for (int rank = 0; rank < group_.size(); ++rank) {
    const std::optional<std::string> end = group_.end_of(rank);
    if (!end) continue;
    const bool by_signal = end->starts_with("was killed");
    if (!found || by_signal) found = sentence(rank, *end);
    if (by_signal) break;
  }
  return found;
}

std::optional<std::string> Watch::find_silent() const {
  for (int rank = 0; rank < group_.size(); ++rank) {
    const double age_s = observed_[static_cast<std::size_t>(rank)].heartbeat.age_s;
    if (age_s > kMissedHeartbeats * heartbeat_s_) {
      const char* what = group_.is_stopped(rank) ? "was stopped by a signal" : "is silent";
      return sentence(rank, what, "no heartbeat for " + seconds(age_s));
    }
  }
  return std::nullopt;
}

std::optional<std::string> Watch::find_hung(const std::vector<bool>& pending) const {
  bool late = false, moves = false;
  int culprit = -1;
  for (int rank = 0; rank < group_.size(); ++rank) {
    const Observed& seen = observed_[static_cast<std::size_t>(rank)];
    if (!pending[static_cast<std::size_t>(rank)]) continue;
    late = late || seen.step.age_s > deadline_s_;
    moves = moves || seen.progress.age_s <= deadline_s_;
    if (is_blocked(rank)) continue;
    if (culprit < 0 ||
        seen.progress.age_s > observed_[static_cast<std::size_t>(culprit)].progress.age_s)
      culprit = rank;
  }
  if (!late || moves) return std::nullopt;
  if (culprit < 0) return deadlock(pending);
  const double age_s = observed_[static_cast<std::size_t>(culprit)].progress.age_s;
  return sentence(culprit, "hangs", "no progress for " + seconds(age_s));
}

/// Every rank that is awaited waits itself.
std::string Watch::deadlock(const std::vector<bool>& pending) const {
  std::string text = "no rank makes progress";
  const char* separator = ": ";
  for (int rank = 0; rank < group_.size(); ++rank) {
    if (!pending[static_cast<std::size_t>(rank)]) continue;
    text += separator + ("rank " + std::to_string(rank)) + " is" + place_of(rank);
    separator = "; ";
  }
  return text;
}

bool Watch::is_blocked(int rank) const {
  return pages_[rank].blocked.load(std::memory_order_relaxed) != 0;
}

std::string Watch::sentence(int rank, const std::string& what, const std::string& why) const {
  std::string text = group_.name(rank) + " " + what + place_of(rank);
  if (!why.empty()) text += ": " + why;
  return text + log_hint(rank);
}

std::string Watch::place_of(int rank) const {
  const ProgressPage& page = pages_[rank];
  switch (page.activity.load(std::memory_order_relaxed)) {
    case Activity::starting: return " before it was set up";
    case Activity::compiling: return " while preparing the plan";
    case Activity::connecting: return " while connecting to the other ranks";
    case Activity::waiting_for_command: return " between two commands";
    case Activity::fetching: return " while handing over outputs";
    case Activity::resetting: return " while resetting its inputs";
    case Activity::stepping: break;
  }
  const plan::Role& role =
      plan_.roles[static_cast<std::size_t>(places_[static_cast<std::size_t>(rank)].role)];
  const auto index = static_cast<std::size_t>(page.instruction.load(std::memory_order_relaxed));
  std::string text = " in step " + std::to_string(page.step.load(std::memory_order_relaxed));
  if (index < role.instructions.size()) {
    text += " at instruction " + std::to_string(index) + " (" +
            describe_instruction(plan_, role.instructions[index]) + ")";
  }
  return text;
}

std::string Watch::log_hint(int rank) const {
  struct stat status {};
  const std::string& log = group_.log(rank);
  return ::stat(log.c_str(), &status) == 0 && status.st_size > 0 ? "; see " + log : "";
}

}  // namespace rhino::runtime
