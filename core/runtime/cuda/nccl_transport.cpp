// SPDX-License-Identifier: Apache-2.0
#include "runtime/cuda/nccl_transport.hpp"

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <map>
#include <mutex>
#include <optional>

#include "rhino/error.hpp"
#include "rhino/index.hpp"
#include "runtime/cuda/box_mover.hpp"
#include "runtime/cuda/cuda_device.hpp"
#include "runtime/cuda/cuda_stream.hpp"
#include "runtime/cuda/nccl_communicators.hpp"
#include "runtime/cuda/nccl_schedule.hpp"
#include "runtime/cuda/taken_out.hpp"
#include "runtime/transport/issue_order.hpp"

namespace rhino::runtime::cuda {
namespace {

/// NCCL refuses two ranks on one GPU of one host. As of two hosts, they talk over its network.
void part_from_neighbours(std::int32_t rank) {
  ::setenv("NCCL_HOSTID", ("rhino-rank-" + std::to_string(rank)).c_str(), 1);
}

NcclDataType type_of(DType dtype) {
  switch (dtype) {
    case DType::f64: return kNcclF64;
    case DType::f32: return kNcclF32;
    case DType::bf16: return kNcclBf16;
    case DType::f16: return kNcclF16;
    case DType::s64: return kNcclInt64;
    case DType::s32: return kNcclInt32;
    case DType::u32: return kNcclUint32;
    case DType::s8: return kNcclInt8;
    case DType::u8:
    case DType::pred: return kNcclUint8;
  }
  return kNcclUint8;
}

/// pred is 0 or 1.
NcclReduction reduction_of(Reduction reduction) {
  switch (reduction) {
    case Reduction::sum: return kNcclSum;
    case Reduction::product: return kNcclProduct;
    case Reduction::max:
    case Reduction::logical_or: return kNcclMax;
    case Reduction::min:
    case Reduction::logical_and: return kNcclMin;
  }
  return kNcclSum;
}

class NcclTransport final : public Transport, public CudaEventSource {
 public:
  NcclTransport(CudaDeviceBase& device, const TransportOptions& options,
                const plan::ExecutionPlan& plan)
      : device_(device),
        rank_(options.rank),
        plan_(nccl_plan(plan, options.devices, options.rank, {.broadcasts = options.broadcasts})) {
    for (const plan::Communication& communication : plan.communications) {
      names_.push_back(communication.name);
      num_parts_.push_back(static_cast<std::int32_t>(communication.parts.size()));
    }
    if (device.is_shared()) part_from_neighbours(rank_);
    communicators_.emplace(plan_.groups, rank_);
    lay_out_order(plan, options.devices[at(rank_)]);
  }

  ~NcclTransport() override {
    // An operation that waits for others keeps its stream, which goes next, from ending.
    if (failed_ || num_under_way_ > 0) communicators_->abort();
  }

  std::vector<std::byte> address() const override { return communicators_->ids(); }

  void connect(const std::vector<std::vector<std::byte>>& addresses, double deadline_s) override {
    communicators_->join(addresses, deadline_s);
  }

  void prepare(const plan::ExecutionPlan&) override {
    stream_.emplace(device_.driver());
    std::int64_t staging_bytes = 0;
    bool moves_boxes = false;
    for (const NcclSchedule& schedule : plan_.schedules) {
      staging_bytes = std::max(staging_bytes, schedule.staging_bytes);
      moves_boxes = moves_boxes || !schedule.phases.empty();
    }
    staging_ = device_.allocate(staging_bytes);
    if (moves_boxes) mover_.emplace(device_.driver(), device_.compiler());
  }

  Event start(const CommunicationBinding& binding, const Event& after) override {
    const auto found =
        place_of_.find({binding.communication, binding.instance % num_instances_ - 1});
    if (found == place_of_.end())
      throw Error("communication '" + names_.at(at(binding.communication)) +
                  "' is started, and the plan has no such Start of this rank");
    Turn& turn = turns_[found->second];
    turn.binding = &binding;
    turn.after = after;
    turn.is_started = true;
    ++num_under_way_;
    if (is_taken_out("turn")) next_ = found->second;
    while (turns_[next_].is_started) issue_next();
    return {this, static_cast<std::int64_t>(found->second)};
  }

  void work_in_background() override {}
  void poll() override {
    guarded({}, [&] {
      if (cancelled_) throw Error(reason());
      communicators_->check_all();
    });
  }

  void order(CudaStream& stream, std::int64_t number) override {
    Turn& turn = issued(number);
    if (!is_taken_out("done")) stream.wait_for(turn.done);
    --num_under_way_;
  }
  void wait(std::int64_t number) override {
    issued(number).done.wait();
    --num_under_way_;
  }

  void cancel(const std::string& reason) override {
    const std::lock_guard lock(reason_mutex_);
    if (!cancelled_) reason_ = reason;
    cancelled_ = true;
  }

  std::int64_t staged_bytes() const override { return 0; }
  std::string description() const override {
    const std::string version = communicators_->version();
    return version.empty() ? "none" : "nccl " + version;
  }
  std::string network() const override { return ""; }

 private:
  /// A use of a communication in the order of the step.
  struct Turn {
    CommunicationUse use;
    const CommunicationBinding* binding = nullptr;  ///< the caller's: it lives until its Wait
    Event after, done;
    bool is_started = false, is_issued = false;
  };

