// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cmath>
#include <cstdint>
#include <map>
#include <tuple>
#include <unordered_map>
#include <vector>

#include "cost/cost.hpp"
#include "evaluate/shared_links.hpp"
#include "rhino/strategy.hpp"
#include "sharding/micro_view.hpp"
#include "sharding/op_graph.hpp"
#include "sharding/reshard_path.hpp"

namespace rhino::evaluate {

/// A tensor as it lies on meshes of one kind, index of Tables::form.
using FormId = std::int32_t;

struct Form {
  Shape shape;        ///< of the whole tensor
  ShardingSpec spec;  ///< kMicroAxis included
  std::int32_t kind = 0;
  std::int64_t num_micro_batches = 1;
  sharding::MicroView view;  ///< the same at one micro-batch, with the halos of what an op needs
  double tile_bytes = 0;     ///< of one device, at one micro-batch
  bool is_partial() const { return !view.spec.partial.empty(); }
};

/// Of bools, which are read more quickly than bits.
using Flags = std::vector<std::uint8_t>;

/// What is asked of a form most often.
struct FormFacts {
  std::int32_t kind = 0;
  bool is_partial = false, has_halos = false;
  double count = 1;       ///< of micro-batches
  double tile_bytes = 0;  ///< as of Form
  double memory_bytes = 0;
  double stream_s = 0, least_stream_s = 0;  ///< of Tables::loop_stream_s() for the tile
};

/// A collective by which a tile becomes one of another form.
struct Collective {
  OpKind kind = OpKind::all_reduce;
  std::uint32_t axes = 0;  ///< of the mesh, a bit each
  double bytes = 0;        ///< of a device's operand
  Reduction reduction = Reduction::sum;
  std::int64_t before = 0;   ///< CollectiveAttr::before
  double forward_bytes = 0;  ///< halo_exchange: those that go to the device behind
  /// They may go as one message.
  bool is_like(const Collective& other) const {
    return kind == other.kind && axes == other.axes && reduction == other.reduction &&
           before == other.before;
  }
  void join(const Collective& other) {
    bytes += other.bytes;
    forward_bytes += other.forward_bytes;
  }
  /// The part of `bytes` that goes forward; 0 of all but halos.
  double forward() const { return bytes > 0 ? forward_bytes / bytes : 0; }
};

/// What one device does to turn a tile of one form into that of another.
struct Reshard {
  double kernels_s = 0;
  double num_kernels = 0;               ///< slices, and the like: each of its own, with a latency
  std::vector<Collective> collectives;  ///< one after the other
  /// Bytes of tiles whose parts have to be brought together before a collective sends them, and
  /// apart behind one, where their reader does not do so by itself.
  double gathered_bytes = 0, scattered_bytes = 0;
  /// Of that, behind the last collective: no strides show its result as readers need it.
  double surely_scattered_bytes = 0;
  bool gathers_view = false;  ///< the first collective gathers a tile in another shape
  std::uint32_t views = 0;  ///< a bit for each collective: it sends what is there in another shape
};

/// One op in one way to cut it.
struct OpPrice {
  FormId result = 0;
  std::vector<FormId> needs;  ///< per operand
  double kernel_s = 0;        ///< where it is a kernel of its own, with loops around that
  double own_s = 0;           ///< of that, without loops
  double arithmetic_s = 0;    ///< where a fused loop makes it: its data being in cache
  double least_share = 1;     ///< of these seconds, what the quickest device of the mesh takes
};

/// An op of a strategy.
struct OpPlace {
  ValueId id = kNoValue;
  std::int32_t chunk = 0;
  std::int32_t kind = 0;  ///< of the chunk's mesh
};

/// How an op is run: nothing runs for views, constants and the like; elementwise ops and reductions
/// become parts of fused loops.
enum class OpWork : std::uint8_t { none, loop, kernel };
OpWork work_of(const Program& program, ValueId id);

/// Prices of ops and reshards under one cost model, each worked out once: equal ops, layers and
/// stages share them. They are those of what partition() and lower() make, but for fusion.
class Tables {
 public:
  /// Both must outlive it.
  Tables(const sharding::OpGraph& graph, const cost::CostModel& cost);

