// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "plan/execution_plan.hpp"
#include "plan/step_trace.hpp"
#include "rhino/error.hpp"
#include "runtime/device/gpu_modes.hpp"
#include "topology/cores.hpp"
#include "topology/network_namespace.hpp"

namespace rhino::runtime {

/// The end of a session that ran out of memory: a rank could not take what its plan needs, or the
/// system's memory killer ended one, as far as can be told.
struct OutOfMemory : Error {
  using Error::Error;
};

class AgentLink;

/// A host of a session whose workers agents start.
struct SessionHost {
  AgentLink* agent = nullptr;         ///< nullptr: this host
  std::vector<topology::Core> cores;  ///< that its workers may use
  std::int32_t machine = 0;           ///< hosts of one number are containers of one machine
};

struct SessionOptions {
  std::string worker;             ///< path (or /proc/self/fd/N) of rhino-worker
  std::string run_dir;            ///< logs of the ranks go here; exists
  std::string device = "cpu";     ///< cpu | reference | emulated | cuda
  std::string transport = "ucx";  ///< ucx | nccl
  bool broadcasts = false;        ///< TransportOptions::broadcasts
  GpuModes gpu = {};              ///< of device cuda
  int num_threads = 1;            ///< per rank
  bool oversubscribed = false;
  std::uint64_t seed = 0;
  double start_deadline_s = 60;  ///< launch, compile, wire-up
  double step_deadline_s = 60;   ///< one step
  double heartbeat_s = 1;        ///< of each rank; three missed ones end the session
  /// Per host of the plan's cluster, where its workers start; empty: all beside this process.
  std::vector<topology::HostNamespaces> hosts = {};
  /// Per host of the plan's cluster, where agents start workers; empty: none do. Borrowed.
  std::vector<SessionHost> agents = {};
  /// Ranks of different hosts talk over TCP, see TransportOptions.
  bool tcp_between_hosts = false;
  /// Of workers that this process starts, on top of its own.
  std::map<std::string, std::string> environment = {};
  /// The plan as plan::to_bytes() gives it, with or without names, where it is at hand; empty: it
  /// is encoded here.
  std::string plan_bytes = {};
  /// Asked while ranks are waited for; true ends the session with Error "interrupted". Empty:
  /// never.
  std::function<bool()> is_interrupted = {};
};

/// Values of one output (or input) of the Program, gathered from all devices: `elements` of the
/// whole tensor in row-major order, as doubles. `num_disagreeing`: elements that replicas hold with
/// different bits.
struct FetchedTensor {
  std::int32_t output = 0;
  Shape shape;
  std::vector<double> elements;
  std::int64_t num_disagreeing = 0;
};

/// How the outputs of all devices differ from what they must be.
struct Verification {
  std::int64_t num_elements = 0, num_wrong = 0;
  std::string message;  ///< of the first wrong element, with its device; empty: none is wrong
};

/// Worker processes executing one plan, supervised. The destructor ends them (by process group) and
/// waits for that; it never throws.
class Session {
 public:
  virtual ~Session() = default;
  /// Runs `num_steps` steps back to back; events are kept for the last one if `keep_events`. Throws
  /// Error naming rank and instruction when a rank dies, stops, hangs or reports an error.
  virtual plan::StepTrace run_steps(int num_steps, bool keep_events) = 0;
  /// All inputs become the initial values of `seed`, everything else NaN; the next step is number
  /// `step` (see Initializer::Kind::step).
  virtual void reset(std::uint64_t seed, std::int64_t step) = 0;
  /// Outputs of the last step by index in the whole Program's outputs.
  virtual std::vector<FetchedTensor> fetch(const std::vector<std::int32_t>& outputs) = 0;
  /// For plans of one communication alone (plan/single_communication.hpp): every device compares
  /// all elements of its outputs with what the inputs say, then overwrites them, so that what the
  /// next step leaves out is found.
  virtual Verification verify() = 0;
  /// Most memory that a rank has held so far, measured after run_steps: buffers, workspace,
  /// compiled programs, staging; not code and libraries.
  virtual std::int64_t peak_memory_bytes() const = 0;
  /// Most of a rank's buffers and staging that a run_steps found in small pages of memory.
  virtual std::int64_t small_page_bytes() const = 0;
  virtual std::string transport() const = 0;
  /// The cores of each rank, `0-3; 4-7`; `any` where it is not bound.
  virtual std::string binding() const = 0;
  /// How ranks compute dots, see Device::narrow_dots and wide_dots, rank by rank where they differ;
  /// empty: the plan has none of which there is a choice.
  virtual std::string dots() const = 0;
  /// How ranks compute convolutions, see Device::convolutions; rank by rank where they differ.
  virtual std::string convolutions() const = 0;
  /// Kinds of ops that a rank has no kernel for, of the rank that lacks most, see Device::slow_ops.
  virtual std::string slow_ops() const = 0;
  /// What rank 0 drives, see Device::name.
  virtual std::string device() const = 0;
  /// Some ranks drive one device together, see Device::is_shared.
  virtual bool shares_devices() const = 0;
  virtual std::vector<std::int32_t> pids() const = 0;
};

/// Starts one worker per device of `plan`. Throws Error when one does not come up.
std::unique_ptr<Session> start_session(const plan::ExecutionPlan& plan,
                                       const SessionOptions& options);

}  // namespace rhino::runtime
