# SPDX-License-Identifier: Apache-2.0
"""Programs in files through the user's door: what is inferred of them, planned, run on workers, checked against a single device."""
import re
import shutil
import unittest

from bench import SOURCE, TOPOLOGY, BenchTest

EXPERIMENT = """\
name: imports
cases:
  - topology: fast
    model: {FORMAT: FILE}
    batch: {micro_batches: MICRO}
    search: SEARCH
measure: {min_warmup_steps: 1, rounds: 1, repetitions: 1, steps: 1}
"""
DECODE = """\
HloModule decode, input_output_alias={ {1}: (1, {}, may-alias) }
ENTRY %main {
  %x = f32[4,8] parameter(0)
  %cache = f32[4,8] parameter(1)
  %w = f32[8,8] parameter(2)
  %y = f32[4,8] dot(%x, %w), lhs_contracting_dims={1}, rhs_contracting_dims={0}
  %next = f32[4,8] add(%cache, %y)
  ROOT %t = (f32[4,8], f32[4,8]) tuple(%y, %next)
}
"""
TWO_DOTS = """\
HloModule two_dots
%sum {
  %a = f32[] parameter(0)
  %b = f32[] parameter(1)
  ROOT %s = f32[] add(%a, %b)
}
ENTRY %main {
  %p0 = f32[16,WIDTH] parameter(0)
  %p1 = f32[WIDTH,HIDDEN] parameter(1)
  %p2 = f32[HIDDEN,WIDTH] parameter(2)
  %u = f32[16,HIDDEN] dot(%p0, %p1), lhs_contracting_dims={1}, rhs_contracting_dims={0}
  %v = f32[16,HIDDEN] tanh(%u)
  %w = f32[16,WIDTH] dot(%v, %p2), lhs_contracting_dims={1}, rhs_contracting_dims={0}
  %x = f32[16,WIDTH] multiply(%w, %w)
  %zero = f32[] constant(0)
  ROOT %loss = f32[] reduce(%x, %zero), dimensions={0,1}, to_apply=%sum
}
"""
STEPS = """\
HloModule steps
%sum {
  %a = f32[] parameter(0)
  %b = f32[] parameter(1)
  ROOT %s = f32[] add(%a, %b)
}
ENTRY %main {
  %x = f32[2,16,8] parameter(0)
  %w = f32[8,8] parameter(1)
  %x0 = f32[1,16,8] slice(%x), slice={[0:1], [0:16], [0:8]}
  %x1 = f32[1,16,8] slice(%x), slice={[1:2], [0:16], [0:8]}
  %f0 = f32[16,8] reshape(%x0)
  %f1 = f32[16,8] reshape(%x1)
  %h0 = f32[16,8] dot(%f0, %w), lhs_contracting_dims={1}, rhs_contracting_dims={0}
  %g0 = f32[16,8] tanh(%h0)
  %s1 = f32[16,8] add(%g0, %f1)
  %h1 = f32[16,8] dot(%s1, %w), lhs_contracting_dims={1}, rhs_contracting_dims={0}
  %g1 = f32[16,8] tanh(%h1)
  %zero = f32[] constant(0)
  ROOT %loss = f32[] reduce(%g1, %zero), dimensions={0,1}, to_apply=%sum
}
"""
DATA = """\
name: data
mesh: {data: 2}
"""


