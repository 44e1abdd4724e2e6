// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "cost/collectives.hpp"
#include "cost/dot_tiles.hpp"
#include "cost/links.hpp"
#include "cost/touches.hpp"
#include "lower/lower.hpp"
#include "rhino/cluster.hpp"

namespace rhino::cost {

/// What a calibration run of one machine found, per device (a worker with its share of the cores).
/// Rates are medians.
struct Calibration {
  std::string fingerprint;  ///< of processor, core count, threads per device, library versions
  struct Dot {
    std::int64_t batch = 1, m = 0, n = 0, k = 0;
    double seconds = 0;
    bool operator==(const Dot&) const = default;
  };
  std::vector<Dot> dots;  ///< f32, over a grid of shapes
  /// Of 16 bits: some of the same shapes, and the best rate of any repetition.
  struct NarrowDots {
    std::vector<Dot> dots;
    double peak_flops = 0;
    bool operator==(const NarrowDots&) const = default;
  };
  std::map<DType, NarrowDots> narrow_dots;
  /// Convolutions, and what makes their derivatives, by patch_extents(): so many times longer than
  /// that product, of each dtype that was measured. Others are as these. Empty: as products.
  struct Convolution {
    std::int64_t batch = 1, m = 1, n = 1, k = 1;
    double times = 1;
    bool operator==(const Convolution&) const = default;
  };
  std::map<DType, std::vector<Convolution>> convolutions;
  /// What kernels of attention reach, of attention_dots(); empty: there are none, or not measured.
  struct Attention {
    DType dtype = DType::f32;
    std::int64_t depth = 1;
    double forward_flops_per_s = 0, backward_flops_per_s = 0;
    bool operator==(const Attention&) const = default;
  };
  std::vector<Attention> attentions;
  /// Of f32, some of the same shapes, where the rows of the left operand, or the columns of the
  /// right one, do not lie next to each other as a row-major product has them.
  std::vector<Dot> dots_of_columns, dots_of_rows;
  /// Seconds per element of one op more in a fused loop, cache-resident.
  std::map<OpKind, double> element_s;
  double column_s = 0;  ///< per element of a reduction along columns there
  /// Seconds of one reduction more of a row of so many elements, ascending; empty: those of
  /// element_s.
  struct Fold {
    std::int64_t elements = 0;
    double seconds = 0;
    bool operator==(const Fold&) const = default;
  };
  std::vector<Fold> folds;
  double memory_bytes_per_s = 0;  ///< of a fused loop that streams beyond all caches
  /// Seconds per byte that a fused loop reads, writes where it has not read, or updates (reads and
  /// writes over) when it comes back to it after so many other bytes; ascending, and what lies
  /// farther takes no less.
  struct Reach {
    double reuse_bytes = 0, read_s = 0, write_s = 0, update_s = 0;
    bool operator==(const Reach&) const = default;
  };
  std::vector<Reach> reach;
  /// What the cache that cores share forgets by time, for others fill it: of the memory that is
  /// within it by `reach`, the share that lies as far as all others after so long, ascending,
  /// measured of memory that a loop comes back to after so many bytes. It may be more than 1, where
  /// tables of small pages are forgotten, too. Empty: nothing.
  struct Forgotten {
    double reuse_bytes = 0, after_s = 0, share = 0;
    bool operator==(const Forgotten&) const = default;
  };
  std::vector<Forgotten> forgotten;
  /// Seconds per byte that a dot reads when it comes back to it after so many others, ascending,
  /// were nothing of that hidden behind its arithmetic: cost::far_dot_s() says what is. Of
  /// row-major ones, and of those whose right operand is transposed. Empty: as loops do.
  struct FarRead {
    double reuse_bytes = 0, plain_s = 0, of_rows_s = 0;
    bool operator==(const FarRead&) const = default;
  };
  std::vector<FarRead> far_reads_of_dots;
  double kernel_latency_s = 0;  ///< of one kernel on one element
  double copy_bytes_per_s = 0;  ///< memcpy, large
  Link intra_host;              ///< measured transport between two workers
  Link inter_host;              ///< between workers of two emulated hosts; all zeros: not measured
  double reduce_bytes_per_s = 0;  ///< summing a received buffer into one's own, beside that
  /// Of the rate of `intra_host`, what all-reduces of the workers reach, adding up included: small
  /// ones lie in caches. Collectives of other kinds, where older calibrations did not measure them,
  /// reach the same.
  std::vector<CollectiveShare> collective_shares;
  std::map<OpKind, std::vector<CollectiveShare>> shares_of_kind;
  double peak_flops = 0;  ///< best rate of any repetition of any dot: what MFU and bounds refer to
  double peak_bytes_per_s = 0;       ///< best rate of any streaming repetition
  double peak_link_bytes_per_s = 0;  ///< no message between two workers of a host is quicker
  /// Of the machine per byte and per piece between emulated hosts, all that is done on the way;
  /// zeros: not measured.
  double network_cpu_s_per_byte = 0, network_cpu_s_per_piece = 0;
  /// Of a worker's core, per byte of an operand that it reduces with those of another emulated host
  /// beside what it runs, while links are busy: with what that loses in caches. 0: not measured.
  double network_beside_s_per_byte = 0;
  /// What a few probes took in a session of their own right after it, by which a later look tells
  /// how the machine has changed since; zeros: not measured.
  struct FewProbes {
    double dots_s = 0, streams_s = 0, caches_s = 0;
    bool operator==(const FewProbes&) const = default;
  };
  FewProbes few_probes;
  bool operator==(const Calibration&) const = default;
};

/// Of memory that comes back after so many bytes, and after so long: between those measured, in
/// octaves.
Calibration::Reach reach_at(const Calibration& calibration, double reuse_bytes, double reuse_s = 0);

/// All kernels of a program on one device, issued and executed in order.
struct KernelTimes {
  double run_s = 0;    ///< one after the other, where none has to be waited for
  double issue_s = 0;  ///< of the host
  /// From the first one's issue to the last one's end on a device that had nothing else to do: no
  /// less than either.
  double alone_s = 0;
};

/// Prices kernels, collectives and transfers on a cluster: calibrated where a calibration is given,
/// else by what the device models say that kernels reach (README.md).
class CostModel {
 public:
  explicit CostModel(const Cluster& cluster, const Calibration* calibration = nullptr);

