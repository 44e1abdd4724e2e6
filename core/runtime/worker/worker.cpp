// SPDX-License-Identifier: Apache-2.0
#include "runtime/worker/worker.hpp"

#include <sched.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstring>
#include <memory>
#include <optional>
#include <string>
#include <thread>

#include "cost/cost.hpp"
#include "lower/lower.hpp"
#include "plan/plan_file.hpp"
#include "runtime/channel.hpp"
#include "runtime/device/module.hpp"
#include "runtime/worker/executor.hpp"
#include "runtime/worker/expected_outputs.hpp"
#include "runtime/worker/heartbeat.hpp"
#include "runtime/worker/resident_memory.hpp"
#include "runtime/worker/staged_transport.hpp"

namespace rhino::runtime {
namespace {

/// The plan in a descriptor that other ranks read too: mapped, so that no file position is shared.
plan::ExecutionPlan read_plan(int fd) {
  struct stat status {};
  if (::fstat(fd, &status) != 0 || status.st_size == 0) throw Error("the controller sent no plan");
  const auto size = static_cast<std::size_t>(status.st_size);
  void* bytes = ::mmap(nullptr, size, PROT_READ, MAP_SHARED, fd, 0);
  if (bytes == MAP_FAILED) throw Error(std::string("cannot map the plan: ") + std::strerror(errno));
  const auto unmap = [size](void* mapped) { ::munmap(mapped, size); };
  const std::unique_ptr<void, decltype(unmap)> mapped(bytes, unmap);
  return plan::plan_from_bytes({static_cast<const char*>(bytes), size}, "the controller's plan");
}

/// Returns those on which this rank runs from now on, as do all threads that it makes; memory is of
/// the NUMA node of the one that first touches it.
std::vector<std::int32_t> run_on(const std::vector<std::int32_t>& cores) {
  if (cores.empty()) return {};
  cpu_set_t set;
  CPU_ZERO(&set);
  for (std::int32_t core : cores) CPU_SET(static_cast<std::size_t>(core), &set);
  const bool bound = ::sched_setaffinity(0, sizeof(set), &set) == 0;
  return bound ? cores : std::vector<std::int32_t>{};  // a wish: unbound ranks compute too
}

DeviceOptions device_options(const Mesh& mesh, std::int32_t position, int num_threads) {
  DeviceOptions options{
      .num_threads = num_threads, .coordinates = coordinates(mesh, position), .axis_sizes = {}};
  for (const MeshAxis& axis : mesh.axes) options.axis_sizes.push_back(axis.size);
  return options;
}

/// Which of its host's devices it is.
int ordinal_of(const Cluster& cluster, std::int32_t device) {
  const auto before = cluster.host_of.begin() + device;
  return static_cast<int>(std::count(cluster.host_of.begin(), before, *before));
}

/// One rank: answers requests in the order setup, connect, then any.
class Worker {
 public:
  Worker(int rank, const DeviceFactory& make_device, const ProgressPages& pages)
      : rank_(rank),
        make_device_(make_device),
        pages_(pages),
        progress_(pages[rank]),
        fault_(rank) {}

  std::string answer(const Frame& request) {
    switch (request.kind) {
      case MessageKind::setup:
        return encode_message(setup(decode_message<SetupRequest>(request.body)));
      case MessageKind::connect:
        return encode_message(connect(decode_message<ConnectRequest>(request.body)));
      case MessageKind::run: return encode_message(run(decode_message<RunRequest>(request.body)));
      case MessageKind::reset: reset(decode_message<ResetRequest>(request.body)); return {};
      case MessageKind::fetch: fetch(decode_message<FetchRequest>(request.body)); return {};
      case MessageKind::verify: return encode_message(verify());
      default: break;  // exit is not answered, and nothing else is said to workers
    }
    return {};
  }
  /// The controller then tells the end of the session for one that memory caused.
  void lack_memory() { progress_.taking_bytes.store(1, std::memory_order_relaxed); }
  void enter(Activity activity) { progress_.activity.store(activity, std::memory_order_relaxed); }

