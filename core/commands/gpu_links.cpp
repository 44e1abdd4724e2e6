// SPDX-License-Identifier: Apache-2.0
#include "commands/gpu_links.hpp"

#include <fmt/core.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <numeric>
#include <system_error>

#include "plan/single_communication.hpp"
#include "rhino/error.hpp"
#include "runtime/session.hpp"
#include "topology/child_output.hpp"

namespace rhino::commands {
namespace {

namespace fs = std::filesystem;

/// Elements that each GPU gives to each: odd, and more than NCCL sends in one piece.
constexpr std::int64_t kFew = 37, kMany = (1 << 20) + 5;
constexpr int kNumSteps = 2;  ///< a second one finds what the first left behind
/// Of the first release with communicators that do not block, ncclCommInitRankConfig.
constexpr int kOldestMajor = 2, kOldestMinor = 14;

struct Collective {
  plan::CommunicationKind kind;
  const char* name;
};
constexpr Collective kCollectives[] = {
    {plan::CommunicationKind::all_reduce, "all_reduce"},
    {plan::CommunicationKind::all_gather, "all_gather"},
    {plan::CommunicationKind::reduce_scatter, "reduce_scatter"},
    {plan::CommunicationKind::all_to_all, "all_to_all"},
};

std::vector<DeviceId> all_devices(const Cluster& gpus) {
  std::vector<DeviceId> devices(static_cast<std::size_t>(gpus.num_devices()));
  std::iota(devices.begin(), devices.end(), 0);
  return devices;
}

std::string described(const std::string& what, DType dtype, std::int64_t bytes) {
  return fmt::format("{} of {}, {} bytes", what, dtype_name(dtype), bytes);
}

LinkCase collective_case(const Cluster& gpus, const Collective& what, DType dtype,
                         std::int64_t elements) {
  const std::int64_t bytes = gpus.num_devices() * elements * dtype_bytes(dtype);
  return {described(what.name, dtype, bytes), plan::collective_plan({.kind = what.kind,
                                                                     .bytes = bytes,
                                                                     .dtype = dtype,
                                                                     .group = all_devices(gpus),
                                                                     .cluster = gpus})};
}

/// Each sends what it has to the next one, the last to the first.
LinkCase ring_case(const Cluster& gpus, DType dtype, std::int64_t elements) {
  const std::int64_t count = gpus.num_devices();
  const std::vector<DeviceId> devices = all_devices(gpus);
  std::vector<DeviceId> next = devices;
  std::rotate(next.begin(), next.begin() + 1, next.end());
  const std::vector<MeshAxis> axes{{"x", static_cast<std::int32_t>(count)}};
  ShardingSpec split;
  split.dims.push_back({{{0, count * elements}}});
  ReshardTensor tensor{
      {dtype, {count * elements}}, {axes, devices}, split, {{{axes, next}, split}}};
  TransferPlan sends;
  for (std::int64_t i = 0; i < count; ++i) {
    const auto from = static_cast<std::size_t>(i);
    sends.ops.push_back({0, Copy{devices[from], next[from], {{i * elements}, {elements}}}, {}});
  }
  return {described("sends around", dtype, elements * dtype_bytes(dtype)),
          plan::reshard_plan({{std::move(tensor)}, gpus}, sends)};
}

/// A folder for logs of workers, gone with this.
class LogFolder {
 public:
  LogFolder() : path_((fs::temp_directory_path() / "rhino-doctor-XXXXXX").string()) {
    if (::mkdtemp(path_.data()) == nullptr)
      throw Error("cannot make a folder for logs in " + path_);
  }
  ~LogFolder() {
    std::error_code error;
    fs::remove_all(path_, error);
  }
  LogFolder(const LogFolder&) = delete;
  LogFolder& operator=(const LogFolder&) = delete;
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

}  // namespace

std::vector<LinkCase> link_cases(const Cluster& gpus) {
  std::vector<LinkCase> cases;
  for (const Collective& what : kCollectives)
    cases.push_back(collective_case(gpus, what, DType::f32, kFew));
  for (const DType dtype : {DType::bf16, DType::s32})
    cases.push_back(collective_case(gpus, kCollectives[0], dtype, kFew));
  cases.push_back(ring_case(gpus, DType::f32, kFew));
  cases.push_back(collective_case(gpus, kCollectives[0], DType::f32, kMany));
  cases.push_back(ring_case(gpus, DType::bf16, kMany));
  return cases;
}

LinkResult run_link_case(const LinkCase& link) {
  try {
    const LogFolder logs;
    const auto session = runtime::start_session(link.plan, {.worker = topology::worker_beside(),
                                                            .run_dir = logs.path(),
                                                            .device = "cuda",
                                                            .transport = "nccl"});
    for (int step = 0; step < kNumSteps; ++step) {
      session->run_steps(1, false);
      const runtime::Verification result = session->verify();
      if (result.num_wrong > 0)
        return {fmt::format("{} of {} elements are wrong; {}", result.num_wrong,
                            result.num_elements, result.message),
                true};
    }
    return {};
  } catch (const Error& error) {
    return {error.what()};
  }
}

std::string too_old_nccl(const std::string& version) {
  int major = 0, minor = 0;
  if (std::sscanf(version.c_str(), "%d.%d", &major, &minor) != 2) return "";
  if (std::pair(major, minor) >= std::pair(kOldestMajor, kOldestMinor)) return "";
  return fmt::format("NCCL {} is too old: plans for several GPUs need {}.{} or newer", version,
                     kOldestMajor, kOldestMinor);
}

}  // namespace rhino::commands