class Imports(BenchTest):
    def setUp(self):
        super().setUp()
        self.write('strategies/data.yaml', DATA)

    def experiment(self, file, searches, micro_batches=1, more=''):
        text = EXPERIMENT.replace('FORMAT', 'stablehlo' if file.endswith('.mlir') else 'hlo')
        text = text.replace('FILE', str(SOURCE / 'tests' / 'data' / 'jax' / file) + more)
        self.write('imports.yaml', text.replace('MICRO', str(micro_batches)).replace('SEARCH', searches))

    def run_checked(self, file, searches, num_cells, micro_batches=1, more='', kind='numerics'):
        self.experiment(file, searches, micro_batches, more)
        result = self.expect(0, 'imports.yaml', '--out', 'out', timeout=280)
        records = self.records('out')
        self.assertEqual(len(records), num_cells, result)
        for record in records:
            with self.subTest(file, label=record['label']):
                self.assertEqual((record['status'], record['check']['kind'], record['check']['num_wrong']), ('ok', kind, 0),
                                 record['message'])
                # A zero error alone may mean that every device computes all.
                flops = record['throughput']
                self.assertLess(flops['hardware_flops'], record['num_devices'] * flops['model_flops'])

    def test_a_step_from_jax_passes_the_check_cut_along_data_tensors_and_stages(self):
        self.run_checked('gpt.hlo.txt',
                         '[strategies/data.yaml, {search/rhino: {}, pin: [{match: "*up*", split: ["1"]}]}, {search/grid: {stage: 2}}]', 3)

    def test_stablehlo_is_run_as_hlo_is(self):
        self.run_checked('mlp.mlir', '[strategies/data.yaml, search/grid]', 2, 2)

    def test_a_loss_per_word_that_counts_trains_in_micro_batches(self):
        self.run_checked('masked.hlo.txt',
                         '[strategies/data.yaml, {search/rhino: {}, pin: [{match: "*up*", split: ["1"]}]}, {search/grid: {stage: 2}}]', 3, 2)
        shutil.rmtree(self.folder / 'out')
        self.run_checked('masked.mlir', '[strategies/data.yaml, {search/grid: {stage: 2}}]', 2, 4, ', repeat_ops: true')

    def test_grid_cuts_dots_that_are_worth_it_whatever_they_are_called(self):
        idle = 'nothing is cut over tensor: its 2 devices all compute the same'
        self.write('topologies/toy.yaml', TOPOLOGY.replace('hosts: 2', 'hosts: 1'))
        for width, is_cut in ((8, False), (1024, True)):
            with self.subTest(width=width):
                self.write('dots.hlo.txt', TWO_DOTS.replace('WIDTH', str(width)).replace('HIDDEN', str(4 * width)))
                self.write('imports.yaml', EXPERIMENT.replace('FORMAT: FILE', 'hlo: dots.hlo.txt, batch: [0]').replace('MICRO', '1')
                           .replace('fast', 'toy').replace('SEARCH', '{search/grid: {tensor: 2}}'))
                text = self.expect(0, 'search', 'imports.yaml').out
                self.assertEqual(idle in text, not is_cut, text)
                for shape, dim in ((f'{width},{4 * width}', 1), (f'{4 * width},{width}', 0)):
                    how = f'dim {dim} over tensor' if is_cut else 'whole'
                    self.assertRegex(text, rf'(?m)^    p. +f32\[{shape}\] +{how}$')

    def test_what_is_not_finite_on_one_device_is_said_to_be_so(self):
        """No loss scale is at fault where there is none."""
        root = '%y = f32[16,8] multiply(%w, %w)\n  %n = f32[16,8] negate(%y)\n  %x = f32[16,8] sqrt(%n)'
        self.write('roots.hlo.txt', TWO_DOTS.replace('WIDTH', '8').replace('HIDDEN', '8').replace('%x = f32[16,8] multiply(%w, %w)', root))
        self.write('imports.yaml', EXPERIMENT.replace('FORMAT: FILE', 'hlo: roots.hlo.txt, batch: [0]').replace('fast', '{local: {devices: 2}}').replace('MICRO', '1').replace('SEARCH', 'strategies/data.yaml'))
        self.expect(7, 'imports.yaml', '--out', 'out', out='wrong: what one device computes is not finite in any checked step, so that nothing could be compared')

    def run_pinned(self, file, pattern, dim=1, others=(), kind='numerics'):
        searches = ', '.join([*others, '{search/rhino: {}, pin: [{match: "%s", split: ["%d"]}]}' % (pattern, dim)])
        self.run_checked(file, f'[{searches}]', 1 + len(others), kind=kind)

    def test_kinds_of_steps_that_the_importer_was_not_made_for_are_cut_along_data_stages_and_parameters(self):
        # Weights that are normalised once they are updated are no update by a gradient: outputs are checked.
        for name, pattern, dim, kind in (('convmixer', '*point*', 3, 'numerics'), ('rwkv', '*up*', 1, 'numerics'),
                                         ('perceiver', '*kv*', 2, 'numerics'), ('topk_autoencoder', '*encode*', 1, 'outputs'),
                                         ('lora', '*down*', 0, 'numerics')):
            self.run_pinned(name + '.hlo.txt', pattern, dim, ('strategies/data.yaml', '{search/grid: {stage: 2}}'), kind)
            shutil.rmtree(self.folder / 'out')

    def test_what_parameters_tell_passes_of_other_stages_and_updates_is_there_for_both(self):
        self.run_checked('decay_scan.hlo.txt', '[strategies/data.yaml, {search/grid: {stage: 2}}]', 2)

    def test_a_depthwise_convolution_is_cut_along_what_follows_it(self):
        self.run_pinned('convnext.hlo.txt', '*block?____up*')

    def test_sixteen_bits_are_cut_along_a_parameter(self):
        self.run_pinned('llama.hlo.txt', '*gate*')

    def test_bits_of_threefry_are_those_of_the_whole_batch_on_devices_that_share_it(self):
        self.run_checked('dropout.mlir', '[strategies/data.yaml, {search/grid: {tensor: 2}}]', 2)

    def test_so_are_bits_of_philox(self):
        self.run_checked('dropout_rbg.hlo.txt', '[strategies/data.yaml, {search/grid: {tensor: 2}}]', 2)

    def test_a_program_that_does_not_train_is_checked_by_its_values_and_states(self):
        self.write('decode.hlo.txt', DECODE)
        self.experiment(str(self.folder / 'decode.hlo.txt'), '[strategies/data.yaml, {search/grid: {tensor: 2}}]', 1, ', batch: [x]')
        self.assertIn('checked: values, states as they are left, no gradients', self.expect(0, 'list', 'values', 'imports.yaml').out)
        self.assertIn('(outputs)', self.expect(0, 'imports.yaml', '--out', 'out', timeout=280).out)
        checks = [(record['check']['kind'], record['check']['num_wrong']) for record in self.records('out')]
        self.assertEqual(checks, [('outputs', 0)] * 2)

    def test_a_batch_may_count_its_samples_along_another_dim(self):
        self.write('steps.hlo.txt', STEPS)
        file, searches = str(self.folder / 'steps.hlo.txt'), '[strategies/data.yaml, {search/grid: {stage: 2}}]'
        self.experiment(file, '{search/grid: {tensor: 2}}', 2, ', batch: [x]')
        self.assertRegex(self.expect(5, 'check', 'imports.yaml').out, 'couples the batch.*`batch_dimension: N`')
        self.experiment(file, searches, 4, ', batch: [x], batch_dimension: 1')
        self.assertRegex(self.expect(0, 'list', 'values', 'imports.yaml').out, r'global batch 16, adam; [^~]*batch +f32\[16,2,8\]')
        self.run_checked(file, searches, 2, 4, ', batch: [x], batch_dimension: 1')

    def test_what_is_inferred_of_a_program_is_listed(self):
        self.experiment('gpt.mlir', 'strategies/data.yaml')
        listed = self.expect(0, 'list', 'values', 'imports.yaml').out
        self.assertIn('global batch 8', listed)
        self.assertRegex(listed, r'batch +s32\[8,16\]')
        self.assertRegex(listed, r'parameter +f32\[64,32\]')
        self.assertRegex(listed, r'optimizer state +f32\[\]')

    def test_what_outputs_are_taken_as_is_listed_with_what_decided(self):
        self.experiment('metrics.mlir', 'strategies/data.yaml')
        listed = self.expect(0, 'list', 'values', 'imports.yaml', out='its own updates; checked: loss, gradients, updates\n').out
        for row in (r'0 +left out   f32\[\] +result\[0\]: has no derivative by what is updated', r'1 +left out   f32\[\] +result\[1\]: is a term of the loss',
                    r'3 +left out   f32\[\] +result\[3\]: is made of no batch', r'4 +left out   f32\[\] +result\[4\]: is made of gradients',
                    r'5 +left out   f32\[\] +result\[5\]: more of what makes it no update needs', r'6 +loss       f32\[\] +result\[6\]: of 8 scalars, see the others',
                    r"8-11 +new state  of input 4-7  result\[8\]\['head'\] .. result\[8\]\['wte'\]: by alias or donation"):
            self.assertRegex(listed, f'(?m)^  {row}$')
        self.assertIn('gradients: of all 4 parameters that are updated', listed)
        self.experiment('metrics.mlir', 'strategies/data.yaml', 1, ', loss: 6')
        self.assertRegex(self.expect(0, 'list', 'values', 'imports.yaml').out, r' 6 +loss +f32\[\] +.*: `loss` says so\n')

    def test_what_cannot_be_is_one_sentence_with_its_place(self):
        self.experiment('mlp.hlo.txt', 'strategies/data.yaml', 5)
        self.assertIn('imports.yaml:4: hlo: a global batch of 32 does not divide into 5 micro-batches',
                      self.expect(3, 'check', 'imports.yaml').err)
        self.experiment('mlp.hlo.txt', 'strategies/data.yaml', 1, ', loss: 77')
        self.assertIn("the program has no output '77'", self.expect(3, 'check', 'imports.yaml').err)
        self.experiment('none.hlo.txt', 'strategies/data.yaml')
        self.assertRegex(self.expect(3, 'check', 'imports.yaml').err, "imports.yaml:4: 'hlo': there is no file '.*none.hlo.txt'")
        self.experiment('mlp.hlo.txt', 'strategies/data.yaml', 1, ', los: 1')
        self.assertIn("unknown key 'los'", self.expect(3, 'check', 'imports.yaml').err)


if __name__ == '__main__':
    unittest.main()
