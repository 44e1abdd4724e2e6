// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "plan/send_order.hpp"
#include "runtime/stream.hpp"

namespace rhino::runtime {

/// How this rank takes part in one communication: its own buffers of every part.
struct CommunicationBinding {
  std::int32_t communication = 0;  ///< index in ExecutionPlan::communications
  std::int32_t instance =
      0;  ///< (step, micro-batch) folded by the caller so that no two in flight are equal
  std::vector<const void*> inputs;  ///< per part, nullptr where not a source
  std::vector<void*> outputs;       ///< per part, nullptr where not a target
};

/// Moves bytes between ranks of one plan; those of one host read and write each other's buffers in
/// place where they share memory. Rank r drives device `devices[r]`. All members but connect() and
/// cancel() are called by the one thread that executes instructions. Errors of the transport come
/// out of waits as Error naming peer and communication. The destructor never hangs: after a
/// failure it abandons what is under way.
class Transport : public EventSource {
 public:
  /// This rank's address, to be given to every other rank.
  virtual std::vector<std::byte> address() const = 0;
  /// Addresses of all ranks, own included. Makes every endpoint that `plan` needs before the first
  /// step and wires it up with one message.
  virtual void connect(const std::vector<std::vector<std::byte>>& addresses, double deadline_s) = 0;
  /// Prepares `plan`'s communications for this rank (schedules of messages, staging buffers):
  /// nothing is allocated later. [after connect()] As many uses of a communication can be under way
  /// as the instructions of this rank's role have at a time; tiles of transfers are those of the
  /// role's buffers.
  virtual void prepare(const plan::ExecutionPlan& plan) = 0;

  /// Whether a communication may be given the memory of a GPU as this part: messages alone touch
  /// it, and the network takes it as it lies. [after prepare()]
  struct Part {
    std::int32_t communication = 0, number = 0;
    bool is_output = false;
  };
  virtual bool takes_gpu_memory(const Part&) const { return false; }

  /// Begins when `after` is over, by which time the inputs are complete and the outputs may be
  /// written, and yields an event, to be waited for exactly once, which is over when this rank's
  /// part is: its outputs are complete and its inputs may be written again. Returns at once where
  /// the transport orders itself by events of that source; else the host waits for `after`. The
  /// outputs must be other memory than the inputs, except that an all_reduce may work in place.
  /// `binding` stays where it is until that wait. Transfers may start in any order; collectives of
  /// one group follow each other, and all of its members start them in the same order.
  /// Communication goes on in waits and after work_in_background().
  virtual Event start(const CommunicationBinding& binding, const Event& after) = 0;
  /// The caller is about to compute: a thread makes communication go on until the next wait.
  /// Waking it takes longer than a short message does, so start() leaves it asleep.
  virtual void work_in_background() = 0;

  /// Asked again and again while the host waits for the device: moves on what the transport drives
  /// by hand. Throws Error where what is under way cannot end any more.
  virtual void poll() {}

  /// Makes every wait and start, present and future, throw Error with `reason`: for the one who
  /// learns that a peer is gone, which the transport itself does not always notice. [any thread]
  virtual void cancel(const std::string& reason) = 0;

  /// Bytes that this rank sent so far to ranks of its host, which did not find them in its memory:
  /// copied through UCX, or packed for it.
  virtual std::int64_t staged_bytes() const = 0;
  /// The transports in use ("sysv,cma,mapped").
  virtual std::string description() const = 0;
  /// The transports in use towards ranks of other hosts; empty where there are none.
  virtual std::string network() const = 0;
};

class SharedMemory;

struct TransportOptions {
  std::int32_t rank = 0, num_ranks = 1;
  std::vector<DeviceId> devices;    ///< per rank
  std::vector<std::int32_t> hosts;  ///< per rank; empty: all on one
  bool tcp_between_hosts = false;   ///< see UcxRoutes
  bool oversubscribed =
      false;  ///< more ranks than cores: sleep in the kernel while waiting, else yield
  std::int64_t window_chunks = plan::kWindowPieces;  ///< messages in flight per pipelined ring
  std::int64_t chunk_bytes = plan::kPieceBytes;
  bool broadcasts = false;  ///< of NCCL: a multicast is its own broadcast, no chain of messages
  /// Given where buffers are memory of a GPU that may be handed to UCX: what each thread does
  /// before it touches such memory.
  std::function<void()> enter_thread = {};
  /// Where all buffers of this rank lie, at multiples of 64 bytes, if in shared memory: ranks of
  /// one host then read and write them in place, without the copies and system calls of a
  /// transport. Must live longer than it.
  const SharedMemory* shared = nullptr;
};

std::unique_ptr<Transport> make_ucx_transport(const TransportOptions& options);

}  // namespace rhino::runtime
