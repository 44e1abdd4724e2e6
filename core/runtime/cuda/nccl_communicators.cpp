// SPDX-License-Identifier: Apache-2.0
#include "runtime/cuda/nccl_communicators.hpp"

#include <algorithm>
#include <cstring>
#include <thread>

#include "rhino/error.hpp"
#include "rhino/index.hpp"
#include "runtime/cuda/taken_out.hpp"

namespace rhino::runtime::cuda {
namespace {

constexpr double kCloseDeadlineS = 2;
constexpr std::chrono::microseconds kPause{20};

std::chrono::steady_clock::time_point in(double seconds) {
  const std::chrono::duration<double> span(seconds);
  return std::chrono::steady_clock::now() +
         std::chrono::duration_cast<std::chrono::steady_clock::duration>(span);
}

}  // namespace

NcclCommunicators::NcclCommunicators(std::vector<RankGroup> groups, std::int32_t rank)
    : groups_(std::move(groups)), rank_(rank), comms_(groups_.size()) {
  for (std::size_t group = 0; group < groups_.size(); ++group) {
    if (!has(static_cast<std::int32_t>(group))) continue;
    api_ = load_table<NcclApi>({"libnccl.so.2"}, "NCCL");
    return;
  }
}

NcclCommunicators::~NcclCommunicators() {
  for (NcclComm& comm : comms_) {
    if (comm == nullptr) continue;
    NcclResult state = api_.ncclCommFinalize(comm);
    const auto end = in(kCloseDeadlineS);
    while (state == kNcclInProgress && Clock::now() < end) {
      std::this_thread::sleep_for(kPause);
      if (api_.ncclCommGetAsyncError(comm, &state) != 0) break;
    }
    if (state == 0) api_.ncclCommDestroy(comm);
    else api_.ncclCommAbort(comm);
  }
}

bool NcclCommunicators::has(std::int32_t group) const {
  return contains(groups_[at(group)], rank_);
}

std::string NcclCommunicators::ranks_of(std::int32_t group) const {
  std::string text;
  for (const std::int32_t rank : groups_[at(group)])
    text += (text.empty() ? "" : ", ") + std::to_string(rank);
  return text;
}

std::vector<std::byte> NcclCommunicators::ids() const {
  std::vector<std::byte> bytes;
  for (std::size_t group = 0; group < groups_.size(); ++group) {
    if (groups_[group].front() != rank_) continue;
    NcclUniqueId id{};
    check(api_.ncclGetUniqueId(&id), static_cast<std::int32_t>(group));
    const auto* begin = reinterpret_cast<const std::byte*>(id.internal);
    bytes.insert(bytes.end(), begin, begin + sizeof id.internal);
  }
  return bytes;
}

void NcclCommunicators::join(const std::vector<std::vector<std::byte>>& ids, double deadline_s) {
  deadline_s_ = deadline_s;
  const auto end = in(deadline_s);
  std::vector<std::size_t> taken(ids.size());  // of each rank's ids, in bytes
  for (std::size_t group = 0; group < groups_.size(); ++group) {
    const RankGroup& members = groups_[group];
    const std::size_t first = at(members.front());
    NcclUniqueId id{};
    if (taken[first] + sizeof id.internal > ids[first].size())
      throw Error("the address of rank " + std::to_string(first) + " is cut short");
    std::memcpy(id.internal, ids[first].data() + taken[first], sizeof id.internal);
    taken[first] += sizeof id.internal;
    const auto index = static_cast<std::int32_t>(group);
    if (!has(index)) continue;
    const auto place = std::find(members.begin(), members.end(), rank_) - members.begin();
    NcclConfig config;
    check(api_.ncclCommInitRankConfig(&comms_[group], static_cast<int>(members.size()), id,
                                      static_cast<int>(place), &config),
          index);
    await(index, end, "connecting");
  }
}

void NcclCommunicators::await(std::int32_t group, Clock::time_point end,
                              const std::string& what) const {
  NcclResult state = kNcclInProgress;
  while (true) {
    check(api_.ncclCommGetAsyncError(comms_[at(group)], &state), group);
    if (state != kNcclInProgress) return check(state, group);
    if (Clock::now() > end)
      throw Error("NCCL is not done with " + what + " ranks " + ranks_of(group) +
                  " in time: one of them does not take part");
    std::this_thread::sleep_for(kPause);
  }
}

void NcclCommunicators::call(std::int32_t group, const std::function<void()>& calls) {
  if (is_taken_out("group")) return calls();
  check(api_.ncclGroupStart(), group);
  calls();
  const NcclResult result = api_.ncclGroupEnd();
  check(result, group);
  if (result == kNcclInProgress && !is_taken_out("progress"))
    await(group, in(deadline_s_), "a call among");
}

void NcclCommunicators::check(NcclResult result, std::int32_t group) const {
  if (result == 0 || result == kNcclInProgress) return;
  const char* more = api_.ncclGetLastError(comms_[at(group)]);
  throw Error("NCCL among ranks " + ranks_of(group) +
              " failed: " + api_.ncclGetErrorString(result) +
              (more == nullptr || *more == '\0' ? "" : std::string(" (") + more + ")"));
}

void NcclCommunicators::check_all() const {
  for (std::size_t group = 0; group < comms_.size(); ++group) {
    if (comms_[group] == nullptr) continue;
    NcclResult state = 0;
    const auto index = static_cast<std::int32_t>(group);
    check(api_.ncclCommGetAsyncError(comms_[group], &state), index);
    check(state, index);
  }
}

void NcclCommunicators::abort() {
  for (NcclComm& comm : comms_) {
    if (comm != nullptr) api_.ncclCommAbort(comm);
    comm = nullptr;
  }
}

std::string NcclCommunicators::version() const {
  if (api_.ncclGetVersion == nullptr) return "";
  int version = 0;
  check(api_.ncclGetVersion(&version), 0);
  return std::to_string(version / 10000) + "." + std::to_string(version / 100 % 100) + "." +
         std::to_string(version % 100);
}

}  // namespace rhino::runtime::cuda
