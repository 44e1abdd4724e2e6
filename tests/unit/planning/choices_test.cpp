// SPDX-License-Identifier: Apache-2.0
#include "planning/choices.hpp"

#include <catch2/catch.hpp>
#include <string>
#include <vector>

#include "rhino/error.hpp"

namespace rhino::test {
namespace {

/// What is said where a backend is refused.
std::string refused(const config::CellSpec& cell, const std::vector<DeviceModel>& models) {
  Cluster cluster{.name = "mixed"};
  cluster.models = models;
  try {
    planning::check_backend(cell, cluster);
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

}  // namespace

TEST_CASE("workers are refused where devices of any class are modelled") {
  config::CellSpec cell;
  cell.topology.place = "x.yaml:3";
  const DeviceModel core{.kind = DeviceKind::cpu, .name = "core"};
  const DeviceModel stand_in{.kind = DeviceKind::emulated, .name = "stand-in"};
  const DeviceModel b200{.kind = DeviceKind::modelled, .name = "B200"};
  CHECK(refused(cell, {core, stand_in}).empty());
  CHECK(refused(cell, {b200}) ==
        "x.yaml:3: the devices of topology 'mixed' are modelled, and backend ucx runs real ones: "
        "`backend: simulate`");
  const std::string sentence =
      "x.yaml:3: the devices 'B200' of topology 'mixed' are modelled, and backend ucx runs real "
      "ones: `backend: simulate`";
  CHECK(refused(cell, {core, b200}) == sentence);
  CHECK(refused(cell, {b200, core}) == sentence);
  cell.backend = "simulate";
  CHECK(refused(cell, {core, b200}).empty());
}

}  // namespace rhino::test
