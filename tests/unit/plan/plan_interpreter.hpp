// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <map>
#include <utility>
#include <vector>

#include "ir/reference.hpp"
#include "plan/execution_plan.hpp"

namespace rhino::test {

/// When bytes of a communication move: as soon as all have started it, or only when nothing else
/// can go on. A correct plan yields the same either way; one that reads or overwrites a buffer too
/// early does not.
enum class Eagerness { early, late };

/// Executes a plan for all devices in one process, every device in an arena of real bytes at the
/// plan's offsets, with the reference evaluator. Memory that the plan has not written holds NaN.
class PlanInterpreter {
 public:
  /// `inputs`: of the whole Program.
  PlanInterpreter(const plan::ExecutionPlan& plan, const std::vector<ir::Tensor>& inputs,
                  Eagerness eagerness);

  /// Throws std::runtime_error where no device can go on.
  void run_step();

  /// The tile of `output` on each device that has it, and the part of `whole` that it should equal.
  struct Tile {
    DeviceId device = 0;
    std::vector<double> actual, expected;
  };
  std::vector<Tile> tiles(std::int32_t output, const ir::Tensor& whole) const;

 private:
  struct Device {
    DeviceId id = 0;
    const plan::Role* role = nullptr;
    std::int64_t rank = 0;
    std::vector<std::byte> arena;
    std::size_t next = 0;
  };
  using Use = std::pair<std::int32_t, std::int32_t>;  ///< (communication, instance)
  struct Started {
    std::map<DeviceId, const plan::Instruction*> by;
    bool moved = false;
  };

  bool advance(Device& device);
  void run(Device& device, const plan::Instruction& instruction);
  bool complete(const Use& use) const;
  bool move_one();
  void move(const Use& use);
  void transfer(const plan::Communication& communication, const Started& started);
  void collective(const plan::Communication& communication, const Started& started);

  ir::Tensor read(const Device& device, std::int32_t buffer) const;
  void write(Device& device, std::int32_t buffer, const ir::Tensor& tensor);
  void poison(Device& device, std::int32_t buffer);

  const plan::ExecutionPlan& plan_;
  Eagerness eagerness_;
  std::vector<Device> devices_;
  std::map<DeviceId, std::size_t> index_;
  std::map<Use, Started> started_;
  std::map<std::int32_t, std::vector<DeviceId>> participants_;
};

/// Two steps of a plan of `program` yield what the reference does, on every device that has it.
void check_against_reference(const plan::ExecutionPlan& plan, const Program& program,
                             std::vector<ir::Tensor> inputs, Eagerness eagerness, double tolerance);

}  // namespace rhino::test
