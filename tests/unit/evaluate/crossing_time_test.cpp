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

}  // namespace rhino::test
