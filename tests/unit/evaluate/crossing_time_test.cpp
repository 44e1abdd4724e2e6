// SPDX-License-Identifier: Apache-2.0
#include "evaluate/crossing_time.hpp"

#include <catch2/catch.hpp>

#include "ir/builder.hpp"
#include "planning.hpp"

namespace rhino::test {

/// Halves go to two devices each, by links of one second but for one.
TEST_CASE("what crosses may be there as soon as by the link of the least latency, none included") {
  const Shape shape{DType::f32, {64, 64}};
  ir::Builder builder("tensor");
  builder.input(InputKind::parameter, shape, {}, "x");
  const Program& program = builder.program();
  const sharding::OpGraph graph(program);
  const DeviceId from = GENERATE(0, 1), to = GENERATE(2, 3);
  const double least_s = GENERATE(0.0, 0.25);
  CAPTURE(from, to, least_s);
  Cluster cluster = modelled_cluster(4);
  cluster.intra_host.latency_s = 1;
  cluster.own_links = {{false, from, to, {1e11, least_s}}};
  Planning planning(program, cluster);
  evaluate::Tables tables(graph, planning.cost());
  evaluate::CrossingTimes times(tables, planning.context().resharding);
  const Mesh source{{{"rows", 2}}, {0, 1}}, target{{{"rows", 2}}, {2, 3}};
  const auto form = [&](const Mesh& mesh, const DimSharding& rows) {
    return tables.form(shape, {{rows, {}}, {}}, tables.kind_of(mesh), 1);
  };
  const evaluate::CrossingPrice& price =
      times.price({&source, {&target}, {{form(source, {{{0, 64}}}), {form(target, {})}}}});
  CHECK(price.targets.front().latency_s == least_s);
}

/// Of a value that is in no chunk the form says nothing of the mesh that it leaves.
TEST_CASE("what crosses between meshes of other sizes is priced anew") {
  const Shape shape{DType::f32, {64, 64}};
  ir::Builder builder("tensor");
  builder.input(InputKind::parameter, shape, {}, "x");
  const Program& program = builder.program();
  const sharding::OpGraph graph(program);
  Cluster cluster = modelled_cluster(6);
  cluster.hosts = {{"left", {0, 1, 2, 3}}, {"right", {4, 5}}};
  cluster.host_of = {0, 0, 0, 0, 1, 1};
  cluster.inter_host = cluster.intra_host;
  Planning planning(program, cluster);
  evaluate::Tables tables(graph, planning.cost());
  const Mesh wide{{{"rows", 4}}, {0, 1, 2, 3}}, narrow{{{"rows", 1}}, {0}},
      target{{{"rows", 2}}, {4, 5}};
  const evaluate::FormId leaving = tables.form(shape, {{{}, {}}, {}}, tables.kind_of(narrow), 1),
                         arriving = tables.form(shape, {{{}, {}}, {}}, tables.kind_of(target), 1);
  evaluate::CrossingTimes both(tables, planning.context().resharding);
  for (const Mesh* const source : {&wide, &narrow}) {
    const evaluate::Boundary boundary{source, {&target}, {{leaving, {arriving}}}};
    evaluate::CrossingTimes alone(tables, planning.context().resharding);
    const evaluate::CrossingPrice &price = both.price(boundary), &own = alone.price(boundary);
    CHECK(price.targets.front().seconds == own.targets.front().seconds);
    REQUIRE(price.loads.size() == own.loads.size());
    for (const evaluate::CrossingPrice::Load& load : price.loads)
      CHECK(load.rank < (load.mesh == 0 ? source : &target)->devices.size());
  }
}

}  // namespace rhino::test
