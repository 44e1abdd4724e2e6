// SPDX-License-Identifier: Apache-2.0
#include <catch2/catch.hpp>
#include <fstream>
#include <iterator>
#include <string>

#include "census.hpp"

using namespace rhino::test;

TEST_CASE("all kernels were compiled by NVRTC as they are now") {
  std::ifstream file(RHINO_TEST_DATA "/cuda/kernels.txt");
  const std::string summary{std::istreambuf_iterator<char>(file), {}};
  const std::string fingerprint = fingerprint_of(take_census());
  INFO(
      "kernels changed since tests/data/cuda/kernels.txt was made; where there is a CUDA toolkit: "
      "build/tests/cuda_kernels/compile_kernels > tests/data/cuda/kernels.txt");
  CHECK(summary.find("fingerprint " + fingerprint) != std::string::npos);
}
