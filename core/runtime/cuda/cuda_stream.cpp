// SPDX-License-Identifier: Apache-2.0
#include "runtime/cuda/cuda_stream.hpp"

#include <chrono>
#include <utility>

#include "rhino/error.hpp"
#include "runtime/cuda/taken_out.hpp"

namespace rhino::runtime::cuda {
namespace {

/// Events that may be waited for before the oldest must be over.
constexpr std::size_t kNumRecorded = 1024;

}  // namespace

/// A graph of the driver, ready to run.
class CudaStream::Graph final : public Recording {
 public:
  Graph(CudaStream& stream, CuGraph graph, std::size_t num_marks)
      : stream_(stream), first_mark_(stream.first_mark_), num_marks_(num_marks) {
    const Driver& driver = stream_.driver_;
    const CuResult result = driver->cuGraphInstantiateWithFlags(&exec_, graph, 0);
    driver->cuGraphDestroy(graph);
    driver.check(result, "making a graph ready to run");
  }
  ~Graph() override { stream_.driver_->cuGraphExecDestroy(exec_); }
  Graph(const Graph&) = delete;
  Graph& operator=(const Graph&) = delete;

  void replay() override {
    if (stream_.num_marks_ != first_mark_)
      throw Error("a graph runs at another place of the step than where it was captured");
    stream_.driver_.check(stream_.driver_->cuGraphLaunch(exec_, stream_.stream_),
                          "starting a graph");
    stream_.num_marks_ += num_marks_;
  }

 private:
  CudaStream& stream_;
  const std::size_t first_mark_, num_marks_;
  CuGraphExec exec_ = nullptr;
};

CudaStream::CudaStream(const Driver& driver, bool can_record)
    : driver_(driver), can_record_(can_record), recorded_(kNumRecorded) {
  driver_.check(driver_->cuStreamCreate(&stream_, kCuStreamNonBlocking), "making a stream");
}

CudaStream::~CudaStream() {
  // What is under way reads memory that goes next. Errors have come out of a wait, or do not
  // matter.
  driver_->cuStreamSynchronize(stream_);
  for (const Recorded& recorded : recorded_) {
    if (recorded.event) driver_->cuEventDestroy_v2(recorded.event);
  }
  for (CuEvent event : in_graphs_) driver_->cuEventDestroy_v2(event);
  for (CuEvent mark : marks_) driver_->cuEventDestroy_v2(mark);
  driver_->cuStreamDestroy_v2(stream_);
}

CudaStream::Recorded& CudaStream::place_of(std::int64_t number) {
  return recorded_[static_cast<std::size_t>(number) % kNumRecorded];
}

CuEvent CudaStream::new_event() {
  CuEvent event = nullptr;
  driver_.check(driver_->cuEventCreate(&event, 0), "making an event");
  return event;
}

/// nullptr: its place went to a later one when it was over.
CuEvent CudaStream::event_of(std::int64_t number) {
  if (number < 0) return in_graphs_[static_cast<std::size_t>(-1 - number)];
  const Recorded& place = place_of(number);
  return place.number == number ? place.event : nullptr;
}

/// While a graph is captured events are nodes of it, which others outside can wait for.
void CudaStream::put(CuEvent event) {
  driver_.check(is_recording_
                    ? driver_->cuEventRecordWithFlags(event, stream_, kCuEventRecordExternal)
                    : driver_->cuEventRecord(event, stream_),
                "recording an event");
}

Event CudaStream::record_in_graph() {
  in_graphs_.push_back(new_event());
  if (!is_taken_out("captured")) put(in_graphs_.back());
  return {this, -static_cast<std::int64_t>(in_graphs_.size())};
}

Event CudaStream::record() {
  if (is_recording_) return record_in_graph();
  Recorded& place = place_of(next_);
  if (place.event == nullptr) {
    place.event = new_event();
  } else {
    wait(place.number);
  }
  put(place.event);
  place.number = next_;
  return {this, next_++};
}

void CudaStream::wait(std::int64_t number) {
  CuEvent event = event_of(number);
  if (event == nullptr || is_taken_out("host")) return;
  driver_.check(driver_->cuEventSynchronize(event), "work on " + driver_.name());
}

bool CudaStream::has_ended(std::int64_t number) {
  CuEvent event = event_of(number);
  return event == nullptr || is_over(event);
}

void CudaStream::wait_for(const Event& event) {
  auto* other = dynamic_cast<CudaEventSource*>(event.source);
  if (other == nullptr) return event.wait();
  other->order(*this, event.number);
}

void CudaStream::order(CudaStream& stream, std::int64_t number) {
  CuEvent event = event_of(number);
  if (&stream == this || event == nullptr || is_taken_out("event")) return;
  driver_.check(driver_->cuStreamWaitEvent(stream.stream_, event, 0), "waiting for an event");
}

/// Other threads, NCCL's among them, may call meanwhile what a capture forbids this one.
void CudaStream::begin_recording() {
  driver_.check(driver_->cuStreamBeginCapture_v2(stream_, kCuCaptureThreadLocal),
                "beginning to capture a graph");
  is_recording_ = true;
  first_mark_ = num_marks_;
}

std::unique_ptr<Recording> CudaStream::end_recording() {
  is_recording_ = false;
  CuGraph graph = nullptr;
  driver_.check(driver_->cuStreamEndCapture(stream_, &graph), "capturing a graph");
  const std::size_t num_marks = std::exchange(num_marks_, first_mark_) - first_mark_;
  return std::make_unique<Graph>(*this, graph, num_marks);
}

bool CudaStream::holds_up_host(const Event& event) const {
  return event.source != nullptr && dynamic_cast<CudaEventSource*>(event.source) == nullptr;
}

void CudaStream::begin_step() {
  was_read_ = false;
  num_marks_ = 0;
  mark();
  driver_.check(driver_->cuEventSynchronize(marks_.front()), "work on " + driver_.name());
  const auto now = std::chrono::steady_clock::now().time_since_epoch();
  first_s_ = std::chrono::duration<double>(now).count();
}

std::int64_t CudaStream::mark() {
  if (was_read_) begin_step();
  if (num_marks_ == marks_.size()) marks_.push_back(new_event());
  put(marks_[num_marks_]);
  return static_cast<std::int64_t>(num_marks_++);
}

bool CudaStream::is_over(std::int64_t mark) {
  return is_over(marks_[static_cast<std::size_t>(mark)]);
}

bool CudaStream::is_over(CuEvent event) {
  const CuResult result = driver_->cuEventQuery(event);
  if (result == kCuNotReady) return false;
  driver_.check(result, "work on " + driver_.name());
  return true;
}

double CudaStream::time_s(std::int64_t mark) {
  was_read_ = true;
  float milliseconds = 0;
  driver_.check(driver_->cuEventElapsedTime(&milliseconds, marks_.front(),
                                            marks_[static_cast<std::size_t>(mark)]),
                "reading the time of an event");
  return first_s_ + static_cast<double>(milliseconds) * 1e-3;
}

}  // namespace rhino::runtime::cuda
