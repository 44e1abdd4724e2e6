// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <catch2/catch.hpp>

#include "evaluate/tables.hpp"
#include "ir/builder.hpp"
#include "planning.hpp"

namespace rhino::test {

TEST_CASE("tables price each direction of a halo, whatever the other's width") {
  constexpr std::int64_t kRows = 64, kColumns = 1 << 20;
  const Shape shape{DType::f32, {kRows, kColumns}};
  ir::Builder builder("image");
  builder.input(InputKind::parameter, shape, {}, "x");
  const sharding::OpGraph graph(builder.program());
  for (const std::int32_t num_devices : {2, 4}) {
    const cost::CostModel cost(modelled_cluster(num_devices));
    evaluate::Tables tables(graph, cost);
    Mesh mesh{{{"rows", num_devices}}, {}};
    for (DeviceId device = 0; device < num_devices; ++device) mesh.devices.push_back(device);
    const std::int32_t kind = tables.kind_of(mesh);
    const ShardingSpec cut{{DimSharding{{{0, kRows}}}, {}}, {}};
    const evaluate::FormId tile = tables.form(shape, cut, kind, 1);
    for (const auto& [before, behind] :
         {std::pair{1, 1}, std::pair{2, 1}, std::pair{0, 3}, std::pair{3, 0}, std::pair{1, 4}}) {
      const evaluate::FormId held =
          tables.form(shape, cut, kind, 1, {{0, 0, before, behind, Reduction::sum}});
      const std::vector<evaluate::Collective> collectives = tables.reshard(tile, held).collectives;
      REQUIRE(collectives.size() == 1);
      // 100 GB/s each way out of a device; those in the middle send to both sides.
      const int rows = num_devices == 2 ? std::max(before, behind) : before + behind;
      CAPTURE(num_devices, before, behind);
      const double seconds = 1e-6 + rows * 4.0 * kColumns / 1e11;
      CHECK(tables.use(collectives.front(), kind).alone_s() == Approx(seconds));
      CHECK(tables.bound(collectives.front(), kind, true).seconds == Approx(seconds));
    }
  }
}

}  // namespace rhino::test
