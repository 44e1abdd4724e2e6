// SPDX-License-Identifier: Apache-2.0
#include "commands/shard.hpp"

#include <fmt/format.h>

#include "launch/slurm.hpp"
#include "rhino/error.hpp"

namespace rhino::commands {

ChosenShard choose_shard(const std::string& word, const launch::Environment& environment) {
  try {
    if (!word.empty()) return {measure::parse_shard(word)};
    const auto task = launch::array_task(environment);
    if (!task) return {};
    return {{task->index, task->count}, " of a Slurm array"};
  } catch (const Error& error) {
    return {.refusal = error.what()};
  }
}

std::string describe(const ChosenShard& shard, std::size_t num_taken, std::size_t num_cells) {
  if (shard.shard.count == 1 && shard.origin.empty()) return "";
  const std::string name =
      fmt::format("shard {}/{}{}: ", shard.shard.index, shard.shard.count, shard.origin);
  const char* plural = num_cells == 1 ? "" : "s";
  if (num_taken > 0) return name + fmt::format("{} of {} cell{}\n", num_taken, num_cells, plural);
  return name + fmt::format("none of {} cell{}: fewer cases than shards\n", num_cells, plural);
}

}  // namespace rhino::commands