  /// Seconds of one kernel group / of all groups one after the other on a device of model `model`.
  double group_s(const lower::LoweredProgram& lowered, const lower::KernelGroup& group,
                 std::int32_t model = 0) const;
  KernelTimes kernel_times(const lower::LoweredProgram& lowered, std::int32_t model = 0) const;
  /// Of each group; where it is known how long ago it touched its memory, and prices depend on
  /// that; and of all of them.
  std::vector<double> groups_s(const lower::LoweredProgram& lowered, std::int32_t model = 0) const;
  std::vector<double> groups_s(const lower::LoweredProgram& lowered,
                               const std::vector<std::vector<Touch>>& touches,
                               std::int32_t model = 0) const;
  KernelTimes kernel_times(const lower::LoweredProgram& lowered,
                           const std::vector<std::vector<Touch>>& touches,
                           std::int32_t model = 0) const;
  bool knows_reach() const { return calibration_ != nullptr && !calibration_->reach.empty(); }
  /// Of them alone.
  double program_s(const lower::LoweredProgram& lowered, std::int32_t model = 0) const {
    return kernel_times(lowered, model).alone_s;
  }
  double dot_s(DType dtype, std::int64_t batch, std::int64_t m, std::int64_t n, std::int64_t k,
               std::int32_t model = 0) const;
  /// By a calibration: as many times its product as the measured ones near it.
  double convolution_s(DType dtype, const DotExtents& patches, std::int32_t model = 0) const;

  /// What a kernel, or a fused loop, takes however small it is.
  double kernel_latency_s(std::int32_t model = 0) const;
  double loop_latency_s(std::int32_t model = 0) const;
  /// Seconds in which a fused loop reads and writes `bytes` of memory: where nothing is known of
  /// when they were touched last; and at the least, wherever they are.
  double stream_s(double bytes, std::int32_t model = 0) const;
  double least_stream_s(double bytes, std::int32_t model = 0) const;

  /// How a group makes a collective, and how long that takes where nothing else uses its links, but
  /// for so many groups alike that share each link between hosts (see groups_per_interface).
  /// `bytes` is the operand on one device (see CollectiveAttr).
  CollectiveFlow flow(OpKind kind, double bytes, const std::vector<DeviceId>& group) const;
  double collective_s(OpKind kind, double bytes, const std::vector<DeviceId>& group,
                      std::int32_t num_sharing = 1) const;
  /// One message alone on the network.
  double message_s(double bytes, DeviceId from, DeviceId to) const;
  Link link(DeviceId a, DeviceId b) const { return cluster_.link(a, b); }
  const Cluster& cluster() const { return cluster_; }

  /// What of that is adding up, before any link is used; proportional to `bytes`.
  double adding_s(OpKind kind, double bytes, std::size_t size) const;
  /// Seconds that the core of each member works on a collective: all that it adds up and copies
  /// inside its host, and what messages between hosts cost what runs beside them. 0 where a device
  /// has others for that.
  double core_s(const CollectiveProblem& problem) const;
  const Links& links() const { return links_; }

 private:
  double group_s(const lower::LoweredProgram& lowered, const lower::KernelGroup& group,
                 const std::vector<Touch>& touches, std::int32_t model) const;
  KernelTimes times_of(const lower::LoweredProgram& lowered,
                       const std::vector<double>& seconds) const;
  Cluster cluster_;
  Links links_;
  const Calibration* calibration_;
  Calibration::Reach usual_;  ///< of `reach`, where nothing else is known
};

/// The most groups with members on several hosts that any one network interface serves.
std::int32_t groups_per_interface(const std::vector<std::vector<DeviceId>>& groups,
                                  const Cluster& cluster);

/// Replaces the nominal rates of a discovered cluster by measured ones. The peak is the best rate
/// of any measured dot.
void apply(const Calibration& calibration, Cluster& cluster);

}  // namespace rhino::cost