 private:
  SetupReply setup(const SetupRequest& request) {
    enter(Activity::compiling);
    const std::vector<std::int32_t> cores = run_on(request.cores);
    memory_before_ = resident_memory().bytes;
    seed_ = request.seed;
    plan_ = read_plan(kPlanFd);
    fault_.in_prepare();
    const std::vector<RankPlace> places = place_ranks(plan_);
    const RankPlace& place = places.at(static_cast<std::size_t>(rank_));
    const Mesh& mesh = plan_.roles[static_cast<std::size_t>(place.role)].mesh;
    DeviceOptions device = device_options(mesh, place.position, request.num_threads);
    device.ordinal = ordinal_of(plan_.cluster, place.device);
    device.beside = ordinals_beside(places, place);
    device.gpu = request.gpu;
    device.kernels = lower::kernels_of(plan_.cluster);
    device.program_s = [&](const Program& program) {
      const std::int32_t model = plan_.cluster.model_of.at(static_cast<std::size_t>(place.device));
      return cost::CostModel(plan_.cluster)
          .program_s(lower::lower(program, lower::kernels_of(plan_.cluster)), model);
    };
    device_ = make_device_(request.device, device);
    executor_.emplace(plan_, place, request.seed, request.num_threads, *device_, progress_, fault_);
    role_ = &plan_.roles[static_cast<std::size_t>(place.role)];
    TransportOptions options{
        .rank = rank_, .num_ranks = static_cast<std::int32_t>(places.size()), .devices = {}};
    for (const RankPlace& other : places) {
      options.devices.push_back(other.device);
      options.hosts.push_back(plan_.cluster.host_of.at(static_cast<std::size_t>(other.device)));
    }
    options.oversubscribed = sleeps_ = request.oversubscribed;
    options.tcp_between_hosts = request.tcp_between_hosts;
    options.shared = executor_->arena().shared();
    options.broadcasts = request.broadcasts;
    if (options.shared == nullptr && !request.gpu.stages_messages)
      options.enter_thread = [this] { device_->enter_thread(); };
    transport_ = make_transport(request, options);
    return {.address = transport_->address(),
            .cores = cores,
            .dots = dots(),
            .convolutions = device_->convolutions(),
            .slow_ops = device_->slow_ops(),
            .device = device_->name(),
            .is_shared = device_->is_shared()};
  }

  std::unique_ptr<Transport> make_transport(const SetupRequest& request,
                                            const TransportOptions& options) {
    if (request.transport == "nccl")
      return make_transport_of_module(request.device, *device_, options, plan_);
    std::unique_ptr<Transport> ucx = make_ucx_transport(options);
    if (options.shared != nullptr) return ucx;
    const std::int32_t role = place_ranks(plan_).at(static_cast<std::size_t>(rank_)).role;
    return std::make_unique<StagedTransport>(std::move(ucx), *device_, plan_, role,
                                             executor_->arena().data());
  }

  /// Of ranks of the host of one, itself included.
  std::vector<int> ordinals_beside(const std::vector<RankPlace>& places,
                                   const RankPlace& one) const {
    const auto host = [this](const RankPlace& place) {
      return plan_.cluster.host_of.at(static_cast<std::size_t>(place.device));
    };
    std::vector<int> ordinals;
    for (const RankPlace& place : places) {
      if (host(place) == host(one)) ordinals.push_back(ordinal_of(plan_.cluster, place.device));
    }
    return ordinals;
  }

  /// How those are computed that the plan has.
  std::string dots() const {
    bool has_narrow = false, has_wide = false;
    for (const Program& program : plan_.programs) {
      for (const Op& op : program.ops) {
        if (op.kind != OpKind::dot) continue;
        const DType factors = program.shape(op.operands[0]).dtype;
        (is_narrow(factors) ? has_narrow : has_wide) |= is_floating(factors);
      }
    }
    const std::string narrow = has_narrow ? device_->narrow_dots() : "",
                      wide = has_wide ? device_->wide_dots() : "";
    return narrow + (narrow.empty() || wide.empty() ? "" : "; ") + wide;
  }

  ConnectReply connect(const ConnectRequest& request) {
    enter(Activity::connecting);
    transport_->connect(request.addresses, request.deadline_s);
    transport_->prepare(plan_);
    return {.transport = transport_->description(), .network = transport_->network()};
  }