  const sharding::OpGraph& graph() const { return graph_; }
  const cost::CostModel& cost() const { return cost_; }
  /// Meshes of one kind have equal axes, device models and links: what holds for one holds for all.
  std::int32_t kind_of(const Mesh& mesh);
  /// That of the devices for which the others of a mesh wait: the slowest at such a program.
  std::int32_t model_of(std::int32_t kind) const {
    return models_[static_cast<std::size_t>(kind)].slowest;
  }
  /// Of its seconds for memory and launches, what each device takes at the least; 1: all are alike.
  double least_share(std::int32_t kind) const {
    return models_[static_cast<std::size_t>(kind)].least_share;
  }

  FormId form(const Shape& shape, const ShardingSpec& spec, std::int32_t kind,
              std::int64_t num_micro_batches, const std::vector<sharding::Halo>& halos = {});
  /// That of a value of the program: what it was asked for last is known at once.
  FormId form_of(ValueId value, const ShardingSpec& spec, std::int32_t kind,
                 std::int64_t num_micro_batches);
  const Form& form(FormId id) const { return forms_[static_cast<std::size_t>(id)]; }
  const FormFacts& facts(FormId id) const { return facts_[static_cast<std::size_t>(id)]; }
  double tile_bytes(FormId id) const { return facts(id).tile_bytes; }
  /// Of its buffer, which ends where another may begin (plan::PlanBuffer).
  double memory_bytes(FormId id) const { return facts(id).memory_bytes; }
  static double memory_bytes(double bytes) { return 64 * std::ceil(bytes / 64); }
  /// The same without partial sums.
  FormId resolved(FormId id);
  /// The same without halos: what rests is a tile alone. One of OpPrice::needs is known.
  FormId tile(FormId id);

  /// Of the tile that a device holds, at one micro-batch.
  std::vector<std::int64_t> local_dims(FormId id) const;

  /// Valid until the next call. Both forms are of one tensor on one kind of mesh.
  const Reshard& reshard(FormId from, FormId to);
  /// An op of `strategy`, where `forms` are those of its result and operands as the strategy says.
  /// The reference stays valid. Throws Error where no sharding of the op yields its result.
  const OpPrice& op(const OpPlace& place, const Strategy& strategy,
                    const std::vector<FormId>& forms);
  /// An op that is cut in a given way; worked out each time.
  OpPrice priced(const OpPlace& place, const sharding::OpSharding& sharding,
                 std::int64_t num_micro_batches);

  /// Seconds in which a fused loop reads and writes so much.
  double loop_stream_s(double bytes, std::int32_t kind) const {
    return cost_.stream_s(bytes * cost_.cluster().software.passes_per_loop, model_of(kind));
  }
  /// For the tile of a form.
  double tile_stream_s(FormId id, std::int32_t kind) const {
    return facts(id).kind == kind ? facts(id).stream_s : loop_stream_s(facts(id).tile_bytes, kind);
  }
  /// No execution of such a loop is quicker, wherever its bytes are.
  double least_loop_stream_s(double bytes, std::int32_t kind) const {
    return cost_.least_stream_s(bytes * cost_.cluster().software.passes_per_loop, model_of(kind));
  }
  /// A collective on meshes of a kind, as all its groups make it at once: of the slowest.
  LinkUse use(const Collective& collective, std::int32_t kind);
  double seconds(const Collective& collective, std::int32_t kind) {
    return use(collective, kind).alone_s();
  }
  /// No simulation of it is quicker; and seconds in which its links are busy, however much else is
  /// sent with it. `at_once`: all groups of the mesh make it at the same time, so that those that
  /// share links wait for each other.
  struct Bound {
    double seconds = 0, busy_s = 0;
  };
  Bound bound(const Collective& collective, std::int32_t kind, bool at_once);
  /// The same of a message as it is sent, with all that it is joined with.
  Bound bound_of_message(const Collective& message, std::int32_t kind, bool at_once);

