// SPDX-License-Identifier: Apache-2.0
#include "ir/autodiff.hpp"

#include <functional>

#include "gradient_check.hpp"
#include "ir/builder.hpp"
#include "ir/op_info.hpp"
#include "ir/op_traits.hpp"
#include "ir/sampler.hpp"
#include "rhino/error.hpp"

using namespace rhino;
using namespace rhino::ir;
using namespace rhino::testing;

namespace {

using Dims = std::vector<std::int64_t>;

struct Range {
  double low = -2, high = 2;
};

/// A case under test: inputs of random values, and the value whose derivative is checked.
class Case {
 public:
  explicit Case(std::uint64_t seed) : random(seed) {}

  ValueId input(Dims dims, Range range = {}) {
    const Initializer initializer{Initializer::Kind::uniform, range.low, range.high};
    return b.input(InputKind::batch, {DType::f32, std::move(dims)}, initializer, "x");
  }
  ValueId indices(Dims dims, std::int64_t low, std::int64_t high) {
    const Initializer initializer{Initializer::Kind::uniform_integer, static_cast<double>(low),
                                  static_cast<double>(high)};
    return b.input(InputKind::batch, {DType::s32, std::move(dims)}, initializer, "i");
  }
  std::int64_t extent() { return 1 + static_cast<std::int64_t>(random() % 4); }
  Dims dims(std::size_t rank) {
    Dims result;
    for (std::size_t i = 0; i < rank; ++i) result.push_back(extent());
    return result;
  }
  Dims dims() { return dims(random() % 4); }

  /// Checks the gradients of a random weighting of the elements of `value`.
  void check(ValueId value) {
    Dims all;
    for (std::int64_t i = 0; i < std::ssize(b.shape(value).dims); ++i) all.push_back(i);
    const ValueId weights = input(Dims(b.shape(value).dims));
    const ValueId weighted = b.mul(value, b.convert(weights, b.shape(value).dtype));
    b.output(b.reduce(weighted, all, Reduction::sum), OutputKind::loss);
    const GradientCheck check(std::move(b).finish());
    check.by_element(random_inputs(check.step(), random), 40, random);
  }

  Random random;
  Builder b{"case"};
};

constexpr std::uint64_t kNumSeeds = 6;

void for_seeds(const std::function<void(Case&)>& body) {
  for (std::uint64_t seed = 0; seed < kNumSeeds; ++seed) {
    INFO("seed " << seed);
    Case c(seed);
    body(c);
  }
}

}  // namespace

TEST_CASE("the gradient of every op that has one equals differences, on samples of it") {
  for (const OpTraits& row : all_traits()) {
    if ((!row.terms && !row.flat) || !row.sample) continue;
    INFO(row.name);
    std::int64_t num_checked = 0;
    for_seeds([&](Case& c) {
      Sampler sampler(c.b, c.random);
      const ValueId value = row.sample(sampler);
      if (!is_floating(c.b.shape(value).dtype)) return;
      ++num_checked;
      c.check(value);
    });
    CHECK(num_checked > 0);
  }
}

TEST_CASE("the gradient of any convolution equals differences") {
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    INFO("seed " << seed);
    Case c(seed);
    Sampler sampler(c.b, c.random);
    c.check(traits(OpKind::convolution).sample(sampler));
  }
}

TEST_CASE("gradients of functions with a kink or a pole equal differences on both sides of it") {
  const std::tuple<OpKind, Range, Range> kCases[] = {{OpKind::divide, {}, {-2, -0.3}},
                                                     {OpKind::power, {0.2, 2}, {-2, 2}},
                                                     {OpKind::remainder, {5.1, 5.9}, {2.1, 2.4}}};
  for (const auto& [kind, lhs, rhs] : kCases) {
    INFO(op_name(kind));
    for_seeds([&](Case& c) {
      const Dims dims = c.dims();
      const ValueId a = c.input(dims, lhs);
      c.check(c.b.binary(kind, a, c.input(dims, rhs)));
    });
  }
  for_seeds([](Case& c) {
    c.check(c.b.unary(OpKind::log_plus_one, c.input(c.dims(), {-0.5, 2})));
  });
}

