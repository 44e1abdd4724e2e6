// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "runtime/device/device.hpp"
#include "runtime/transport/transport.hpp"

namespace rhino::runtime {

/// A transport of the host for buffers that the host cannot read. Parts of which `inner` says so it
/// is given as they lie on the device; for others, what a communication reads is copied into pinned
/// memory behind `after`, without the host waiting for it; the communication begins once that is
/// over, which is looked for in every call, and goes on beside what the device computes; a wait
/// copies what it brought back. Buffers have one place in pinned memory, and share it where they
/// share it on the device.
class StagedTransport final : public Transport {
 public:
  /// `buffers`: where the buffers of this rank's role lie, see PlanBuffer::offset. `device` and
  /// `plan` live longer; `inner` moves memory of the host.
  StagedTransport(std::unique_ptr<Transport> inner, Device& device, const plan::ExecutionPlan& plan,
                  std::int32_t role, std::byte* buffers);
  ~StagedTransport() override;

  std::vector<std::byte> address() const override { return inner_->address(); }
  void connect(const std::vector<std::vector<std::byte>>& addresses, double deadline_s) override {
    inner_->connect(addresses, deadline_s);
  }
  void prepare(const plan::ExecutionPlan& plan) override;
  Event start(const CommunicationBinding& binding, const Event& after) override;
  void work_in_background() override;
  void poll() override { begin_ready(); }
  void wait(std::int64_t number) override;
  void cancel(const std::string& reason) override { inner_->cancel(reason); }
  std::int64_t staged_bytes() const override { return staged_bytes_; }
  std::string description() const override;
  std::string network() const override { return inner_->network(); }

 private:
  struct Range {
    std::int64_t begin = 0, end = 0;  ///< in the arena
    std::int64_t place = 0;           ///< in pinned memory
  };
  /// Bytes of every part that this role binds, but for those that stay on the device: -1.
  struct Sizes {
    std::vector<std::int64_t> inputs, outputs;
  };
  /// A communication under way.
  struct Work {
    CommunicationBinding host;  ///< bound to pinned memory
    Event staged, moved;
    const CommunicationBinding* device = nullptr;
    bool is_taken = false;
  };

  void measure(const plan::Role& role);
  void lay_out(std::vector<Range> ranges);
  std::byte* pinned(const void* place) const;
  std::byte* bound(const void* place, std::int64_t size) const;
  Work& free_work();
  void begin_ready();
  void begin_next();

  std::unique_ptr<Transport> inner_;
  Device& device_;
  std::byte* const buffers_;
  const std::int32_t role_;
  bool is_direct_ = false;     ///< something is
  std::vector<Sizes> sizes_;   ///< per communication
  std::vector<Range> ranges_;  ///< that communications read and write, apart and in order
  std::unique_ptr<DeviceMemory> pinned_;
  std::unique_ptr<Stream> out_, in_;
  std::vector<std::unique_ptr<Work>> works_;
  std::vector<Work*> waiting_;  ///< for what they read, in the order of their starts
  std::int64_t staged_bytes_ = 0;
};

}  // namespace rhino::runtime
