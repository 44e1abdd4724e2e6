# SPDX-License-Identifier: Apache-2.0
"""Training steps on the cuda device, over the fakes of CUDA's libraries: correct, never timed. Nothing links CUDA."""
import os
import pathlib
import re
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
        for name in ('LD_LIBRARY_PATH', 'FAKE_CUDA_FAIL', 'FAKE_CUDNN_CUDA', 'FAKE_NVRTC_LEVEL'):
            os.environ.pop(name, None)

    def test_a_training_step_equals_the_single_device(self):
        os.environ.update(LD_LIBRARY_PATH=str(FAKES), FAKE_CUDA_CACHE=str(FAKES / 'kernels'), FAKE_CUDA_ORDER='early')
        result = self.expect(0, 'cuda.yaml', '--out', 'out', timeout=200)
        record = self.records('out')[0]
        self.assertEqual((record['status'], record['check']['kind'], record['check']['num_wrong']), ('ok', 'numerics', 0), result)
        self.assertEqual(record['environment']['device'], 'fake GPU sm_90')
        self.assertIn('ok, fake, check ok', result.out + result.err)  # and no step time
        self.assertLess(record['check']['max_error'], record['check']['tolerance'])
        # Of the GPU, which holds what was planned, and not of the worker, which is tens of megabytes.
        beyond = record['memory']['measured_peak_bytes'] - record['memory']['predicted_peak_bytes']
        self.assertGreaterEqual(beyond, 0, record['memory'])
        self.assertLess(beyond, 1e6, record['memory'])

    def test_the_record_says_how_convolutions_were_computed(self):
        os.environ.update(LD_LIBRARY_PATH=str(FAKES), FAKE_CUDA_CACHE=str(FAKES / 'kernels'), FAKE_CUDA_ORDER='late', FAKE_NVRTC_LEVEL='1')
        model = '{u_transformer: {preset: tiny, image: 4, channels: 8, norm_groups: 4, levels: 2}}'
        self.write('ways.yaml', re.sub(r'model: .*', f'model: {model}', EXPERIMENT).replace('device: cuda', 'device: [cuda, {cuda: {convolution: simple}}, {cuda: {graphs: on}}]'))
        self.expect(0, 'ways.yaml', '--out', 'ways', timeout=250)
        records = self.records('ways')
        self.assertEqual([(record['status'], record['check']['num_wrong']) for record in records], [('ok', 0)] * 3)
        self.assertEqual([record['environment']['convolutions'] for record in records], ['cuDNN 9.19.0', 'kernels of our own', 'cuDNN 9.19.0'])
        os.environ['FAKE_CUDNN_CUDA'] = '13000'  # of a newer CUDA than the driver
        self.expect(0, 'ways.yaml', '--out', 'newer', '--filter', 'graphs', timeout=250)
        self.assertRegex(self.records('newer')[0]['environment']['convolutions'],
                         r'^kernels of our own: cuDNN 9.19.0 \(.*libcudnn.so.9\) is for CUDA 13, and the driver is for 12$')
        os.environ['FAKE_CUDA_FAIL'] = 'cudnnConvolutionBackwardFilter:1:5000'
        os.environ.pop('FAKE_CUDNN_CUDA')
        self.expect(5, 'ways.yaml', '--out', 'refused', '--filter', 'graphs', timeout=250)
        self.assertRegex(self.records('refused')[0]['message'], r'starting a convolution failed: cuDNN \(.*\) says CUDNN_STATUS_EXECUTION_FAILED \(5000\)')

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
