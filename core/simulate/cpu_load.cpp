// SPDX-License-Identifier: Apache-2.0
#include "simulate/cpu_load.hpp"

#include "plan/send_order.hpp"
#include "plan/shares.hpp"
#include "rhino/index.hpp"

namespace rhino::simulate {

double cpu_s(const plan::ExecutionPlan& plan, const cost::Calibration& calibration, int num_cores) {
  double seconds = 0;
  for (const plan::Communication& communication : plan.communications) {
    plan::for_each_message(
        plan, communication, [&](const plan::TransferStep& step, DeviceId from, DeviceId to) {
          const std::int64_t bytes = plan::message_bytes(communication, step);
          const std::int64_t num_pieces = (bytes + plan::kPieceBytes - 1) / plan::kPieceBytes;
          const bool crosses = plan.cluster.host_of[at(from)] != plan.cluster.host_of[at(to)];
          seconds += crosses
                         ? static_cast<double>(bytes) * calibration.network_cpu_s_per_byte +
                               static_cast<double>(num_pieces) * calibration.network_cpu_s_per_piece
                         : static_cast<double>(bytes) / calibration.intra_host.bytes_per_s;
        });
  }
  return seconds / num_cores;
}

}  // namespace rhino::simulate
