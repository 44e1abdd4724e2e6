// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tuple>

#include "rhino/cluster.hpp"
#include "rhino/program.hpp"
#include "rhino/sharding.hpp"
#include "rhino/strategy.hpp"
#include "rhino/tile.hpp"

/// The members of the api's structs in the order of files, and how many values the enums have: what
/// codecs know of them (core/codec/members.hpp).
namespace rhino {

constexpr auto members(const Shape*) { return std::tuple(&Shape::dtype, &Shape::dims); }
constexpr auto members(const Link*) {
  return std::tuple(&Link::bytes_per_s, &Link::latency_s, &Link::burst_bytes);
}
constexpr auto members(const Host*) {
  return std::tuple(&Host::name, &Host::devices, &Host::num_interfaces, &Host::leaf, &Host::inside,
                    &Host::interface);
}
constexpr auto members(const OwnLink*) {
  return std::tuple(&OwnLink::between_hosts, &OwnLink::a, &OwnLink::b, &OwnLink::link);
}
constexpr auto members(const AttentionRates*) {
  return std::tuple(&AttentionRates::forward, &AttentionRates::backward,
                    &AttentionRates::exponentials_per_s);
}
constexpr auto members(const DeviceModel*) {
  return std::tuple(&DeviceModel::kind, &DeviceModel::name, &DeviceModel::memory_bytes,
                    &DeviceModel::memory_bytes_per_s, &DeviceModel::kernel_latency_s,
                    &DeviceModel::peak_flops, &DeviceModel::stream_bytes_per_s,
                    &DeviceModel::sustained_flops, &DeviceModel::num_multiprocessors,
                    &DeviceModel::cache_bytes_per_s, &DeviceModel::attention);
}
constexpr auto members(const CollectiveShare*) {
  return std::tuple(&CollectiveShare::bytes, &CollectiveShare::share, &CollectiveShare::members);
}
constexpr auto members(const CollectiveShares*) {
  return std::tuple(&CollectiveShares::any, &CollectiveShares::of_kind);
}
constexpr auto members(const Software*) {
  return std::tuple(&Software::kernel_issue_s, &Software::kernels_per_loop,
                    &Software::passes_per_loop, &Software::attention,
                    &Software::collective_issue_s);
}
constexpr auto members(const EmulatedNetwork*) {
  return std::tuple(&EmulatedNetwork::rate_bits_per_s, &EmulatedNetwork::burst_bytes);
}
constexpr auto members(const Cluster*) {
  return std::tuple(&Cluster::name, &Cluster::source, &Cluster::hosts, &Cluster::host_of,
                    &Cluster::models, &Cluster::model_of, &Cluster::intra_host,
                    &Cluster::inter_host, &Cluster::emulated, &Cluster::uplinks,
                    &Cluster::own_links, &Cluster::collectives, &Cluster::collective_shares,
                    &Cluster::shares_of_model, &Cluster::software);
}
constexpr auto members(const MeshAxis*) { return std::tuple(&MeshAxis::name, &MeshAxis::size); }
constexpr auto members(const Mesh*) { return std::tuple(&Mesh::axes, &Mesh::devices); }
constexpr auto members(const AxisSplit*) {
  return std::tuple(&AxisSplit::axis, &AxisSplit::period);
}
constexpr auto members(const DimSharding*) { return std::tuple(&DimSharding::splits); }
constexpr auto members(const Partial*) { return std::tuple(&Partial::axis, &Partial::reduction); }
constexpr auto members(const ShardingSpec*) {
  return std::tuple(&ShardingSpec::dims, &ShardingSpec::partial);
}
constexpr auto members(const Box*) { return std::tuple(&Box::start, &Box::size); }
constexpr auto members(const ConstantAttr*) { return std::tuple(&ConstantAttr::elements); }
constexpr auto members(const DimAttr*) { return std::tuple(&DimAttr::dim); }
constexpr auto members(const DimsAttr*) { return std::tuple(&DimsAttr::dims); }
constexpr auto members(const CompareAttr*) { return std::tuple(&CompareAttr::comparison); }
constexpr auto members(const ReduceAttr*) {
  return std::tuple(&ReduceAttr::dims, &ReduceAttr::reduction);
}
constexpr auto members(const DotAttr*) {
  return std::tuple(&DotAttr::lhs_batch, &DotAttr::rhs_batch, &DotAttr::lhs_contracting,
                    &DotAttr::rhs_contracting);
}
constexpr auto members(const SliceAttr*) {
  return std::tuple(&SliceAttr::starts, &SliceAttr::limits, &SliceAttr::strides);
}
constexpr auto members(const PadAttr*) {
  return std::tuple(&PadAttr::low, &PadAttr::high, &PadAttr::interior);
}
constexpr auto members(const GatherAttr*) {
  return std::tuple(&GatherAttr::offset_dims, &GatherAttr::collapsed_slice_dims,
                    &GatherAttr::start_index_map, &GatherAttr::slice_sizes,
                    &GatherAttr::index_vector_dim);
}
constexpr auto members(const ScatterAttr*) {
  return std::tuple(&ScatterAttr::update_window_dims, &ScatterAttr::inserted_window_dims,
                    &ScatterAttr::scatter_dims_to_operand_dims, &ScatterAttr::index_vector_dim,
                    &ScatterAttr::reduction);
}
constexpr auto members(const DynamicSliceAttr*) { return std::tuple(&DynamicSliceAttr::sizes); }
constexpr auto members(const ConvolutionAttr*) {
  using C = ConvolutionAttr;
  return std::tuple(&C::input_batch, &C::input_feature, &C::kernel_input, &C::kernel_output,
                    &C::output_batch, &C::output_feature, &C::input_spatial, &C::kernel_spatial,
                    &C::output_spatial, &C::strides, &C::low, &C::high, &C::lhs_dilation,
                    &C::rhs_dilation, &C::feature_groups, &C::batch_groups);
}
constexpr auto members(const WindowAttr*) {
  return std::tuple(&WindowAttr::sizes, &WindowAttr::strides, &WindowAttr::low, &WindowAttr::high,
                    &WindowAttr::reduction);
}
constexpr auto members(const RngAttr*) {
  return std::tuple(&RngAttr::stream, &RngAttr::low, &RngAttr::high);
}
constexpr auto members(const CollectiveAttr*) {
  return std::tuple(&CollectiveAttr::axes, &CollectiveAttr::reduction, &CollectiveAttr::before);
}
constexpr auto members(const Op*) {
  return std::tuple(&Op::kind, &Op::shape, &Op::operands, &Op::attributes, &Op::phase, &Op::origin,
                    &Op::name);
}
constexpr auto members(const Initializer*) {
  return std::tuple(&Initializer::kind, &Initializer::a, &Initializer::b, &Initializer::same_as);
}
constexpr auto members(const Input*) {
  return std::tuple(&Input::value, &Input::kind, &Input::initializer, &Input::state_of,
                    &Input::dim_names);
}
constexpr auto members(const Output*) {
  return std::tuple(&Output::value, &Output::kind, &Output::input);
}
constexpr auto members(const Program*) {
  return std::tuple(&Program::name, &Program::ops, &Program::inputs, &Program::outputs);
}
constexpr auto members(const Chunk*) { return std::tuple(&Chunk::mesh, &Chunk::recompute); }
constexpr auto members(const GradientSums*) {
  return std::tuple(&GradientSums::overlap, &GradientSums::bucket_bytes,
                    &GradientSums::scatter_each);
}
constexpr auto members(const Strategy*) {
  using S = Strategy;
  return std::tuple(&S::name, &S::num_micro_batches, &S::chunks, &S::chunk_of, &S::specs,
                    &S::recompute, &S::gradient_sums);
}

constexpr int num_values(DType) { return 10; }
constexpr int num_values(DeviceKind) { return 4; }
constexpr int num_values(CollectiveLibrary) { return 3; }
constexpr int num_values(OpKind) { return static_cast<int>(OpKind::halo_exchange) + 1; }
constexpr int num_values(Reduction) { return 6; }
constexpr int num_values(Comparison) { return 6; }
constexpr int num_values(Phase) { return 3; }
constexpr int num_values(Initializer::Kind) { return 8; }
constexpr int num_values(InputKind) { return 4; }
constexpr int num_values(OutputKind) { return 4; }

}  // namespace rhino