 private:
  struct Hash {
    template <class T>
    std::size_t operator()(const std::vector<T>& key) const;
  };
  /// Seconds of an op alone (see OpPrice).
  struct WorkPrice {
    double kernel_s = 0, own_s = 0, arithmetic_s = 0, least_share = 1;
  };
  struct Models {
    std::int32_t slowest = 0;
    std::vector<std::int32_t> others = {};
    double least_share = 1;
  };
  /// A way in which all groups along some axes make a collective at once, per byte of the operand.
  struct Manner {
    double latency_s = 0;               ///< whatever the bytes
    double alone_s = 0;                 ///< of a group that has its links for itself
    double adding_s = 0;                ///< before the links are used
    double quickest_s = 0;              ///< of the links that groups share: of the first to end
    std::array<double, 2> last_s = {};  ///< of the last, as of LinkUse
    cost::SizeEffect by_size;

    /// Before its links are used.
    double waited_s(const Collective& collective) const;
    double links_s(bool at_once) const { return at_once ? quickest_s : alone_s; }
  };
  /// All of them, of groups that lie alike, and where these are inside of hosts one of them, by
  /// whose slowdown links take longer (cost/collectives.hpp).
  struct AlikeGroups {
    std::vector<Manner> manners;
    std::vector<DeviceId> inside;
  };
  /// A move of a reshard: axes that go to where they lie in the end, or are made whole.
  struct PathMove {
    sharding::Move::Kind kind{};
    std::uint32_t axes = 0;  ///< a bit each
    bool is_last = false;
  };
  const std::vector<PathMove>& path(const std::vector<std::int64_t>& dims,
                                    const sharding::Layout& from, const sharding::Layout& to,
                                    std::int32_t kind);
  void price_halos(const Form& to, Reshard& price) const;
  Reshard price_reshard(const Form& from, const Form& to);
  Models models_of(const Mesh& mesh) const;
  WorkPrice work_price(ValueId id, const OpPrice& price, std::int32_t kind);
  WorkPrice work_price(ValueId id, const lower::LoweredProgram& lowered, std::int32_t model) const;
  WorkPrice lowered_price(ValueId id, const OpPrice& price, std::int32_t kind) const;
  const std::vector<AlikeGroups>& groups(const Collective& collective, std::int32_t kind);
  using Slowdown = double (&)(OpKind, double, const std::vector<DeviceId>&, const Cluster&);
  double linked_bytes(const AlikeGroups& groups, const Collective& collective,
                      Slowdown slowdown) const;
  static double alone_s(const Manner& manner, const Collective& collective, double linked_bytes);
  LinkUse use(const AlikeGroups& groups, const Collective& collective) const;
  std::vector<AlikeGroups> make_groups(const Collective& collective, std::int32_t kind) const;

  const sharding::OpGraph& graph_;
  const cost::CostModel& cost_;
  std::vector<Mesh> kinds_;     ///< one mesh of each
  std::vector<Models> models_;  ///< of kinds
  std::vector<Form> forms_;
  std::vector<FormFacts> facts_;  ///< of them
  std::unordered_multimap<std::size_t, FormId> form_index_;
  static constexpr std::size_t kNumRecent = 4;
  std::vector<std::array<FormId, kNumRecent>> recent_forms_;  ///< per value, the last one first
  std::unordered_map<std::uint64_t, Reshard> reshards_;
  /// By kind of mesh, dims and layouts, these in units of what all their blocks are made of.
  std::unordered_map<std::vector<std::int64_t>, std::vector<PathMove>, Hash> paths_;
  std::unordered_map<std::vector<std::int32_t>, OpPrice, Hash> ops_;
  std::vector<std::int32_t> key_;  ///< of the op asked for
  /// By class of ops, device model and the dims of a device's tiles.
  std::unordered_map<std::vector<std::int64_t>, WorkPrice, Hash> works_;
  /// By kind, kind of mesh, axes and what goes forward.
  std::map<std::tuple<OpKind, std::int32_t, std::uint32_t, double>, std::vector<AlikeGroups>>
      groups_;
};

}  // namespace rhino::evaluate
