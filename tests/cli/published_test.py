# SPDX-License-Identifier: Apache-2.0
"""Steps that others measured: rows of a table become an experiment, and strategies that only such experiments use run for real."""
import shutil
import subprocess
import sys
import unittest

from bench import BenchTest, SOURCE

HEAD = ('model,layers,hidden,heads,vocab,sequence,global_batch,micro_batch,gpus,gpu,dtype,tp,pp,vp,dp,cp,ep,recompute,step_s,'
        'tflops_per_gpu,source\n')
# Models are as small as their names allow; times are made up.
ROWS = {
    'opt-350m,12,64,4,512,32,8,1,16,GH200-96,,4,2,1,2,1,1,,1.5,,eth-easl/sailor some/plan.json (real)': '',
    'gpt-neo-2.7b,12,64,4,512,32,8,1,8,GH200-96,,4,2,1,1,1,1,,2.5,,eth-easl/sailor some/plan.json (real)': '',
    'llama3_405b-4L,1,16384,128,512,64,4,1,8,B200,bf16,1,1,1,1,8,1,,3.5,,MooreThreads/SimuMax@4dcaae5 b200.md': '',
    'llama3.1-70b,2,8192,64,512,64,4,1,16,H100,bf16,4,2,1,1,2,1,,4.5,,NVIDIA/dgxc-benchmarking@85380ff llama3.1/README.md': '',
    'llama3.1-405b,2,16384,128,512,64,4,1,32,H100,bf16,8,2,1,1,2,1,,4.5,,NVIDIA/dgxc-benchmarking@85380ff llama3.1/README.md':
        'more tensor and context parallel members than heads of keys',
    'opt-350m,4,64,4,512,32,8,1,16,RTX-2080+RTX-3090,,4,2,1,2,1,1,,1,,eth-easl/sailor mit.json': 'unlike GPUs, and not told which holds what',
    'llama3.1-8b,2,4096,32,512,64,4,1,8,H100,fp8,1,1,1,4,2,1,,1,,NVIDIA/dgxc-benchmarking@85380ff': 'dtype fp8',
    'llama3.1-8b,2,4096,32,512,64,4,1,8,H100,bf16,1,1,1,8,2,1,,1,,NVIDIA/dgxc-benchmarking@85380ff': 'tp x pp x dp x cp are not its GPUs',
    'llama3.1-8b,2,4096,32,512,64,4,1,8,GB200,bf16,1,1,1,4,2,1,,1,,NVIDIA/dgxc-benchmarking@85380ff': 'no topology of GB200',
    'qwen3,2,4096,32,512,64,4,1,8,H100,bf16,1,1,1,1,1,8,,1,,NVIDIA/dgxc-benchmarking@85380ff': 'neither a GPT nor a Llama of dense layers',
    'gpt-32B,2,64,4,512,64,4,,8,H100,bf16,1,1,1,8,1,1,,,100,NVIDIA/Megatron-LM@d98e8a6': 'no step time',
}

# Context beside tensors, stages and replicas.
CONTEXT = """\
name: context
cases:
  - topology: fast
    model: {llama: {num_layers: 2, hidden: 64, num_heads: 16, num_kv_heads: 4, ffn: 96, vocabulary: 128, sequence: 16}}
    batch: {global: 4, micro_batches: 2}
    device: cpu
matrix:
  search:
"""
CUTS = ['context: 2, tensor: 1', 'context: 4, tensor: 1', 'context: 2, tensor: 2', 'context: 2, tensor: 1, data: 2, zero: 1', 'stage: 2, context: 2, tensor: 1']


class PublishedRows(BenchTest):
    def take(self, *files):
        """A copy of what experiments name by their place in the source."""
        for file in files:
            (self.folder / file).parent.mkdir(exist_ok=True)
            shutil.copy2(SOURCE / file, self.folder / file)

    def test_rows_become_cells_that_are_planned_or_are_left_out_for_a_reason(self):
        self.write('rows.csv', HEAD + '\n'.join(ROWS) + '\n')
        made = subprocess.run([sys.executable, SOURCE / 'tests/benchmarks/published.py', 'rows.csv'], cwd=self.folder, text=True,
                              capture_output=True, check=True)
        reasons = [line.split(': ', 2)[2] for line in made.stderr.splitlines()]
        self.assertEqual(sorted(reasons), sorted(reason for reason in ROWS.values() if reason))
        self.write('rows.yaml', made.stdout)
        self.take('topologies/gh200_eager.yaml', 'topologies/h100_megatron.yaml', 'topologies/b200_megatron.yaml',
                  'strategies/gpt_megatron_deepspeed_uniform.yaml', 'strategies/llama_megatron_context.yaml')
        self.expect(0, 'rows.yaml', '--out', 'run')
        steps = {record['published_step_s']: record for record in self.records()}
        self.assertEqual(sorted(steps), [1.5, 2.5, 3.5, 4.5])
        for step_s, devices in ((1.5, 16), (2.5, 8), (3.5, 8), (4.5, 16)):
            with self.subTest(step_s):
                self.assertEqual((steps[step_s]['status'], steps[step_s]['num_devices']), ('ok', devices))

    def test_a_llama_whose_sequences_are_split_over_context_trains_as_on_one_device(self):
        self.write('topologies/fast.yaml', (self.folder / 'topologies/fast.yaml').read_text().replace('devices_per_host: 2', 'devices_per_host: 4'))
        self.take('strategies/llama_megatron_context.yaml')
        searches = [f'    - {{strategies/llama_megatron_context.yaml: {{{cut}}}}}\n' for cut in CUTS]
        self.write('context.yaml', CONTEXT + ''.join(searches))
        self.expect(0, 'context.yaml', '--out', 'run', timeout=280)
        records = self.records()
        self.assertEqual(len(records), len(searches))
        for record in records:
            with self.subTest(record['label']):
                self.assertEqual((record['status'].split(',')[0], record['check']['num_wrong']), ('ok', 0), record['message'])


if __name__ == '__main__':
    unittest.main()
