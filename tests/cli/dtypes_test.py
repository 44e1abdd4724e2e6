# SPDX-License-Identifier: Apache-2.0
"""Models of 16 bits through the user's door: planned, run on workers, and checked against a single device."""
import unittest

from bench import SOURCE, BenchTest

# Sizes at which a cell is its workers' start; the scale doubles every four updates, so that the check sees it do that.
EXPERIMENT = """\
name: dtypes
cases:
  - topology: fast
    model: {gpt: {preset: 1m, hidden: 16, num_heads: 2, vocabulary: 32, sequence: 8, dtype: DTYPE}}
    optimizer: OPTIMIZER
    batch: {global: 8, micro_batches: 2}
    search:
      - {strategies/cut.yaml: {}}
      - {strategies/cut.yaml: {data: 2}}
      - {strategies/cut.yaml: {data: 2, zero: 2}}
      - {strategies/cut.yaml: {tensor: 2}}
      - {strategies/cut.yaml: {stage: 2}}
measure: {min_warmup_steps: 1, rounds: 1, repetitions: 1, steps: 1}
"""
CUT = """\
name: cut
mesh: {stage: 1, data: 1, tensor: 1}
shard:
  - {match: "*.attn.qkv.weight", dims: {heads: tensor}}
  - {match: "*.mlp.up.weight", dims: {ffn: tensor}}
  - {match: "wte", dims: {vocabulary: tensor}}
"""

# Of gradients that are nearly all rounding, or jump, the check allows what rounding costs a single device.
MODELS = """\
name: models
cases:
  - {topology: fast, model: {moe: {preset: tiny, dtype: bf16}}, batch: {global: 8, micro_batches: 2}, search: {strategies/moe_expert.yaml: {tensor: 2}}}
  - {topology: fast, model: {t5: {preset: tiny, dtype: bf16}}, batch: {global: 8, micro_batches: 2}, search: {strategies/t5_megatron.yaml: {}}}
  - {topology: fast, model: {vgg: {preset: tiny, dtype: bf16}}, batch: {global: 8, micro_batches: 2}, search: {strategies/vgg_hidden.yaml: {}}}
  - {topology: fast, model: {vgg: {preset: tiny, dtype: f16}}, optimizer: {adam: {loss_scale: 128}}, batch: {global: 8, micro_batches: 2}, search: {strategies/vgg_hidden.yaml: {}}}
  - {topology: fast, model: {wide_resnet: {preset: tiny, dtype: f16}}, optimizer: {adam: {loss_scale: 1024}}, batch: {global: 8, micro_batches: 2}, search: {strategies/wide_resnet_bottleneck.yaml: {}}}
  - {topology: fast, model: {bert: {preset: tiny, dtype: f16}}, optimizer: {adam: {loss_scale: 1024}}, batch: {global: 8, micro_batches: 2}, search: {strategies/bert_megatron.yaml: {}}}
measure: {min_warmup_steps: 1, rounds: 1, repetitions: 1, steps: 1}
"""

# Both ends of the pipeline have a term of the gradient of the words' table; the flag goes from end to end and back.
STAGES = """\
name: stages
cases:
  - topology: toy
    model: {gpt: {preset: 1m, num_layers: 4, dtype: bf16}}
    optimizer: {adam: {loss_scale: dynamic}}
    batch: {global: 8, micro_batches: 2}
    backend: simulate
    search: [{strategies/cut.yaml: {stage: 3}}, {strategies/cut.yaml: {stage: 4}}]
"""


class Dtypes(BenchTest):
    def run_cells(self, dtype, optimizer, options='', filters=(), num_cells=5):
        self.write('strategies/cut.yaml', CUT)
        self.write('dtypes.yaml', EXPERIMENT.replace('DTYPE', dtype + options).replace('OPTIMIZER', optimizer))
        result = self.expect(0, 'dtypes.yaml', '--out', dtype, *filters, timeout=280)
        records = self.records(dtype)
        self.assertEqual(len(records), num_cells, result)
        for record in records:
            with self.subTest(dtype, label=record['label']):
                self.assertEqual((record['status'], record['check']['kind'], record['check']['num_wrong']), ('ok', 'numerics', 0), record['message'])
                self.assertLess(record['check']['max_error'], record['check']['tolerance'])
                self.assertEqual(record['independent']['dtype'], dtype)
                self.assertRegex(record['environment']['dots'], 'bf16 .*f16 as f32 and rounded')

    def test_a_step_in_bf16_passes_the_check_however_it_is_cut(self):
        self.run_cells('bf16', 'adam')

    def test_stages_agree_on_an_overflow_without_waiting_for_each_other_in_a_circle(self):
        self.write('strategies/cut.yaml', CUT)
        self.write('stages.yaml', STAGES)
        self.expect(0, 'stages.yaml', '--out', 'stages')
        self.assertEqual([record['status'] for record in self.records('stages')], ['ok', 'ok'])

    def test_parameters_and_gradients_may_be_of_the_models_own_dtype(self):
        self.run_cells('bf16', 'sgd', ', parameters: bf16, gradients: bf16', ('--filter', 'zero=2'), 1)

    def test_a_step_in_f16_passes_the_check_skipped_updates_included(self):
        self.run_cells('f16', '{adam: {loss_scale: dynamic, initial_scale: 1024, growth_interval: 4}}')

    def test_other_models_of_16_bits_pass_the_check_cut_along_tensors(self):
        for name in ('moe_expert', 't5_megatron', 'vgg_hidden', 'wide_resnet_bottleneck', 'bert_megatron'):
            self.write(f'strategies/{name}.yaml', (SOURCE / 'strategies' / f'{name}.yaml').read_text())
        self.write('models.yaml', MODELS)
        self.expect(0, 'models.yaml', '--out', 'models', timeout=280)
        for record in self.records('models'):
            with self.subTest(record['label']):
                self.assertEqual((record['status'], record['check']['num_wrong']), ('ok', 0), record['message'])

    def test_a_scale_under_which_every_step_overflows_is_no_check(self):
        self.write('strategies/cut.yaml', CUT)
        self.write('dtypes.yaml', EXPERIMENT.replace('DTYPE', 'f16').replace('OPTIMIZER', '{adam: {loss_scale: 1e30}}'))
        self.expect(7, 'dtypes.yaml', '--out', 'run', '--filter', 'cut/', out='wrong.*gradients overflow on one device in every checked step')


if __name__ == '__main__':
    unittest.main()
