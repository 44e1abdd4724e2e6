// SPDX-License-Identifier: Apache-2.0
// Sessions of workers on the cuda device, over the fakes: what their controller sees of a start.
#include <sys/stat.h>

#include <catch2/catch.hpp>
#include <fstream>

#include "session_fixture.hpp"
#include "toy_plans.hpp"

namespace rhino {
namespace {

/// x * count, by additions: a kernel of its own for each count.
Program multiple(int count) {
  ir::Builder b("multiple");
  const ValueId x =
      b.input(InputKind::batch, {DType::f32, {toy::kRows, toy::kColumns}}, toy::kUniform, "x");
  ValueId sum = x;
  for (int i = 1; i < count; ++i) sum = b.add(sum, x);
  b.output(sum, OutputKind::value);
  return std::move(b).finish();
}

/// The multiples of x (0) on one device, from 2 * x on.
plan::ExecutionPlan multiples(int num_programs) {
  const Shape shape{DType::f32, {toy::kRows, toy::kColumns}};
  plan::ExecutionPlan plan;
  plan.name = "multiples";
  plan.cluster = toy::cluster(1);
  plan::Role role;
  role.mesh = {{}, {0}};
  role.buffers = {{shape, 0, true}};
  role.inputs = {{0, 0, shape, toy::replicated(2), toy::kUniform, InputKind::batch, -1, 0}};
  for (int i = 0; i < num_programs; ++i) {
    plan.programs.push_back(multiple(i + 2));
    role.buffers.push_back({shape, 0, false});
    role.instructions.push_back(toy::run(i, {0}, {i + 1}));
    role.outputs.push_back({i, i + 1, shape, toy::replicated(2)});
  }
  toy::lay_out(role);
  plan.roles = {role};
  return plan;
}

/// A compiler that takes a second more than the usual one.
std::string slow_compiler(const std::string& folder) {
  const std::string path = folder + "/slow";
  std::ofstream(path) << "#!/bin/sh\nsleep 1\nexec g++ \"$@\"\n";
  ::chmod(path.c_str(), 0755);
  return path;
}

TEST_CASE("kernels that take longer than a start may: each that is compiled is a sign of life") {
  constexpr int kPrograms = 6;
  const RunDir dir;
  runtime::SessionOptions options = quick_options(dir);
  options.device = "cuda";
  options.start_deadline_s = 4;  // less than all of them, more than one
  options.environment = {{"FAKE_CUDA_CACHE", dir.path() + "/kernels"},
                         {"FAKE_NVRTC_CXX", slow_compiler(dir.path())}};
  const Stopwatch watch;
  const auto session = runtime::start_session(multiples(kPrograms), options);
  CHECK(watch.seconds() > options.start_deadline_s);  // else nothing is seen
  session->run_steps(1, false);
  const std::vector<float> x = toy::initial_elements(0, {toy::kRows, toy::kColumns}, options.seed);
  for (const runtime::FetchedTensor& tensor : session->fetch({0, kPrograms - 1})) {
    const double count = tensor.output + 2;
    for (std::size_t i = 0; i < x.size(); ++i)
      CHECK(tensor.elements[i] == Approx(count * static_cast<double>(x[i])).epsilon(1e-5));
  }
}

}  // namespace
}  // namespace rhino
