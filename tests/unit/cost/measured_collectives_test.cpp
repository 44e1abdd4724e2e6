// SPDX-License-Identifier: Apache-2.0
/// Collectives inside hosts, beside what others have measured.
#include <array>
#include <catch2/catch.hpp>
#include <string>
#include <vector>

#include "collective_setup.hpp"
#include "config/topology_file.hpp"
#include "cost/cost.hpp"

using namespace rhino;
using namespace rhino::cost;
using namespace rhino::test;

namespace {

/// Microseconds of 32, 128, 512 and 1024 MiB: of the operand, of all-gather the result.
struct Row {
  std::string topology;
  OpKind kind;
  std::int32_t members;
  std::array<double, 4> microseconds;
};

/// openxla/xla@040b3849 xla/service/gpu/model/collective_interpolator_data.h: medians of single
/// runs on eight devices, all groups at once. Shares of topologies were taken from other sizes.
const std::vector<Row>& rows() {
  static const std::vector<Row> all = {
      {"dgx_h100", OpKind::all_reduce, 2, {187.8, 620.8, 2309.4, 4432.5}},
      {"dgx_h100", OpKind::all_reduce, 4, {218.2, 738.2, 2777.1, 5415.0}},
      {"dgx_h100", OpKind::all_gather, 2, {96.4, 295.4, 1049.4, 1996.6}},
      {"dgx_h100", OpKind::all_gather, 4, {113.3, 350.1, 1268.0, 2473.0}},
      {"dgx_h100", OpKind::all_gather, 8, {129.4, 390.2, 1392.3, 2730.3}},
      {"dgx_h100", OpKind::reduce_scatter, 2, {126.1, 406.3, 1467.6, 2756.3}},
      {"dgx_h100", OpKind::reduce_scatter, 4, {123.6, 404.4, 1489.9, 2892.4}},
      {"dgx_h100", OpKind::reduce_scatter, 8, {133.5, 411.5, 1496.2, 2920.9}},
      {"dgx_h100", OpKind::all_to_all, 2, {105.5, 308.0, 960.6, 1721.2}},
      {"dgx_h100", OpKind::all_to_all, 4, {135.7, 358.0, 1272.3, 2383.6}},
      {"dgx_h100", OpKind::all_to_all, 8, {132.5, 412.6, 1460.5, 2796.5}},
      {"dgx_b200", OpKind::all_reduce, 2, {120.8, 350.2, 1225.7, 2326.7}},
      {"dgx_b200", OpKind::all_reduce, 4, {164.8, 430.9, 1528.8, 2922.5}},
      {"dgx_b200", OpKind::all_reduce, 8, {196.6, 456.6, 1608.7, 3115.0}},
      {"dgx_b200", OpKind::all_gather, 2, {71.6, 193.6, 663.6, 1260.5}},
      {"dgx_b200", OpKind::all_gather, 4, {86.0, 227.3, 774.1, 1478.5}},
      {"dgx_b200", OpKind::all_gather, 8, {84.0, 236.5, 825.4, 1590.3}},
      {"dgx_b200", OpKind::reduce_scatter, 2, {73.7, 198.7, 656.1, 1249.5}},
      {"dgx_b200", OpKind::reduce_scatter, 4, {84.0, 223.5, 750.8, 1400.0}},
      {"dgx_b200", OpKind::reduce_scatter, 8, {92.2, 229.6, 841.1, 1544.4}},
      {"dgx_b200", OpKind::all_to_all, 2, {114.9, 260.4, 848.1, 1324.6}},
      {"dgx_b200", OpKind::all_to_all, 4, {100.5, 260.4, 857.3, 1545.3}},
      {"dgx_b200", OpKind::all_to_all, 8, {113.3, 262.2, 876.7, 1562.6}},
  };
  return all;
}

/// What such a program takes whose groups are single devices.
constexpr double kLaunch_us = 6.2;

}  // namespace

TEST_CASE("collectives inside a host of eight H100 or B200 take what was measured on them") {
  for (const Row& row : rows()) {
    const CostModel cost(config::read_topology(RHINO_TEST_TOPOLOGIES "/" + row.topology + ".yaml"));
    const bool is_h100 = row.topology == "dgx_h100";
    double mebibytes = 32;
    for (const double measured_us : row.microseconds) {
      const double bytes = mebibytes * 1048576,
                   operand = row.kind == OpKind::all_gather ? bytes / row.members : bytes;
      const double us = 1e6 * cost.collective_s(row.kind, operand, first_devices(row.members));
      CAPTURE(row.topology, row.kind, row.members, mebibytes, us, measured_us);
      CHECK(us == Approx(measured_us - kLaunch_us).epsilon(is_h100 ? 0.12 : 0.18));
      mebibytes *= mebibytes < 512 ? 4 : 2;
    }
  }
}
