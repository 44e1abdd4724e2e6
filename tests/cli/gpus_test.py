# SPDX-License-Identifier: Apache-2.0
"""What is found out about GPUs, over the fakes of the driver and of NVML."""
import os
import pathlib
import unittest

from bench import BENCH, BenchTest

EXPERIMENT = """\
name: cuda
cases:
  - topology: {local: {devices: 1}}
    device: cuda
    model: {gpt: {preset: 1m, num_layers: 1, hidden: 16, num_heads: 2, vocabulary: 37, sequence: 8}}
    batch: {global: 4, micro_batches: 2}
    search: {strategies/one.yaml: {}}
measure: {min_warmup_steps: 1, rounds: 1, repetitions: 1, steps: 1}
"""
FAKES = pathlib.Path(BENCH).parents[1] / 'tests' / 'fake_cuda'
NO_DRIVER = 'the NVIDIA driver is not here: libcuda.so.1: '


class Gpus(BenchTest):
    def setUp(self):
        super().setUp()
        self.write('strategies/one.yaml', 'name: one\nmesh: {stage: 1}\n')
        self.write('cuda.yaml', EXPERIMENT)
        before = dict(os.environ)
        self.addCleanup(lambda: (os.environ.clear(), os.environ.update(before)))
        os.environ.pop('LD_LIBRARY_PATH', None)

    def fakes(self, **settings):
        for name in [name for name in os.environ if name.startswith('FAKE_')]:
            del os.environ[name]
        os.environ.update(LD_LIBRARY_PATH=str(FAKES), FAKE_CUDA_CACHE=str(FAKES / 'kernels'), FAKE_CUDA_ORDER='early', **settings)

    def devices(self, **settings):
        self.fakes(**settings)
        return [line for line in self.expect(0, 'list', 'devices').out.splitlines() if line.startswith('cuda')]

    def has_driver(self):
        return os.system('ldconfig -p | grep -q libcuda.so.1') == 0

    def test_devices_and_links_are_listed(self):
        lines = self.devices(FAKE_CUDA_DEVICES='2', FAKE_CUDA_MEMORY='80000000000')
        self.assertEqual(lines, [f'cuda {i}: fake GPU sm_90, sm_90, 4 multiprocessors, 80 GB, 18 NVLinks of version 4 to switches, PCIe 5 x16' for i in (0, 1)])
        lines = self.devices(FAKE_NVML_LINKED='all', FAKE_NVML_NVLINKS='6', FAKE_NVML_NVLINK_VERSION='2')
        self.assertEqual(len(lines), 4)
        self.assertIn('2 NVLinks of version 2 to GPU 0, 2 NVLinks of version 2 to GPU 1, 2 NVLinks of version 2 to GPU 2, PCIe', lines[3])
        lines = self.devices(FAKE_NVML_LINKED='none', FAKE_NVML_PCIE='4', FAKE_NVML_PCIE_LANES='8')
        self.assertTrue(lines[0].endswith('GB, PCIe 4 x8'), lines)

    def test_what_is_missing_is_said_in_a_sentence(self):
        self.assertEqual(self.devices(FAKE_CUDA_DRIVER_VERSION='11080'), ['cuda: none: the NVIDIA driver is too old: it is for CUDA 11.8, and 12.0 is needed'])
        self.assertEqual(self.devices(FAKE_CUDA_DEVICES='0'), ['cuda: none: the NVIDIA driver finds no GPU on this host'])
        lines = self.devices(FAKE_CUDA_DEVICES='1', FAKE_CUDA_FAIL='nvmlInit_v2:1:9')
        self.assertEqual(lines[1:], ['cuda: links and clocks are not known: starting NVML failed: fake: an error (code 9)'])
        self.assertTrue(lines[0].endswith('4.29 GB'), lines)
        for entry in ('nvmlDeviceGetNvLinkState', 'nvmlDeviceGetMaxPcieLinkWidth', 'nvmlDeviceGetMaxClockInfo', 'nvmlSystemGetDriverVersion', 'nvmlDeviceGetNvLinkVersion'):
            self.assertEqual(len(self.devices(FAKE_CUDA_DEVICES='1', FAKE_CUDA_FAIL=f'{entry}:1:3')), 1, entry)  # one thing less is known

    def test_local_cells_of_the_cuda_device_run_on_the_gpus_found(self):
        self.fakes(FAKE_CUDA_DEVICES='1')
        self.expect(0, 'cuda.yaml', '--out', 'out', timeout=200)
        record = self.records('out')[0]
        self.assertEqual((record['status'], record['check']['num_wrong'], record['environment']['device']), ('ok', 0, 'fake GPU sm_90'))

    def test_local_cells_need_a_gpu_to_run_and_none_to_be_planned(self):
        if self.has_driver():
            self.skipTest('there is a driver on this host')
        self.expect(0, 'check', 'cuda.yaml')
        self.expect(5, 'cuda.yaml', '--out', 'out')
        self.assertIn(NO_DRIVER, self.records('out')[0]['message'])

    def test_memory_of_the_gpu_is_what_plans_fit_into(self):
        self.fakes(FAKE_CUDA_DEVICES='1', FAKE_CUDA_MEMORY='16384')
        self.expect(5, 'check', 'cuda.yaml', out='infeasible: needs')


if __name__ == '__main__':
    unittest.main()