TEST_CASE("the gradient of a power is finite at base zero and exponent zero") {
  Builder b("power");
  const Shape shape{DType::f64, {3}};
  const ValueId base = b.input(InputKind::batch, shape, {}, "base");
  const ValueId exponent = b.input(InputKind::batch, shape, {}, "exponent");
  const ValueId power = b.binary(OpKind::power, base, exponent);
  b.output(b.reduce(power, {0}, Reduction::sum), OutputKind::loss);
  Program program = std::move(b).finish();
  for (ValueId gradient : append_gradients(program, program.outputs[0].value, {base, exponent})) {
    program.outputs.push_back({gradient, OutputKind::value});
  }
  const auto results =
      evaluate(program, std::vector<Tensor>{{shape, {0, 0, 2}}, {shape, {2, 1, 0}}});
  CHECK(results[1].elements == std::vector<double>{0, 1, 0});
  CHECK(results[2].elements == std::vector<double>{0, 0, std::log(2.0)});
}

TEST_CASE("gradients of select, clamp and convert equal differences") {
  for_seeds([](Case& c) {
    const Dims dims = c.dims();
    const ValueId a = c.input(dims), d = c.input(dims);
    const ValueId predicate = c.b.compare(Comparison::gt, c.input(dims), c.input(dims));
    c.check(c.b.select(predicate, a, d));
  });
  for_seeds([](Case& c) {
    const Dims dims = c.dims();
    const ValueId low = c.input(dims, {-1.5, 0.5}), x = c.input(dims);
    c.check(c.b.clamp(low, x, c.input(dims, {-0.5, 1.5})));
  });
  for_seeds([](Case& c) {
    const ValueId wide = c.b.convert(c.input(c.dims()), DType::f64);
    c.check(c.b.convert(c.b.mul(wide, wide), DType::f32));
  });
}

TEST_CASE("gradients of ops that move elements equal differences") {
  for_seeds([](Case& c) {
    const Dims dims = c.dims(3);
    const ValueId x = c.input({dims[0], dims[2]});
    c.check(c.b.broadcast_in_dim(x, dims, {0, 2}));
  });
  for_seeds([](Case& c) {
    const Dims dims = c.dims(3);
    c.check(c.b.reshape(c.input(dims), {dims[0] * dims[1], dims[2]}));
  });
  for_seeds([](Case& c) { c.check(c.b.transpose(c.input(c.dims(4)), {2, 0, 3, 1})); });
  for_seeds([](Case& c) { c.check(c.b.reverse(c.input(c.dims(3)), {0, 2})); });
  for_seeds([](Case& c) { c.check(c.b.slice(c.input({7, 4}), {1, 0}, {6, 3}, {3, 2})); });
  for_seeds([](Case& c) {
    const ValueId x = c.input({4, 5}), fill = c.input({});
    c.check(c.b.pad(x, fill, {1, 2}, {0, 1}, {2, 0}));
  });
  for_seeds([](Case& c) {
    const ValueId x = c.input({4, 5}), fill = c.input({});
    c.check(c.b.pad(x, fill, {-1, 2}, {1, -3}, {1, 2}));
  });
  for_seeds([](Case& c) {
    const ValueId x = c.input({2, 1, 3}), y = c.input({2, 4, 3});
    c.check(c.b.concatenate({x, y, x}, 1));
  });
}

TEST_CASE("gradients of slices that tile a value are joined, not padded and added") {
  const auto count = [](const Program& program, OpKind kind) {
    return std::ranges::count(program.ops, kind, &Op::kind);
  };
  const auto gradient_of = [](const std::vector<Dims>& ranges) {
    Builder b("slices");
    const ValueId x = b.input(InputKind::batch, {DType::f32, {6, 2}}, {}, "x");
    ValueId sum = kNoValue;
    for (const Dims& range : ranges) {
      const ValueId slice = b.slice(x, {range[0], 0}, {range[1], 2});
      const ValueId term = b.reduce(b.mul(slice, slice), {0, 1}, Reduction::sum);
      sum = sum == kNoValue ? term : b.add(sum, term);
    }
    b.output(sum, OutputKind::loss);
    return std::move(b).finish();
  };
  Random random(1);
  const GradientCheck tiled(gradient_of({{4, 6}, {0, 1}, {1, 4}}));
  CHECK(count(tiled.step(), OpKind::pad) == 0);
  CHECK(count(tiled.step(), OpKind::concatenate) == 1);
  tiled.by_element(random_inputs(tiled.step(), random), 12, random);
  for (const auto& ranges : std::vector<std::vector<Dims>>{{{0, 3}, {2, 6}}, {{0, 2}, {3, 6}}}) {
    const GradientCheck overlapping(gradient_of(ranges));
    CHECK(count(overlapping.step(), OpKind::pad) == 2);
    overlapping.by_element(random_inputs(overlapping.step(), random), 12, random);
  }
}