  RunReply run(const RunRequest& request) {
    enter(Activity::stepping);
    pages_.meet(rank_, sleeps_);
    wait_until(request.begin_s);
    RunReply reply = executor_->run(request.num_steps, request.keep_events, *transport_);
    const ResidentMemory memory = resident_memory();
    reply.memory_bytes = device_->taken_bytes().value_or(memory.peak_bytes - memory_before_);
    reply.small_page_bytes = memory.small_page_bytes;
    return reply;
  }

  /// Ranks of other hosts begin at the same moment, as far as their clocks are known.
  void wait_until(double begin_s) const {
    const std::chrono::steady_clock::time_point begin{
        std::chrono::duration_cast<std::chrono::steady_clock::duration>(
            std::chrono::duration<double>(begin_s))};
    while (std::chrono::steady_clock::now() < begin) {
      if (sleeps_) std::this_thread::sleep_until(begin);
    }
  }

  void reset(const ResetRequest& request) {
    enter(Activity::resetting);
    executor_->reset(request.seed, request.step);
  }

  void fetch(const FetchRequest& request) {
    enter(Activity::fetching);
    off_t end = 0;
    for (std::int32_t output : request.outputs) {
      for (const plan::PlanOutput& tile : role_->outputs) {
        if (tile.output != output) continue;
        const plan::PlanBuffer& buffer = role_->buffers[static_cast<std::size_t>(tile.buffer)];
        const std::int64_t size = num_bytes(buffer.shape);
        Arena& arena = executor_->arena();
        write_mailbox(arena.fetch(arena.data() + buffer.offset, size),
                      static_cast<std::size_t>(size), end);
      }
    }
  }

  /// Poisons the outputs afterwards: what the next step does not write cannot pass.
  VerifyReply verify() {
    enter(Activity::fetching);
    if (!expected_) {
      const std::vector<RankPlace> places = place_ranks(plan_);
      expected_.emplace(plan_, places.at(static_cast<std::size_t>(rank_)), seed_);
    }
    const VerifyReply reply = expected_->compare(executor_->arena());
    expected_->poison(executor_->arena());
    return reply;
  }

  static void write_mailbox(const std::byte* data, std::size_t size, off_t& end) {
    while (size > 0) {
      const ssize_t written = ::pwrite(kMailboxFd, data, size, end);
      if (written < 0 && errno == EINTR) continue;
      if (written <= 0) throw Error(std::string("cannot hand over tiles: ") + std::strerror(errno));
      data += written;
      size -= static_cast<std::size_t>(written);
      end += written;
    }
  }

  const int rank_;
  const DeviceFactory& make_device_;
  const ProgressPages& pages_;
  ProgressPage& progress_;
  const Fault fault_;
  std::int64_t memory_before_ = 0;  // code and libraries
  std::uint64_t seed_ = 0;
  bool sleeps_ = false;
  plan::ExecutionPlan plan_;
  const plan::Role* role_ = nullptr;
  std::optional<ExpectedOutputs> expected_;  // made when first asked for
  std::unique_ptr<Device> device_;
  std::optional<Executor> executor_;
  std::unique_ptr<Transport> transport_;  // ends first: its thread may move bytes of the arena
};

Frame answer(Worker& worker, const Frame& request) {
  Frame reply{.kind = request.kind, .body = {}, .error = {}};
  try {
    reply.body = worker.answer(request);
    worker.enter(Activity::waiting_for_command);
  } catch (const DeviceOutOfMemory& failure) {
    worker.lack_memory();
    reply.error = failure.what();
  } catch (const std::exception& failure) {
    reply.error = failure.what();
  }
  return reply;
}

}  // namespace

int serve_session(int rank, int num_ranks, const DeviceFactory& make_device) {
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  ::prctl(PR_SET_NAME, "rhino-worker");
  const ProgressPages pages(topology::FileDescriptor(kProgressFd), num_ranks);
  Channel channel{topology::FileDescriptor(kControlFd)};
  const Heartbeat heartbeat(pages[rank], channel.fd());
  Worker worker(rank, make_device, pages);
  while (const std::optional<Frame> request = channel.take()) {
    if (request->kind == MessageKind::exit) break;
    channel.put(answer(worker, *request));
  }
  return 0;
}

}  // namespace rhino::runtime
