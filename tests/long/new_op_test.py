# SPDX-License-Identifier: Apache-2.0
"""core/ir/README.md, kept true: an elementwise op is added to a copy of the tree in three files, another op in two; the tests that
know no op by name find both, and find a mistake in either."""
import pathlib
import re
import shutil
import subprocess
import tempfile
import unittest

from settings import setting

SOURCE = pathlib.Path(setting('RHINO_SOURCE'))
TESTS = ('tests/unit/ir/ir_test', 'tests/unit/runtime/device_test', 'tests/unit/sharding/sharding_test')

# file -> [(text that is there once, text that goes before it)]
TANGENT = {
    'core/api/rhino/program.hpp': [('  sine,\n', '  tan,\n')],
    'core/ir/ops/function.cpp': [('    unary<OpKind::erf, kFloating>(', '''\
    ranging(-1.3, 1.3,
            unary<OpKind::tan, kFloating>(
                "tan", each<[](D x) { return std::tan(x); }>,
                unary_term<[](U u) { return u.b.mul(u.g, u.b.shift(square(u.b, u.y), 1)); }>)),
''')],
    'core/runtime/device/cpu/block_floating.hpp': [
        ('inline constexpr struct Erf {\n', 'inline constexpr auto kTan = [](auto a) { return std::tan(a); };\n'),
        ('    case OpKind::erf:', '    case OpKind::tan: return unary<kTan, T, T>(single);\n')],
}
CUMULATIVE_SUM = {
    'core/api/rhino/program.hpp': [('  // collectives over mesh axes\n', '  cumulative_sum,\n')],
    'core/ir/ops/sort.cpp': [('constexpr OpTraits kSortRows[] = {\n', '''\
Shape cumulative_sum(const Site& site) {
  site.require_operands(1);
  site.require_dims({site.attributes<DimAttr>().dim}, site.rank(0), "attributes");
  return site.operand(0);
}

Tensor cumulative_sum(const Op& op, const Operands& operands) {
  Tensor result = *operands[0];
  const std::size_t dim = at(op.attributes.get<DimAttr>().dim);
  const std::int64_t step = row_major_strides(op.shape.dims)[dim];
  for (std::int64_t i = 0; i < num_elements(op.shape); ++i) {
    const bool first = i / step % op.shape.dims[dim] == 0;
    double& total = result.elements[at(i)];
    const double before = first ? 0 : result.elements[at(i - step)];
    total = combine(Reduction::sum, op.shape.dtype, total, before);
  }
  return result;
}

Terms cumulative_sum_terms(const Pullback& p) {
  const Dims dims{p.op.attributes.get<DimAttr>().dim};
  Op back{.kind = p.op.kind,
          .operands = {p.builder.reverse(p.gradient, dims)},
          .attributes = p.op.attributes};
  return {p.builder.reverse(p.builder.add(std::move(back)), dims)};
}

void write_dim(const Op& op, hlo::AttributeWriter& writer) {
  writer.print_dims("dimensions", {op.attributes.get<DimAttr>().dim});
}

Attributes read_dim(const hlo::Instruction& instruction, const hlo::AttributeReader&) {
  return DimAttr{hlo::read_only_dim(instruction.attribute("dimensions"))};
}

ValueId sample_cumulative_sum(Sampler& s) {
  const Dims dims = s.dims(3);
  return s.builder.add(Op{.kind = OpKind::cumulative_sum,
                          .operands = {s.input(dims)},
                          .attributes = DimAttr{s.draw(std::ssize(dims))}});
}

'''), ('    {.kind = OpKind::sort', '''\
    {.kind = OpKind::cumulative_sum,
     .name = "cumulative-sum",
     .op_class = OpClass::indexing,
     .arity = 1,
     .infer = cumulative_sum,
     .evaluate = cumulative_sum,
     .terms = cumulative_sum_terms,
     .write = write_dim,
     .read = read_dim,
     .sample = sample_cumulative_sum},
'''), ('#include "ir/hlo_attributes.hpp"\n', '#include "ir/derivative.hpp"\n')],
}


class NewOp(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(cls.folder.cleanup)
        cls.tree = pathlib.Path(cls.folder.name) / 'tree'
        shutil.copytree(SOURCE, cls.tree, symlinks=True, ignore=cls.not_source)
        for op in (TANGENT, CUMULATIVE_SUM):
            for name, insertions in op.items():
                for before, text in insertions:
                    cls.edit(name, before, text + before)
        cls.build = cls.tree / 'build'
        cls.run_here('meson', 'setup', cls.build, cls.tree, '-Doptimization=0', '-Ddebug=false')
        cls.make()

    @staticmethod
    def not_source(folder, names):
        return [name for name in names if name == '.git' or (pathlib.Path(folder) / name / 'build.ninja').exists()]

    @classmethod
    def edit(cls, name, old, new):
        path = cls.tree / name
        text = path.read_text()
        assert text.count(old) == 1, f'{name} holds {text.count(old)} times {old!r}'
        path.write_text(text.replace(old, new))

    @staticmethod
    def run_here(*arguments):
        done = subprocess.run([*map(str, arguments)], text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        assert done.returncode == 0, done.stdout[-4000:]

    @classmethod
    def make(cls):
        cls.run_here('ninja', '-C', cls.build, *TESTS)

    def test_they_touch_few_files(self):
        self.assertLessEqual(len(TANGENT), 3)
        self.assertLessEqual(len(CUMULATIVE_SUM), 6)

    def test_1_all_tests_pass(self):
        for test in TESTS:
            self.run_here(self.build / test)

    def fails_where(self, test, name, old, new):
        """Of `test`, once `old` is `new`: the ops that its failures name."""
        self.edit(name, old, new)
        self.make()
        done = subprocess.run([self.build / test], text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        self.edit(name, new, old)
        self.assertNotEqual(done.returncode, 0)
        return set(re.findall(r'^  (tan|cumulative-sum)\b', done.stdout, re.MULTILINE))

    def test_2_a_wrong_kernel_is_found(self):
        found = self.fails_where('tests/unit/runtime/device_test', 'core/runtime/device/cpu/block_floating.hpp', 'std::tan(a)', 'std::tan(a) + 1')
        self.assertEqual(found, {'tan'})

    def test_3_a_wrong_derivative_is_found(self):
        found = self.fails_where('tests/unit/ir/ir_test', 'core/ir/ops/function.cpp', 'square(u.b, u.y), 1)', 'square(u.b, u.y), 2)')
        self.assertEqual(found, {'tan'})
        found = self.fails_where('tests/unit/ir/ir_test', 'core/ir/ops/sort.cpp', 'return {p.builder.reverse(p.builder.add(std::move(back)), dims)};',
                                 'return {p.builder.add(std::move(back))};')
        self.assertEqual(found, {'cumulative-sum'})

    def test_4_a_missing_row_is_found(self):
        self.edit('core/api/rhino/program.hpp', '  tan,\n', '  tan,\n  arc_tangent,\n')
        self.make()
        done = subprocess.run([self.build / 'tests/unit/ir/ir_test'], text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        self.assertIn('has no row of its own', done.stdout)


if __name__ == '__main__':
    unittest.main()
