// SPDX-License-Identifier: Apache-2.0
#include "evaluate/pass_values.hpp"

namespace rhino::evaluate {

void Earliest::Loops::wait_for(const Loops& other) {
  if (other.num > num) is_open = other.is_open;
  else if (other.num == num) is_open |= other.is_open;
  num = std::max(num, other.num);
}

void Earliest::wait_for(const Earliest& other) {
  from_begin_s = std::max(from_begin_s, other.from_begin_s);
  loops.wait_for(other.loops);
  loops_after.wait_for(other.loops_after);
  if (other.from_arrival_s <= from_arrival_s) return;
  from_arrival_s = other.from_arrival_s;
  axes = other.axes;
}

void Earliest::take(double seconds) {
  from_begin_s += seconds;
  if (from_arrival_s >= 0) from_arrival_s += seconds;
}

void SureTime::add(const SureTime& other) {
  kernels_s += other.kernels_s;
  stream_s += other.stream_s;
  arithmetic_s += other.arithmetic_s;
}

}  // namespace rhino::evaluate
