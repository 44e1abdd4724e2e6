# SPDX-License-Identifier: Apache-2.0
"""Built-in models beside gpt through the user's door: cut by data, tensor and pipeline, searched, run on workers and checked."""
import json
import unittest

from bench import BenchTest, FAST_TOPOLOGY, SOURCE

FOUR = FAST_TOPOLOGY.replace('name: fast', 'name: four').replace('devices_per_host: 2', 'devices_per_host: 4')
EXPERIMENT = """\
name: models
cases:
  - topology: TOPOLOGY
    model: MODEL
    batch: {global: 8, micro_batches: 2}
    search: [SEARCH]
measure: {min_warmup_steps: 1, rounds: 1, repetitions: 1, steps: 1}
"""


class Models(BenchTest):
    def run_cells(self, model, two, four, searches=('search/rhino', 'search/grid')):
        """Each way of `two` and `four` on as many devices, and what searches find."""
        self.write('topologies/four.yaml', FOUR)
        for topology, ways in (('fast', [*two, *searches]), ('four', [*four, *searches])):
            text = EXPERIMENT.replace('TOPOLOGY', topology).replace('MODEL', model).replace('SEARCH', ', '.join(ways))
            self.write('models.yaml', text)
            result = self.expect(0, 'models.yaml', '--out', topology, timeout=280)
            records = self.records(topology)
            self.assertEqual(len(records), len(ways), result)
            for record in records:
                with self.subTest(model, topology=topology, label=record['label']):
                    self.assertEqual((record['status'], record['check']['kind'], record['check']['num_wrong']), ('ok', 'numerics', 0), record['message'])

    def strategy(self, name):
        path = f'strategies/{name}.yaml'
        self.write(path, (SOURCE / path).read_text())
        return lambda options: f'{{{path}: {{{options}}}}}'

    def test_a_llama_is_trained_however_it_is_cut(self):
        cut = self.strategy('llama_megatron')
        self.run_cells('{llama: {preset: tiny}}', [cut('tensor: 1'), cut('tensor: 2'), cut('tensor: 1, stage: 2')],
                       [cut('tensor: 2'), cut('tensor: 2, stage: 2')])

    def test_a_llama_of_16_bits_is_trained_too(self):
        cut = self.strategy('llama_megatron')
        self.run_cells('{llama: {preset: tiny, dtype: bf16}}', [cut('tensor: 2')], [cut('tensor: 2, stage: 2')])

    def test_a_mixture_of_experts_is_trained_however_it_is_cut(self):
        expert = self.strategy('moe_expert')
        self.run_cells('{moe: {preset: tiny}}', [expert(''), expert('tensor: 2')], [expert('tensor: 2'), expert('stage: 2')],
                       searches=['search/rhino'])

    def test_a_model_of_a_config_json_is_that_of_its_sizes(self):
        config = {'model_type': 'mixtral', 'hidden_size': 32, 'num_attention_heads': 4, 'num_key_value_heads': 2, 'num_hidden_layers': 2, 'intermediate_size': 64,
                  'vocab_size': 64, 'max_position_embeddings': 64, 'num_local_experts': 4, 'num_experts_per_tok': 2, 'router_aux_loss_coef': 0.02}
        self.write('small/config.json', json.dumps(config))
        expert = self.strategy('mixtral_expert')
        self.run_cells('{hf_config: small/config.json, sequence: 32, group: 16}', [expert('')], [expert('tensor: 2, stage: 2')], searches=[])
        self.expect(3, 'models.yaml', '--set', 'model={hf_config: small/config.json, sequenze: 32}', err="hf_config: unknown option 'sequenze'; did you mean 'sequence'")
        self.write('small/config.json', json.dumps({**config, 'num_experts_per_tok': 8}))
        self.expect(3, 'models.yaml', err='models.yaml:4: hf_config: small/config.json: num_experts_per_tok is 8, and mixtral is built with 2, top-2 gating, alone')

    def test_a_bert_is_trained_however_it_is_cut(self):
        cut = self.strategy('bert_megatron')
        self.run_cells('{bert: {preset: tiny}}', [cut('tensor: 1')], [cut('tensor: 2, stage: 2')], searches=[])

    def test_a_t5_is_trained_however_it_is_cut(self):
        # Of four stages the last two have decoder layers: what the encoder made reaches both.
        cut, data = self.strategy('t5_megatron'), self.strategy('data_parallel')
        self.run_cells('{t5: {preset: tiny}}', [data('')], [cut('tensor: 2, stage: 2'), cut('tensor: 1, stage: 4')], searches=[])

    def test_a_u_transformer_is_trained_however_it_is_cut(self):
        cut, data = self.strategy('u_transformer_megatron'), self.strategy('data_parallel')
        self.run_cells('{u_transformer: {preset: tiny}}', [data('')], [cut('tensor: 2, stage: 2')], searches=[])

    def test_a_vgg_is_trained_however_it_is_cut(self):
        cut = self.strategy('vgg_hidden')
        self.run_cells('{vgg: {preset: tiny}}', [cut('tensor: 1')], [cut('tensor: 2, stage: 2')], searches=[])

    def test_a_wide_resnet_is_trained_however_it_is_cut(self):
        # Of four samples that share statistics two lie on each device.
        cut = self.strategy('wide_resnet_bottleneck')
        self.run_cells('{wide_resnet: {preset: tiny, norm_batch: 4}}', [cut('tensor: 1')], [cut('tensor: 2, stage: 2')], searches=[])

    def test_images_are_cut_in_space(self):
        # Halves and quarters of rows, and halves beside two parts of the batch.
        cut = self.strategy('vgg_spatial')
        self.run_cells('{vgg: {preset: tiny, image: 16}}', [cut('space: 2')], [cut('space: 4'), cut('space: 2')], searches=[])

    def test_images_are_cut_in_space_in_every_stage(self):
        cut = self.strategy('wide_resnet_spatial')
        self.run_cells('{wide_resnet: {preset: tiny, image: 32}}', [cut('space: 2')], [cut('space: 2, stage: 2')], searches=[])

    def test_an_mlp_is_trained_however_it_is_cut(self):
        data = self.strategy('data_parallel')
        self.run_cells('{mlp: {inputs: 20, width: 24, classes: 4}}', [data(''), data('zero: 2')], [data('')])


if __name__ == '__main__':
    unittest.main()