TEST_CASE("gradients of reductions equal differences") {
  for (Reduction reduction : {Reduction::sum, Reduction::max, Reduction::min, Reduction::product}) {
    INFO(reduction_name(reduction));
    for (const Dims& dims : std::vector<Dims>{{0}, {1}, {0, 2}, {0, 1, 2}}) {
      for_seeds([&](Case& c) { c.check(c.b.reduce(c.input(c.dims(3)), dims, reduction)); });
    }
  }
}

TEST_CASE("tied elements share the gradient of their maximum; zeros do not break a product") {
  const Shape shape{DType::f64, {4}};
  const auto gradient = [&](Reduction reduction, std::vector<double> elements) {
    Builder b("reduce");
    const ValueId x = b.input(InputKind::batch, shape, {}, "x");
    const ValueId loss = b.reduce(x, {0}, reduction);
    b.output(loss, OutputKind::loss);
    Program program = std::move(b).finish();
    const ValueId result = append_gradients(program, loss, {x})[0];
    program.outputs = {{result, OutputKind::value}};
    return evaluate(program, std::vector<Tensor>{{shape, std::move(elements)}})[0].elements;
  };
  using Elements = std::vector<double>;
  CHECK(gradient(Reduction::max, {1, 3, 3, 2}) == Elements{0, 0.5, 0.5, 0});
  CHECK(gradient(Reduction::product, {2, 0, 3, 5}) == Elements{0, 30, 0, 0});
  CHECK(gradient(Reduction::product, {2, 0, 0, 5}) == Elements{0, 0, 0, 0});
}

TEST_CASE("gradients of dots equal differences, whatever the order of their dims") {
  for_seeds([](Case& c) {
    const Dims e = c.dims(3);
    const ValueId x = c.input({e[0], e[1]});
    c.check(c.b.dot(x, c.input({e[1], e[2]}), {{}, {}, {1}, {0}}));
  });
  // Random dims: two batch, two contracting and two free ones, each operand in an order of its own.
  for_seeds([](Case& c) {
    const Dims e = c.dims(6);
    std::vector<std::size_t> lhs{0, 1, 2, 3, 4}, rhs{0, 1, 2, 3, 5};
    std::ranges::shuffle(lhs, c.random);
    std::ranges::shuffle(rhs, c.random);
    const auto dims = [&](const std::vector<std::size_t>& labels) {
      Dims result;
      for (std::size_t label : labels) result.push_back(e[label]);
      return result;
    };
    const auto positions = [](const std::vector<std::size_t>& labels,
                              const std::vector<std::size_t>& wanted) {
      Dims result;
      for (std::size_t label : wanted) {
        result.push_back(std::ranges::find(labels, label) - labels.begin());
      }
      return result;
    };
    const DotAttr attributes{positions(lhs, {1, 0}), positions(rhs, {1, 0}), positions(lhs, {3, 2}),
                             positions(rhs, {3, 2})};
    const ValueId x = c.input(dims(lhs));
    c.check(c.b.dot(x, c.input(dims(rhs)), attributes));
  });
  for_seeds([](Case& c) {
    const std::int64_t e = c.extent();
    const ValueId x = c.input({2, e, e});
    c.check(c.b.dot(x, x, {{0}, {0}, {1}, {2}}));
  });
}

