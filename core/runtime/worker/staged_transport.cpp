// SPDX-License-Identifier: Apache-2.0
#include "runtime/worker/staged_transport.hpp"

#include <algorithm>

#include "rhino/index.hpp"

namespace rhino::runtime {
namespace {

constexpr std::int64_t kAlignment = 64;
constexpr std::int64_t kOnDevice = -1;

}  // namespace

StagedTransport::StagedTransport(std::unique_ptr<Transport> inner, Device& device,
                                 const plan::ExecutionPlan& plan, std::int32_t role,
                                 std::byte* buffers)
    : inner_(std::move(inner)),
      device_(device),
      buffers_(buffers),
      role_(role),
      sizes_(plan.communications.size()),
      out_(device.stream()),
      in_(device.stream()) {}

StagedTransport::~StagedTransport() { inner_.reset(); }

void StagedTransport::prepare(const plan::ExecutionPlan& plan) {
  inner_->prepare(plan);
  measure(plan.roles[at(role_)]);
}

std::string StagedTransport::description() const {
  return inner_->description() + (is_direct_ ? ",direct" : "") + (ranges_.empty() ? "" : ",staged");
}

void StagedTransport::measure(const plan::Role& role) {
  std::vector<Range> ranges;
  const auto sizes_of = [&](const std::vector<std::int32_t>& buffers, Part part) {
    std::vector<std::int64_t> sizes;
    for (const std::int32_t index : buffers) {
      const bool is_direct = index >= 0 && inner_->takes_gpu_memory(part);
      ++part.number;
      is_direct_ |= is_direct;
      sizes.push_back(index < 0   ? 0
                      : is_direct ? kOnDevice
                                  : num_bytes(role.buffers[at(index)].shape));
      if (index < 0 || is_direct) continue;
      const std::int64_t begin = role.buffers[at(index)].offset;
      const std::int64_t rounded = (sizes.back() + kAlignment - 1) / kAlignment * kAlignment;
      ranges.push_back({begin, begin + rounded, 0});
    }
    return sizes;
  };
  for (const plan::Instruction& instruction : role.instructions) {
    if (instruction.kind != plan::InstructionKind::start) continue;
    sizes_[at(instruction.index)] = {
        sizes_of(instruction.inputs, {.communication = instruction.index}),
        sizes_of(instruction.outputs, {.communication = instruction.index, .is_output = true})};
  }
  lay_out(std::move(ranges));
}

/// What overlaps stays together.
void StagedTransport::lay_out(std::vector<Range> ranges) {
  std::ranges::sort(ranges, {}, &Range::begin);
  std::int64_t size = 0;
  for (const Range& range : ranges) {
    if (!ranges_.empty() && range.begin < ranges_.back().end) {
      size += std::max<std::int64_t>(0, range.end - ranges_.back().end);
      ranges_.back().end = std::max(ranges_.back().end, range.end);
      continue;
    }
    ranges_.push_back({range.begin, range.end, size});
    size += range.end - range.begin;
  }
  pinned_ = device_.allocate_pinned(size);
}

std::byte* StagedTransport::pinned(const void* place) const {
  if (place == nullptr) return nullptr;
  const std::int64_t offset = static_cast<const std::byte*>(place) - buffers_;
  const auto behind = std::ranges::upper_bound(ranges_, offset, {}, &Range::begin);
  const Range& range = *std::prev(behind);
  return pinned_->data() + range.place + (offset - range.begin);
}

std::byte* StagedTransport::bound(const void* place, std::int64_t size) const {
  return size == kOnDevice ? static_cast<std::byte*>(const_cast<void*>(place)) : pinned(place);
}

StagedTransport::Work& StagedTransport::free_work() {
  for (const std::unique_ptr<Work>& work : works_) {
    if (!work->is_taken) return *work;
  }
  return *works_.emplace_back(std::make_unique<Work>());
}

Event StagedTransport::start(const CommunicationBinding& binding, const Event& after) {
  Work& work = free_work();
  work.is_taken = true;
  work.device = &binding;
  work.host.communication = binding.communication;
  work.host.instance = binding.instance;
  work.host.inputs.clear();
  work.host.outputs.clear();
  out_->wait_for(after);
  const Sizes& sizes = sizes_[at(binding.communication)];
  for (std::size_t part = 0; part < binding.inputs.size(); ++part) {
    std::byte* place = bound(binding.inputs[part], sizes.inputs[part]);
    work.host.inputs.push_back(place);
    if (place == nullptr || sizes.inputs[part] == kOnDevice) continue;
    device_.copy(*out_, place, binding.inputs[part], sizes.inputs[part]);
    staged_bytes_ += sizes.inputs[part];
  }
  for (std::size_t part = 0; part < binding.outputs.size(); ++part)
    work.host.outputs.push_back(bound(binding.outputs[part], sizes.outputs[part]));
  work.staged = out_->record();
  waiting_.push_back(&work);
  begin_ready();
  const auto found = std::ranges::find(works_, &work, &std::unique_ptr<Work>::get);
  return {this, found - works_.begin()};
}

void StagedTransport::work_in_background() {
  begin_ready();
  inner_->work_in_background();
}

void StagedTransport::begin_ready() {
  bool any = false;
  while (!waiting_.empty() && waiting_.front()->staged.is_over()) {
    begin_next();
    any = true;
  }
  if (any) inner_->work_in_background();
}

void StagedTransport::begin_next() {
  Work& work = *waiting_.front();
  waiting_.erase(waiting_.begin());
  work.staged.wait();
  work.moved = inner_->start(work.host, {});
}

void StagedTransport::wait(std::int64_t number) {
  // Others may wait for what was started before this.
  while (!waiting_.empty()) begin_next();
  Work& work = *works_[at(number)];
  work.moved.wait();
  const Sizes& sizes = sizes_[at(work.host.communication)];
  bool copies = false;
  for (std::size_t part = 0; part < work.host.outputs.size(); ++part) {
    if (work.host.outputs[part] == nullptr || sizes.outputs[part] == kOnDevice) continue;
    device_.copy(*in_, work.device->outputs[part], work.host.outputs[part], sizes.outputs[part]);
    copies = true;
  }
  if (copies) in_->record().wait();
  work.is_taken = false;
}

}  // namespace rhino::runtime
