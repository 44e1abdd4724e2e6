# SPDX-License-Identifier: Apache-2.0
"""Training steps on the cuda device, over the fakes of CUDA's libraries: correct, never timed. Nothing links CUDA."""
import os
import pathlib
import subprocess
import unittest

from bench import BENCH, BenchTest

EXPERIMENT = """\
name: cuda
cases:
  - topology: fast
    device: cuda
    model: {gpt: {preset: 1m, num_layers: 1, hidden: 16, num_heads: 2, vocabulary: 37, sequence: 8}}
    batch: {global: 4, micro_batches: 2}
    search: {strategies/one.yaml: {}}
measure: {min_warmup_steps: 1, rounds: 1, repetitions: 1, steps: 1}
"""
ONE = """\
name: one
mesh: {stage: 1}
"""
FAKES = pathlib.Path(BENCH).parents[1] / 'tests' / 'fake_cuda'


class CudaDevice(BenchTest):
    def setUp(self):
        super().setUp()
        self.write('strategies/one.yaml', ONE)
        self.write('cuda.yaml', EXPERIMENT)
        os.environ.pop('LD_LIBRARY_PATH', None)

    def test_a_training_step_equals_the_single_device(self):
        os.environ.update(LD_LIBRARY_PATH=str(FAKES), FAKE_CUDA_CACHE=str(FAKES / 'kernels'), FAKE_CUDA_ORDER='early')
        result = self.expect(0, 'cuda.yaml', '--out', 'out', timeout=200)
        record = self.records('out')[0]
        self.assertEqual((record['status'], record['check']['kind'], record['check']['num_wrong']), ('ok', 'numerics', 0), result)
        self.assertEqual(record['environment']['device'], 'fake GPU sm_90')
        self.assertIn('ok, fake, check ok', result.out + result.err)  # and no step time
        self.assertLess(record['check']['max_error'], record['check']['tolerance'])

    def test_without_a_driver_the_cell_says_so(self):
        if subprocess.run('ldconfig -p | grep -q libcuda.so.1', shell=True).returncode == 0:
            self.skipTest('there is a driver on this host')
        self.expect(5, 'cuda.yaml', '--out', 'out', timeout=100)
        self.assertIn('the NVIDIA driver is not here: libcuda.so.1', self.records('out')[0]['message'])

    def test_nothing_links_cuda(self):
        for file in ('rhino-bench', 'rhino-worker', 'rhino_runtime_cuda.so'):
            linked = subprocess.run(['ldd', pathlib.Path(BENCH).parent / file], text=True, capture_output=True, check=True).stdout
            self.assertNotRegex(linked, 'libcu|libnv|libnccl', file)


if __name__ == '__main__':
    unittest.main()
