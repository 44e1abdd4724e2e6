// SPDX-License-Identifier: Apache-2.0
#include "communication_case.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <bit>
#include <cstring>
#include <numeric>

#include "rhino/error.hpp"
#include "rhino/tile.hpp"

namespace rhino {
namespace {

std::uint64_t mix(std::uint64_t x) {
  x ^= x >> 33;
  x *= 0xff51afd7ed558ccdULL;
  x ^= x >> 33;
  x *= 0xc4ceb9fe1a85ec53ULL;
  return x ^ x >> 33;
}

void encode(DType dtype, double value, std::byte* to) {
  const auto put = [to](auto element) { std::memcpy(to, &element, sizeof(element)); };
  switch (dtype) {
    case DType::f64: return put(value);
    case DType::f32: return put(static_cast<float>(value));
    case DType::bf16:
      return put(static_cast<std::uint16_t>(
          std::bit_cast<std::uint32_t>(static_cast<float>(value)) >> 16));
    case DType::f16: return put(static_cast<_Float16>(value));
    case DType::s64: return put(static_cast<std::int64_t>(value));
    case DType::s32: return put(static_cast<std::int32_t>(value));
    case DType::u32: return put(static_cast<std::uint32_t>(value));
    case DType::s8: return put(static_cast<std::int8_t>(value));
    case DType::u8:
    case DType::pred: return put(static_cast<std::uint8_t>(value));
  }
}

// Small enough that every reduction over 8 ranks is exact in every dtype.
double operand(const CommunicationCase& test, std::int32_t instance, std::int32_t rank,
               std::size_t part, std::int64_t element) {
  const std::uint64_t hash = mix(
      test.seed ^ mix(static_cast<std::uint64_t>(element) * 64 + static_cast<std::uint64_t>(rank)) ^
      mix(part * 1000 + static_cast<std::uint64_t>(instance) + 77));
  if (test.communication.parts[part].dtype == DType::pred) return static_cast<double>(hash % 2);
  if (test.communication.reduction == Reduction::product)
    return rank < 3 ? static_cast<double>(hash % 2 + 1) : 1.0;
  return static_cast<double>(hash % 12);
}

double reduced(Reduction reduction, DType dtype, double a, double b) {
  const auto x = static_cast<std::uint64_t>(a), y = static_cast<std::uint64_t>(b);
  const bool pred = dtype == DType::pred;
  switch (reduction) {
    case Reduction::sum: return pred ? std::max(a, b) : a + b;
    case Reduction::product: return a * b;
    case Reduction::max: return std::max(a, b);
    case Reduction::min: return std::min(a, b);
    case Reduction::logical_and: return static_cast<double>(x & y);
    case Reduction::logical_or: return static_cast<double>(x | y);
  }
  return 0;
}

struct GroupPlace {
  std::vector<std::int32_t> ranks;
  std::int64_t self = 0;
};
GroupPlace group_of(const CommunicationCase& test, std::int32_t rank) {
  for (const std::vector<DeviceId>& group : test.communication.groups) {
    GroupPlace place;
    for (DeviceId device : group) place.ranks.push_back(device - RankContext::kFirstDevice);
    const auto self = std::find(place.ranks.begin(), place.ranks.end(), rank);
    place.self = self - place.ranks.begin();
    if (self != place.ranks.end()) return place;
  }
  return {};
}

// What must be at `element` of the output of a collective.
double expected(const CommunicationCase& test, std::int32_t instance, const GroupPlace& group,
                std::size_t part, std::int64_t element) {
  const Shape& shape = test.communication.parts[part];
  const auto n = static_cast<std::int64_t>(group.ranks.size());
  const auto of = [&](std::int64_t member, std::int64_t at) {
    return operand(test, instance, group.ranks[static_cast<std::size_t>(member)], part, at);
  };
  const auto over_all = [&](std::int64_t at) {
    double value = of(0, at);
    for (std::int64_t m = 1; m < n; ++m)
      value = reduced(test.communication.reduction, shape.dtype, value, of(m, at));
    return value;
  };
  const std::int64_t count = num_elements(shape), entry = std::max<std::int64_t>(1, count / n);
  switch (test.communication.kind) {
    case plan::CommunicationKind::all_reduce: return over_all(element);
    case plan::CommunicationKind::reduce_scatter: return over_all(group.self * entry + element);
    case plan::CommunicationKind::all_gather: return of(element / count, element % count);
    case plan::CommunicationKind::all_to_all:
      return of(element / entry, group.self * entry + element % entry);
    case plan::CommunicationKind::halo_exchange: {
      const bool is_before = element < test.communication.before * count / shape.dims[0];
      return of(
          is_before ? std::max<std::int64_t>(group.self - 1, 0) : std::min(group.self + 1, n - 1),
          element);
    }
    case plan::CommunicationKind::transfer: break;
  }
  return 0;
}

// The bytes of an element of a transferred tensor follow from its index.
void encode_global(const CommunicationCase& test, std::int32_t instance, std::size_t part,
                   std::int64_t index, std::byte* to) {
  const std::uint64_t hash = mix(test.seed ^ mix(static_cast<std::uint64_t>(index)) ^
                                 mix(part * 1000 + static_cast<std::uint64_t>(instance)));
  std::memcpy(to, &hash,
              static_cast<std::size_t>(dtype_bytes(test.communication.parts[part].dtype)));
}

template <typename Visit>  // (index in the tensor, index in the tile)
void for_each_element(const std::vector<std::int64_t>& dims, const std::vector<std::int64_t>& tile,
                      const TileBox& box, const Visit& visit) {
  std::vector<std::int64_t> at(dims.size(), 0);
  if (num_elements(box.global) == 0) return;
  while (true) {
    std::int64_t global = 0, local = 0;
    for (std::size_t d = 0; d < dims.size(); ++d) {
      global = global * dims[d] + box.global.start[d] + at[d];
      local = local * tile[d] + box.local.start[d] + at[d];
    }
    visit(global, local);
    std::size_t d = dims.size();
    while (d-- > 0) {
      if (++at[d] < box.global.size[d]) break;
      at[d] = 0;
    }
    if (d == static_cast<std::size_t>(-1)) return;
  }
}

template <typename Visit>
void for_each_tile_element(const CommunicationCase& test, std::size_t part, bool target,
                           std::int32_t rank, const Visit& visit) {
  const Mesh& mesh = (target ? test.target_meshes : test.source_meshes)[part];
  const ShardingSpec& spec = (target ? test.target_specs : test.source_specs)[part];
  const std::vector<std::int64_t>& dims = test.communication.parts[part].dims;
  const auto found =
      std::find(mesh.devices.begin(), mesh.devices.end(), rank + RankContext::kFirstDevice);
  if (found == mesh.devices.end()) return;
  const std::vector<std::int64_t> tile = tile_dims(dims, spec, mesh);
  for (const TileBox& box : tile_boxes(dims, spec, mesh, found - mesh.devices.begin()))
    for_each_element(dims, tile, box, visit);
}

}  // namespace

void expect(bool holds, const std::string& what) {
  if (!holds) throw Error(what);
}

std::vector<std::int32_t> ranks_upto(std::int32_t count) {
  std::vector<std::int32_t> ranks(static_cast<std::size_t>(count));
  std::iota(ranks.begin(), ranks.end(), 0);
  return ranks;
}

CommunicationCase collective_case(plan::CommunicationKind kind, Reduction reduction,
                                  const std::vector<Shape>& parts,
                                  const std::vector<std::vector<std::int32_t>>& groups,
                                  std::int32_t num_ranks) {
  CommunicationCase test;
  test.communication.kind = kind;
  test.communication.reduction = reduction;
  test.communication.name = fmt::format("collective {} of {}", static_cast<int>(kind),
                                        parts.empty() ? "nothing" : to_string(parts[0]));
  const auto n = static_cast<std::int64_t>(groups[0].size());
  test.inputs.assign(static_cast<std::size_t>(num_ranks),
                     std::vector<std::optional<Shape>>(parts.size()));
  test.outputs = test.inputs;
  for (std::size_t p = 0; p < parts.size(); ++p) {
    Shape input = parts[p], output = parts[p];
    if (kind == plan::CommunicationKind::halo_exchange) {
      // Three entries, one of them from the rank before.
      input.dims.insert(input.dims.begin(), 3);
      output = input;
      test.communication.before = 1;
    }
    if (kind == plan::CommunicationKind::reduce_scatter ||
        kind == plan::CommunicationKind::all_to_all)
      input.dims.insert(input.dims.begin(), n);
    if (kind == plan::CommunicationKind::all_gather || kind == plan::CommunicationKind::all_to_all)
      output.dims.insert(output.dims.begin(), n);
    test.communication.parts.push_back(input);
    for (const auto& group : groups) {
      for (std::int32_t rank : group) {
        test.inputs[static_cast<std::size_t>(rank)][p] = input;
        test.outputs[static_cast<std::size_t>(rank)][p] = output;
      }
    }
  }
  for (const auto& group : groups) {
    std::vector<DeviceId>& devices = test.communication.groups.emplace_back();
    for (std::int32_t rank : group) devices.push_back(rank + RankContext::kFirstDevice);
  }
  return test;
}

plan::ExecutionPlan plan_of(const std::vector<CommunicationCase>& cases, std::int32_t num_ranks,
                            std::int32_t num_instances) {
  plan::ExecutionPlan plan;
  for (const CommunicationCase& test : cases) plan.communications.push_back(test.communication);
  for (std::int32_t rank = 0; rank < num_ranks; ++rank) {
    plan::Role role;
    role.mesh = {{{"all", 1}}, {rank + RankContext::kFirstDevice}};
    const auto buffers_of = [&role](const std::vector<std::optional<Shape>>& shapes) {
      std::vector<std::int32_t> buffers;
      for (const std::optional<Shape>& shape : shapes) {
        buffers.push_back(shape ? static_cast<std::int32_t>(role.buffers.size()) : -1);
        if (shape) role.buffers.push_back({*shape, 0, false});
      }
      return buffers;
    };
    std::vector<plan::Instruction> waits;
    for (std::size_t c = 0; c < cases.size(); ++c) {
      plan::Instruction start{
          plan::InstructionKind::start,   static_cast<std::int32_t>(c), 0, {}, {}, -1,
          plan::InstructionPhase::forward};
      start.inputs = buffers_of(cases[c].inputs[static_cast<std::size_t>(rank)]);
      start.outputs = buffers_of(cases[c].outputs[static_cast<std::size_t>(rank)]);
      for (start.instance = 0; start.instance < num_instances; ++start.instance) {
        role.instructions.push_back(start);
        waits.push_back({plan::InstructionKind::wait,
                         start.index,
                         start.instance,
                         {},
                         {},
                         -1,
                         plan::InstructionPhase::forward});
      }
    }
    role.instructions.insert(role.instructions.end(), waits.begin(), waits.end());
    plan.roles.push_back(std::move(role));
  }
  return plan;
}

std::span<std::byte> BufferPool::take(std::int64_t num_bytes) {
  const auto size = static_cast<std::size_t>(num_bytes);
  const std::int64_t rounded = (num_bytes + 63) / 64 * 64;
  if (!shared_) return {own_.emplace_back(std::make_unique<std::byte[]>(size)).get(), size};
  used_ += rounded;
  if (used_ > shared_->num_bytes()) throw Error("the test's shared memory is too small");
  return {shared_->data() + used_ - rounded, size};
}

void BufferPool::clear() {
  used_ = 0;
  own_.clear();
}

CaseBuffers::CaseBuffers(const CommunicationCase& test, std::int32_t rank, std::int32_t instance,
                         BufferPool& pool, bool in_place)
    : case_(&test), rank_(rank), instance_(instance), in_place_(in_place) {
  const auto r = static_cast<std::size_t>(rank);
  const auto take = [&](const std::optional<Shape>& shape) {
    return pool.take(shape ? num_bytes(*shape) : 0);
  };
  for (std::size_t p = 0; p < test.communication.parts.size(); ++p) {
    inputs_.push_back(take(test.inputs[r][p]));
    outputs_.push_back(take(test.outputs[r][p]));
  }
}

void CaseBuffers::fill() {
  const bool transfer = case_->communication.kind == plan::CommunicationKind::transfer;
  for (std::size_t p = 0; p < inputs_.size(); ++p) {
    const std::int64_t width = dtype_bytes(case_->communication.parts[p].dtype);
    std::fill(outputs_[p].begin(), outputs_[p].end(), std::byte{0xa5});
    const std::span<std::byte> operands = in_place_ ? outputs_[p] : inputs_[p];
    if (transfer) {
      for_each_tile_element(*case_, p, false, rank_, [&](std::int64_t global, std::int64_t local) {
        encode_global(*case_, instance_, p, global, operands.data() + local * width);
      });
      continue;
    }
    for (std::int64_t i = 0; i * width < static_cast<std::int64_t>(operands.size()); ++i) {
      encode(case_->communication.parts[p].dtype, operand(*case_, instance_, rank_, p, i),
             operands.data() + i * width);
    }
  }
}

runtime::CommunicationBinding CaseBuffers::binding(std::int32_t communication) {
  runtime::CommunicationBinding binding{communication, instance_, {}, {}};
  const auto r = static_cast<std::size_t>(rank_);
  for (std::size_t p = 0; p < inputs_.size(); ++p) {
    const std::span<std::byte> operands = in_place_ ? outputs_[p] : inputs_[p];
    binding.inputs.push_back(case_->inputs[r][p] ? operands.data() : nullptr);
    binding.outputs.push_back(case_->outputs[r][p] ? outputs_[p].data() : nullptr);
  }
  return binding;
}

void CaseBuffers::check() const {
  const bool transfer = case_->communication.kind == plan::CommunicationKind::transfer;
  const GroupPlace group = transfer ? GroupPlace{} : group_of(*case_, rank_);
  for (std::size_t p = 0; p < outputs_.size(); ++p) {
    const DType dtype = case_->communication.parts[p].dtype;
    const std::int64_t width = dtype_bytes(dtype);
    std::byte want[8];
    const auto check_element = [&](std::int64_t i) {
      if (std::memcmp(want, outputs_[p].data() + i * width, static_cast<std::size_t>(width)) == 0)
        return;
      throw Error(fmt::format("'{}' instance {} part {} element {} is wrong",
                              case_->communication.name, instance_, p, i));
    };
    if (transfer) {
      for_each_tile_element(*case_, p, true, rank_, [&](std::int64_t global, std::int64_t local) {
        encode_global(*case_, instance_, p, global, want);
        check_element(local);
      });
      continue;
    }
    for (std::int64_t i = 0; i * width < static_cast<std::int64_t>(outputs_[p].size()); ++i) {
      encode(dtype, expected(*case_, instance_, group, p, i), want);
      check_element(i);
    }
  }
}

}  // namespace rhino