  void lay_out_order(const plan::ExecutionPlan& plan, DeviceId device) {
    const std::vector<std::vector<CommunicationUse>> orders = issue_orders(plan);
    std::int32_t last = -1;
    for (std::size_t role = 0; role < plan.roles.size(); ++role) {
      for (const CommunicationUse& use : orders[role]) last = std::max(last, use.instance);
      if (!contains(plan.roles[role].mesh.devices, device)) continue;
      for (const CommunicationUse& use : orders[role]) {
        place_of_[use] = turns_.size();
        turns_.push_back({.use = use, .after = {}, .done = {}});
      }
    }
    turns_.emplace_back();  // behind the last: never started
    num_instances_ = last + 2;
  }

  Turn& issued(std::int64_t number) {
    Turn& turn = turns_[at(number)];
    if (!turn.is_issued)
      throw Error("communication '" + names_[at(turn.use.communication)] +
                  "' is waited for before others that come first were started");
    turn.is_issued = false;
    return turn;
  }

  void issue_next() {
    Turn& turn = turns_[next_];
    turn.is_started = false;
    turn.is_issued = true;
    if (++next_ + 1 == turns_.size()) next_ = 0;
    const std::string& name = names_[at(turn.use.communication)];
    guarded("communication '" + name + "': ", [&] {
      if (!is_taken_out("after")) stream_->wait_for(turn.after);
      for (const NcclPhase& phase : plan_.schedules[at(turn.use.communication)].phases)
        issue(phase, *turn.binding);
      turn.done = stream_->record();
    });
  }

  void issue(const NcclPhase& phase, const CommunicationBinding& binding) {
    for (const BoxMove& move : phase.before) enqueue(move, binding);
    if (!phase.calls.empty()) {
      communicators_->call(phase.group, [&] {
        for (const NcclCall& call : phase.calls)
          communicators_->check(enqueue(call, phase.group, binding), phase.group);
      });
    }
    for (const BoxMove& move : phase.after) enqueue(move, binding);
  }

  void enqueue(const BoxMove& move, const CommunicationBinding& binding) {
    mover_->enqueue(stream_->handle(), move.box, pointer(move.from, binding),
                    pointer(move.to, binding));
  }

  NcclResult enqueue(const NcclCall& call, std::int32_t group,
                     const CommunicationBinding& binding) {
    const NcclApi& nccl = communicators_->api();
    const std::byte* from =
        call.kind == NcclCallKind::receive ? nullptr : pointer(call.from, binding);
    std::byte* to = call.kind == NcclCallKind::send ? nullptr : pointer(call.to, binding);
    const std::size_t count = at(call.count);
    const NcclDataType type = type_of(call.dtype);
    const NcclReduction reduction = reduction_of(call.reduction);
    NcclComm comm = (*communicators_)[group];
    CuStream stream = stream_->handle();
    switch (call.kind) {
      case NcclCallKind::all_reduce:
        return nccl.ncclAllReduce(from, to, count, type, reduction, comm, stream);
      case NcclCallKind::reduce_scatter:
        return nccl.ncclReduceScatter(from, to, count, type, reduction, comm, stream);
      case NcclCallKind::all_gather: return nccl.ncclAllGather(from, to, count, type, comm, stream);
      case NcclCallKind::broadcast:
        return nccl.ncclBroadcast(from, to, count, type, call.peer, comm, stream);
      case NcclCallKind::send: return nccl.ncclSend(from, count, type, call.peer, comm, stream);
      case NcclCallKind::receive: return nccl.ncclRecv(to, count, type, call.peer, comm, stream);
    }
    return 0;
  }

  std::byte* pointer(const Place& place, const CommunicationBinding& binding) const {
    const std::int32_t num_parts = num_parts_[at(binding.communication)];
    if (place.buffer < num_parts) {
      const void* input = binding.inputs[at(place.buffer)];
      return static_cast<std::byte*>(const_cast<void*>(input)) + place.offset;
    }
    if (place.buffer < 2 * num_parts)
      return static_cast<std::byte*>(binding.outputs[at(place.buffer - num_parts)]) + place.offset;
    return staging_->data() + place.offset;
  }

  /// After a failure nothing is under way any more: what waits for it on the device goes on.
  template <class Body>
  void guarded(const std::string& place, Body body) {
    try {
      body();
    } catch (const Error& error) {
      if (!failed_) communicators_->abort();
      failed_ = true;
      throw Error(place + error.what());
    }
  }

  std::string reason() {
    const std::lock_guard lock(reason_mutex_);
    return reason_;
  }

  CudaDeviceBase& device_;
  const std::int32_t rank_;
  const NcclPlan plan_;
  std::unique_ptr<DeviceMemory> staging_;  ///< of one communication at a time: they share a stream
  std::optional<BoxMover> mover_;
  std::optional<CudaStream> stream_;
  std::optional<NcclCommunicators> communicators_;  ///< end before their stream
  std::vector<std::string> names_;                  ///< per communication
  std::vector<std::int32_t> num_parts_;
  std::vector<Turn> turns_;
  std::map<CommunicationUse, std::size_t> place_of_;
  std::size_t next_ = 0;
  std::int32_t num_instances_ = 1;
  std::int64_t num_under_way_ = 0;
  bool failed_ = false;
  std::atomic<bool> cancelled_{false};
  std::mutex reason_mutex_;
  std::string reason_;
};

}  // namespace

std::unique_ptr<Transport> make_nccl_transport(Device& device, const TransportOptions& options,
                                               const plan::ExecutionPlan& plan) {
  auto* gpu = dynamic_cast<CudaDeviceBase*>(&device);
  if (gpu == nullptr) throw Error("NCCL moves memory of GPUs, and this rank drives none");
  return std::make_unique<NcclTransport>(*gpu, options, plan);
}

}  // namespace rhino::runtime::cuda
