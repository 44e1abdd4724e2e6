// SPDX-License-Identifier: Apache-2.0
#include "runtime/cuda/cuda_stream.hpp"

#include <chrono>

#include "runtime/cuda/taken_out.hpp"

namespace rhino::runtime::cuda {
namespace {

/// Events that may be waited for before the oldest must be over.
constexpr std::size_t kNumRecorded = 1024;

}  // namespace

CudaStream::CudaStream(const Driver& driver) : driver_(driver), recorded_(kNumRecorded) {
  driver_.check(driver_->cuStreamCreate(&stream_, kCuStreamNonBlocking), "making a stream");
}

CudaStream::~CudaStream() {
  // What is under way reads memory that goes next. Errors have come out of a wait, or do not
  // matter.
  driver_->cuStreamSynchronize(stream_);
  for (const Recorded& recorded : recorded_) {
    if (recorded.event) driver_->cuEventDestroy_v2(recorded.event);
  }
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

Event CudaStream::record() {
  Recorded& place = place_of(next_);
  if (place.event == nullptr) {
    place.event = new_event();
  } else {
    wait(place.number);
  }
  driver_.check(driver_->cuEventRecord(place.event, stream_), "recording an event");
  place.number = next_;
  return {this, next_++};
}

void CudaStream::wait(std::int64_t number) {
  const Recorded& place = place_of(number);
  if (place.number != number) return;  // its place went to a later one when it was over
  if (is_taken_out("host")) return;
  driver_.check(driver_->cuEventSynchronize(place.event), "work on " + driver_.name());
}

bool CudaStream::has_ended(std::int64_t number) {
  const Recorded& place = place_of(number);
  return place.number != number || is_over(place.event);
}

void CudaStream::wait_for(const Event& event) {
  auto* other = dynamic_cast<CudaEventSource*>(event.source);
  if (other == nullptr) return event.wait();
  other->order(*this, event.number);
}

void CudaStream::order(CudaStream& stream, std::int64_t number) {
  const Recorded& place = place_of(number);
  if (&stream == this || place.number != number || is_taken_out("event")) return;
  driver_.check(driver_->cuStreamWaitEvent(stream.stream_, place.event, 0), "waiting for an event");
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
  driver_.check(driver_->cuEventRecord(marks_[num_marks_], stream_), "recording an event");
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
