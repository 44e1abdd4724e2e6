// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <vector>

#include "runtime/cuda/driver.hpp"
#include "runtime/stream.hpp"

namespace rhino::runtime::cuda {

class CudaStream;

/// What makes events that streams of the driver wait for on the device.
class CudaEventSource {
 public:
  virtual ~CudaEventSource() = default;
  /// What `stream` is given from now on begins when event `number` is over.
  virtual void order(CudaStream& stream, std::int64_t number) = 0;
};

/// A stream of the driver. Events of its own kind order streams on the device.
class CudaStream final : public Stream, public CudaEventSource {
 public:
  /// `driver` lives longer. `can_record`: by graphs.
  explicit CudaStream(const Driver& driver, bool can_record = false);
  ~CudaStream() override;
  CudaStream(const CudaStream&) = delete;
  CudaStream& operator=(const CudaStream&) = delete;

  void wait(std::int64_t number) override;
  bool has_ended(std::int64_t number) override;
  Event record() override;
  void wait_for(const Event& event) override;
  bool holds_up_host(const Event& event) const override;
  void order(CudaStream& stream, std::int64_t number) override;
  bool can_record() const override { return can_record_; }
  void begin_recording() override;
  std::unique_ptr<Recording> end_recording() override;
  /// The first one after a time_s() begins a new step and waits for what is under way.
  std::int64_t mark() override;
  bool is_over(std::int64_t mark) override;
  double time_s(std::int64_t mark) override;

  CuStream handle() const { return stream_; }

 private:
  struct Recorded {
    CuEvent event = nullptr;
    std::int64_t number = -1;
  };
  Recorded& place_of(std::int64_t number);
  CuEvent event_of(std::int64_t number);
  Event record_in_graph();
  void put(CuEvent event);
  CuEvent new_event();
  bool is_over(CuEvent event);
  void begin_step();

  class Graph;

  const Driver& driver_;
  const bool can_record_;
  CuStream stream_ = nullptr;
  bool is_recording_ = false;
  std::size_t first_mark_ = 0;      ///< of the recording
  std::vector<Recorded> recorded_;  ///< a ring: an older event than those in it is over
  std::int64_t next_ = 0;
  std::vector<CuEvent> in_graphs_;  ///< number -1 - i: recorded by each run of a graph
  std::vector<CuEvent> marks_;      ///< the first one happened at first_s_ of the host's clock
  std::size_t num_marks_ = 0;
  double first_s_ = 0;
  bool was_read_ = true;
};

}  // namespace rhino::runtime::cuda