TEST_CASE("gradients of gather equal differences, also for indices out of range") {
  for_seeds([](Case& c) {
    const ValueId table = c.input({5, 3});
    const GatherAttr rows{{2}, {0}, {0}, {1, 3}, 2};
    c.check(c.b.gather(table, c.indices({2, 4}, -3, 9), rows));
  });
  for_seeds([](Case& c) {
    const ValueId table = c.input({5, 3, 4});
    const GatherAttr windows{{1, 2}, {1}, {2, 0, 1}, {2, 1, 3}, 1};
    c.check(c.b.gather(table, c.indices({6, 3}, -2, 7), windows));
  });
}

TEST_CASE("gradients of dynamic slices equal differences, also where the start is clamped") {
  for_seeds([](Case& c) {
    const ValueId x = c.input({5, 4});
    const std::vector<ValueId> starts{c.indices({}, -2, 6), c.indices({}, -2, 6)};
    c.check(c.b.dynamic_slice(x, starts, {2, 3}));
  });
  for_seeds([](Case& c) {
    const ValueId x = c.input({5, 4}), update = c.input({2, 3});
    const std::vector<ValueId> starts{c.indices({}, -2, 6), c.indices({}, -2, 6)};
    c.check(c.b.dynamic_update_slice(x, update, starts));
  });
}

TEST_CASE("gradients know their phase and the op that they derive from") {
  Builder b("origins");
  const ValueId w = b.input(InputKind::parameter, {DType::f32, {3, 3}}, {}, "w");
  const ValueId unused = b.input(InputKind::parameter, {DType::f32, {3}}, {}, "unused");
  const DotAttr matmul{{}, {}, {1}, {0}};
  const ValueId first = b.dot(w, w, matmul), second = b.dot(first, w, matmul);
  const ValueId loss = b.reduce(second, {0, 1}, Reduction::sum);
  Program program = b.program();
  const ValueId num_forward = program.size();
  const std::vector<ValueId> gradients = append_gradients(program, loss, {w, unused});
  CHECK(gradients[1] == kNoValue);
  const Op& sum = program.op(gradients[0]);
  CHECK(sum.kind == OpKind::add);
  CHECK(sum.origin == w);
  CHECK(gradients[0] == program.size() - 1);
  for (ValueId id = num_forward; id < program.size(); ++id) {
    CAPTURE(id);
    CHECK(program.op(id).phase == Phase::backward);
    const OpKind kind = program.op(id).kind;
    if (kind == OpKind::dot) CHECK(program.op(program.op(id).origin).kind == OpKind::dot);
  }
}

TEST_CASE("gradients of values with names have names") {
  Builder b("named");
  const ValueId x = b.input(InputKind::parameter, {DType::f32, {3}}, {}, "x");
  const ValueId y = b.unary(OpKind::tanh, x), z = b.unary(OpKind::tanh, y);
  b.name(y, "y");
  const ValueId sum = b.add(z, y);
  b.name(sum, "sum");
  const ValueId loss = b.reduce(sum, {0}, Reduction::sum);
  Program program = std::move(b).finish();
  append_gradients(program, loss, {x});
  std::vector<std::string> names;
  for (const Op& op : program.ops)
    if (op.phase == Phase::backward && !op.name.empty()) names.push_back(op.name);
  CHECK(names == std::vector<std::string>{"sum.gradient", "y.gradient"});
}

TEST_CASE("an op without a derivative is refused by name, only where the gradient passes it") {
  Builder b("sorted");
  const ValueId x = b.input(InputKind::parameter, {DType::f32, {3}}, {}, "x");
  Op sort;
  sort.kind = OpKind::sort;
  sort.operands = {x};
  sort.attributes = DimAttr{0};
  sort.name = "order";
  const ValueId sorted = b.add(std::move(sort));
  const ValueId loss = b.reduce(sorted, {0}, Reduction::sum);
  const ValueId other_loss = b.reduce(x, {0}, Reduction::sum);
  Program program = std::move(b).finish();
  const Program before = program;
  CHECK_THROWS_WITH(append_gradients(program, loss, {x}),
                    "program 'sorted': op 1 sort 'order' has no derivative");
  CHECK(program == before);
  CHECK(append_gradients(program, other_loss, {x})[0] != kNoValue);
  CHECK_THROWS_WITH(append_gradients(program, x, {x}), Catch::Contains("f32[3]"));
}
