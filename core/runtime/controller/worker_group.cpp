// SPDX-License-Identifier: Apache-2.0
#include "runtime/controller/worker_group.hpp"

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <thread>

#include "runtime/agents/agent_workers.hpp"
#include "runtime/controller/local_workers.hpp"

namespace rhino::runtime {
namespace {

constexpr std::chrono::seconds kPoliteWait{1};

}  // namespace

WorkerGroup::WorkerGroup(const SessionOptions& options, int plan_fd, const std::string& plan,
                         const ProgressPages& pages, const std::vector<WorkerPlace>& places)
    : of_rank_(places.size()) {
  const WorkerSpawn spawn{.file = options.worker,
                          .cell = std::filesystem::path(options.run_dir).filename(),
                          .num_ranks = size(),
                          .num_threads = options.num_threads,
                          .environment = options.environment};
  std::vector<LocalRank> local;
  std::map<AgentLink*, std::vector<int>> of_agents;
  std::vector<std::string> logs;
  for (int rank = 0; rank < size(); ++rank) {
    const WorkerPlace& place = places[static_cast<std::size_t>(rank)];
    logs.push_back(options.run_dir + "/rank" + std::to_string(rank) + ".log");
    if (place.agent == nullptr) local.push_back({rank, logs.back(), place.namespaces});
    else of_agents[place.agent].push_back(rank);
  }
  for (const auto& [agent, ranks] : of_agents) {
    for (const int rank : ranks) pages.do_not_await(rank);
  }
  if (!local.empty())
    hosts_.push_back(std::make_unique<LocalWorkers>(spawn, local, plan_fd, pages));
  std::vector<AgentWorkers*> asked;  // all start at the same time
  for (const auto& [agent, ranks] : of_agents) {
    std::vector<std::string> own_logs;
    for (const int rank : ranks) own_logs.push_back(logs[static_cast<std::size_t>(rank)]);
    auto workers = std::make_unique<AgentWorkers>(*agent, spawn, ranks, own_logs, plan, pages);
    asked.push_back(workers.get());
    hosts_.push_back(std::move(workers));
  }
  for (AgentWorkers* workers : asked) workers->await_start();
  for (const auto& host : hosts_) {
    for (const int rank : host->ranks()) of_rank_[static_cast<std::size_t>(rank)] = host.get();
  }
}

WorkerGroup::~WorkerGroup() {
  for (const auto& host : hosts_) host->ask_to_end();
  const auto limit = std::chrono::steady_clock::now() + kPoliteWait;
  while (!all_ended() && std::chrono::steady_clock::now() < limit)
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  kill();
}

void WorkerGroup::kill() noexcept {
  hosts_.clear();
  of_rank_.clear();
}

std::string WorkerGroup::name(int rank) const {
  const std::string host = of(rank).host();
  return "rank " + std::to_string(rank) + " (pid " + std::to_string(pid(rank)) +
         (host.empty() ? "" : " on " + host) + ")";
}

void WorkerGroup::sleep(const std::vector<bool>& pending, int limit_ms) const {
  std::vector<pollfd> files;
  for (int rank = 0; rank < size(); ++rank) {
    if (!pending[static_cast<std::size_t>(rank)]) continue;
    if (!of(rank).add_files(rank, files)) limit_ms = 1;
  }
  ::poll(files.data(), files.size(), limit_ms);
}

bool WorkerGroup::all_ended() const {
  return std::ranges::all_of(hosts_, [](const auto& host) { return host->all_ended(); });
}

}  // namespace rhino::runtime
