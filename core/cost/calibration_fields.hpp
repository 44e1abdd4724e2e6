// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "codec/members.hpp"
#include "cost/cost.hpp"
#include "rhino/members.hpp"

/// What codecs know of a calibration, with the keys of its file.
namespace rhino::cost {

constexpr auto members(const Calibration::Dot*) {
  using D = Calibration::Dot;
  return std::tuple(&D::batch, &D::m, &D::n, &D::k, &D::seconds);
}
constexpr auto members(const Calibration::Convolution*) {
  using V = Calibration::Convolution;
  return std::tuple(&V::batch, &V::m, &V::n, &V::k, &V::times);
}
constexpr auto members(const Calibration::NarrowDots*) {
  using N = Calibration::NarrowDots;
  return std::tuple(&N::dots, &N::peak_flops);
}
constexpr auto members(const Calibration::Reach*) {
  using R = Calibration::Reach;
  return std::tuple(&R::reuse_bytes, &R::read_s, &R::write_s, &R::update_s);
}
constexpr auto members(const Calibration::Forgotten*) {
  using F = Calibration::Forgotten;
  return std::tuple(&F::reuse_bytes, &F::after_s, &F::share);
}
constexpr auto members(const Calibration::FarRead*) {
  using F = Calibration::FarRead;
  return std::tuple(&F::reuse_bytes, &F::plain_s, &F::of_rows_s);
}
constexpr auto members(const Calibration::Fold*) {
  using F = Calibration::Fold;
  return std::tuple(&F::elements, &F::seconds);
}
constexpr auto members(const Calibration::Attention*) {
  using A = Calibration::Attention;
  return std::tuple(&A::dtype, &A::depth, &A::forward_flops_per_s, &A::backward_flops_per_s);
}
constexpr auto members(const Calibration::FewProbes*) {
  using F = Calibration::FewProbes;
  using codec::named;
  return std::tuple(named("dots_s", &F::dots_s), named("streams_s", &F::streams_s),
                    named("caches_s", &F::caches_s));
}
constexpr auto members(const Calibration*) {
  using C = Calibration;
  using codec::named;
  return std::tuple(
      named("fingerprint", &C::fingerprint), named("dots", &C::dots),
      codec::optional("narrow_dots", &C::narrow_dots),
      codec::optional("convolutions", &C::convolutions),
      codec::optional("attentions", &C::attentions), named("element_s", &C::element_s),
      codec::optional("column_s", &C::column_s), codec::optional("folds", &C::folds),
      codec::optional("dots_of_columns", &C::dots_of_columns),
      codec::optional("dots_of_rows", &C::dots_of_rows),
      named("memory_bytes_per_s", &C::memory_bytes_per_s), codec::optional("reach", &C::reach),
      codec::optional("forgotten", &C::forgotten),
      codec::optional("far_reads_of_dots", &C::far_reads_of_dots),
      named("kernel_latency_s", &C::kernel_latency_s),
      named("copy_bytes_per_s", &C::copy_bytes_per_s), named("link", &C::intra_host),
      named("network", &C::inter_host), named("reduce_bytes_per_s", &C::reduce_bytes_per_s),
      codec::optional("collective_shares", &C::collective_shares),
      codec::optional("shares_of_kind", &C::shares_of_kind), named("peak_flops", &C::peak_flops),
      named("peak_bytes_per_s", &C::peak_bytes_per_s),
      named("peak_link_bytes_per_s", &C::peak_link_bytes_per_s),
      codec::optional("network_cpu_s_per_byte", &C::network_cpu_s_per_byte),
      codec::optional("network_cpu_s_per_piece", &C::network_cpu_s_per_piece),
      codec::optional("network_beside_s_per_byte", &C::network_beside_s_per_byte),
      codec::optional("few_probes", &C::few_probes));
}

}  // namespace rhino::cost
