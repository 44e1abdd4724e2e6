# SPDX-License-Identifier: Apache-2.0
"""What is found out about GPUs, over the fakes of the driver and of NVML."""
import json
import os
import pathlib
import re
import subprocess
import unittest

from bench import BENCH, SOURCE, BenchTest

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
        gpu, = record['rounds'][0]['gpus']
        self.assertEqual((gpu['most_clock_hz'], gpu['power_cap_w'], gpu['hot'], gpu['slowed']), (1.98e9, 700, 0, 0))
        self.assertAlmostEqual(gpu['mean_power_w'], 400)
        self.assertGreaterEqual(gpu['num_states'], 2)

    def test_products_rounded_to_tf32_are_checked_as_such_and_said(self):
        self.fakes(FAKE_CUDA_DEVICES='1')
        mlp = EXPERIMENT.replace('{gpt: {preset: 1m, num_layers: 1, hidden: 16, num_heads: 2, vocabulary: 37, sequence: 8}}', '{mlp: {inputs: 24, width: 32, depth: 2, classes: 5}}')
        for name, experiment in ('gpt', EXPERIMENT), ('mlp', mlp):
            self.write(f'{name}.yaml', experiment.replace('device: cuda', 'device: {cuda: {tf32: true}}'))
            self.expect(0, f'{name}.yaml', '--out', name, timeout=200)
            record, = self.records(name)
            self.assertEqual((record['status'], record['check']['num_wrong'], record['check']['tolerance']), ('ok', 0, 2 ** -8), record['message'])
            self.assertEqual(record['environment']['dots'], 'f32, factors rounded to tf32, and f64 by cuBLASLt')
            self.assertGreater(record['check']['max_error'], 1e-5)

    def test_which_way_dots_go_is_said_and_what_needs_the_library_fails_without(self):
        self.fakes(FAKE_CUDA_DEVICES='1', FAKE_CUDA_FAIL='cublasLtCreate:1:3')
        self.expect(0, 'cuda.yaml', '--out', 'out', timeout=200)
        self.assertRegex(self.records('out')[0]['environment']['dots'], '^f32 and f64 by kernels of our own: starting cuBLASLt failed: .* says 3$')
        for mode, said in ('tf32: true', '`tf32: true`'), ('dot: timed', '`dot: timed`'):
            self.write('asked.yaml', EXPERIMENT.replace('device: cuda', f'device: {{cuda: {{{mode}}}}}'))
            self.expect(5, 'asked.yaml', '--out', said, timeout=200)
            record, = self.records(said)
            self.assertEqual(record['status'], 'failed')
            self.assertRegex(record['message'], f'{said} needs cuBLASLt: starting cuBLASLt failed: .* says 3')

    def test_the_calibration_of_fakes_says_so_and_is_kept_nowhere(self):
        self.fakes(FAKE_CUDA_DEVICES='2')
        self.cache = self.folder / 'cache'
        self.write('two.yaml', EXPERIMENT.replace('devices: 1', 'devices: 2').replace('device: cuda', 'device: cuda\n    backend: nccl').replace('one.yaml', 'two.yaml'))
        self.write('strategies/two.yaml', 'name: two\nmesh: {stage: 2}\n')
        self.expect(0, 'two.yaml', '--out', 'out', timeout=250)
        record, = self.records('out')
        self.assertEqual(record['status'], 'ok', record['message'])
        self.assertRegex(record['prediction']['calibration'], '^fake [0-9a-f]+$')
        kept = [path for folder in ('cache', 'out') for path in (self.folder / folder).rglob('*') if 'calibration' in path.name and path.is_file()]
        self.assertEqual(kept, [])
        # What is predicted is what a topology that says the same predicts: data sheets, not how fast a fake is.
        self.assertGreater(record['prediction']['step_s'], 0)
        self.assertLess(record['prediction']['step_s'], 1e-2)

    def test_a_throttled_round_is_a_disturbed_one(self):
        self.fakes(FAKE_CUDA_DEVICES='1', FAKE_NVML_THROTTLE='64', FAKE_NVML_MHZ='900', FAKE_NVML_CELSIUS='93')  # 0x40: heat
        self.expect(0, 'cuda.yaml', '--out', 'out', timeout=200)
        round, = self.records('out')[0]['rounds']
        self.assertTrue(round['disturbed'])
        self.assertEqual((round['gpus'][0]['most_clock_hz'], round['gpus'][0]['most_celsius']), (9e8, 93))
        self.assertAlmostEqual(round['gpus'][0]['hot'], 1)

    def test_local_cells_need_a_gpu_to_run_and_none_to_be_planned(self):
        if self.has_driver():
            self.skipTest('there is a driver on this host')
        self.expect(0, 'check', 'cuda.yaml')
        self.expect(5, 'cuda.yaml', '--out', 'out')
        self.assertIn(NO_DRIVER, self.records('out')[0]['message'])

    def test_memory_of_the_gpu_is_what_plans_fit_into(self):
        self.fakes(FAKE_CUDA_DEVICES='1', FAKE_CUDA_MEMORY='16384')
        self.expect(5, 'check', 'cuda.yaml', out='infeasible: needs')

    def test_memory_that_runs_out_is_that_wherever_it_does(self):
        for entry in ('cuLibraryLoadData', 'cuMemAlloc_v2', 'cuGraphInstantiateWithFlags', 'cuStreamCreate'):
            self.fakes(FAKE_CUDA_DEVICES='1', FAKE_CUDA_FAIL=f'{entry}:1:2')
            self.write('graphs.yaml', EXPERIMENT.replace('device: cuda', 'device: {cuda: {graphs: on}}'))
            self.expect(5, 'graphs.yaml', '--out', entry, timeout=200)
            record, = self.records(entry)
            self.assertEqual(record['status'], 'oom', (entry, record['message']))

    def test_experiments_take_the_gpus_that_are_there(self):
        def cells(experiment):
            return self.expect(0, str(SOURCE / 'experiments' / experiment), '--dry-run').out.splitlines()
        self.fakes(FAKE_CUDA_DEVICES='0')
        without = cells('gpt3.yaml')
        self.assertFalse([name for name in without if 'cuda' in name])
        self.fakes(FAKE_CUDA_DEVICES='2', FAKE_CUDA_MEMORY='80000000000')
        found = cells('gpt3.yaml')
        self.assertEqual(found[:len(without)], without)
        for preset in ('15m', '350m', '1.3b', '2.6b', '6.7b'):
            self.assertTrue([name for name in found[len(without):] if f'preset={preset})' in name and 'cuda' in name], found)
        # Planned for the memory that the GPU has.
        self.expect(0, 'check', str(SOURCE / 'experiments/gpu_single.yaml'), '--filter', '1.3b', out='ok: ', timeout=200)
        self.fakes(FAKE_CUDA_DEVICES='1', FAKE_CUDA_MEMORY='8000000000')
        self.expect(5, 'check', str(SOURCE / 'experiments/gpu_single.yaml'), '--filter', '1.3b', out='infeasible: ', timeout=200)
        self.write('wrong.yaml', EXPERIMENT.replace('device: cuda', 'device: cuda\n    only_with: tpus'))
        self.expect(3, 'wrong.yaml', err=r'wrong.yaml:\d+: .*`gpus` is wanted here')

    def test_predictions_of_clusters_are_those_that_are_committed(self):
        table = (SOURCE / 'experiments/cluster_validation.md').read_text()
        committed = {cells[1]: (float(cells[2]), float(cells[4])) for cells in
                     ([cell.strip() for cell in line.split('|')] for line in table.splitlines() if line.startswith('| gpt('))}
        self.expect(0, str(SOURCE / 'experiments/cluster_validation.yaml'), '--out', 'out', timeout=250)
        records = self.records('out')
        self.assertEqual([record['label'] for record in records], list(committed))
        for record in records:
            step_s, gigabytes = committed[record['label']]
            self.assertAlmostEqual(record['prediction']['step_s'], step_s, delta=0.01 * step_s, msg=record['label'])
            self.assertAlmostEqual(record['memory']['predicted_peak_bytes'] / 1e9, gigabytes, delta=0.01 * gigabytes + 0.005, msg=record['label'])

    MLP = ('doctor', '--gpu', '--json', '--model', '{mlp: {inputs: 3, width: 4, depth: 1, classes: 2}}')

    def report(self, code, **settings):
        """Findings by (status, what), on one fake GPU."""
        self.fakes(**dict({'FAKE_CUDA_DEVICES': '1'}, **settings))
        report = json.loads(self.expect(code, *self.MLP, timeout=200).out)
        self.assertTrue(report['fake'] or not any(found['what'].startswith('GPU ') for found in report['findings']))
        return [(found['status'], found['what'], found['value']) for found in report['findings']]

    def test_the_doctor_checks_from_the_bottom_up(self):
        report = self.report(0)
        self.assertEqual([what for _, what, _ in report],
                         ['the NVIDIA driver', 'NVRTC', 'cuBLASLt', 'cuDNN', 'NCCL', 'NVML', 'driver', 'fake', 'GPU 0', 'ops of mlp f32', 'kernels of mlp f32',
                          'step of mlp f32', 'graphs of mlp f32', 'step as a graph, mlp f32', 'dots of f32', 'dots of bf16', 'dots of f16',
                          'convolutions of f32', 'convolutions of bf16', 'convolutions of f16', 'speed', 'between GPUs'])
        self.assertTrue(all(status in ('ok', 'note') for status, _, _ in report), report)
        self.assertEqual(report[-1], ('note', 'between GPUs', 'there is one GPU alone'))
        for what in ('ops of mlp f32', 'kernels of mlp f32', 'graphs of mlp f32', 'dots of f32', 'convolutions of f32'):
            value = next(value for _, one, value in report if one == what)
            good, _, total = re.match(r'(\d+) (of) (\d+) equal the reference', value).groups()
            self.assertEqual(good, total)
            self.assertGreater(int(good), 5)

    def test_the_doctor_names_what_fails_and_goes_on(self):
        # The second launch of each process fails: the case ends, others go on in another process.
        report = self.report(5, FAKE_CUDA_FAIL='cuLaunchKernel:2:719')
        failed = [value for status, what, value in report if status == 'fail' and what == 'kernels of mlp f32']
        good, total = re.search(r'(\d+) of (\d+) equal', next(value for status, what, value in report if (status, what) == ('note', 'kernels of mlp f32'))).groups()
        self.assertEqual(len(failed), int(total) - int(good), report)
        self.assertGreater(int(good), 0)
        self.assertIn('launching a kernel of program', failed[0])
        self.assertIn('CUDA_ERROR_LAUNCH_FAILED', failed[0])

    def test_the_doctor_tries_each_way_of_a_dot_and_names_the_one_that_fails(self):
        # Launches of products fail from the 20th of a process on: cases of that process end, and others go on in another.
        failed = [value for status, what, value in self.report(5, FAKE_CUDA_FAIL='cublasLtMatmul:20:13') if status == 'fail' and what.startswith('dots of f32')]
        self.assertEqual(len(failed), 1, failed)
        self.assertRegex(failed[0], r'f32 .* x .*, algorithm [1-3] of cuBLASLt: starting a matrix product failed')

    def test_the_doctor_says_what_cudnn_is_and_which_way_of_a_convolution_fails(self):
        report = self.report(5, FAKE_CUDNN_VERSION='8902', FAKE_CUDA_FAIL='cudnnConvolutionBackwardData:1:5000')
        self.assertRegex(next(value for _, what, value in report if what == 'cuDNN'), r'^8\.9\.2 for CUDA 12, .*/libcudnn.so.9$')
        failed = [(what, value) for status, what, value in report if status == 'fail']
        self.assertEqual([what for what, _ in failed], ['convolutions of f32', 'convolutions of bf16', 'convolutions of f16'], failed)
        self.assertRegex(failed[0][1], r'^f32 derivative of the image, by cuDNN where it takes it: starting a convolution failed: cuDNN \(.*EXECUTION_FAILED \(5000\)$')
        report = self.report(0, FAKE_CUDNN_VERSION='7605')  # kernels of our own in its place
        self.assertTrue(any(what == 'convolutions of f16' and status == 'ok' for status, what, _ in report), report)

    def test_the_doctor_says_which_graphs_fail(self):
        failed = [(what, value) for status, what, value in self.report(5, FAKE_CUDA_FAIL='cuGraphLaunch:1:719') if status == 'fail']
        self.assertEqual({what for what, _ in failed}, {'graphs of mlp f32', 'step as a graph, mlp f32'}, failed)
        self.assertIn('starting a graph failed', failed[0][1])

    def test_the_doctor_checks_every_gpu_and_what_is_between_them(self):
        report = self.report(0, FAKE_CUDA_DEVICES='2', RHINO_DOCTOR_TIMES_FAKES='1')
        whats = [what for _, what, _ in report]
        for gpu in ('GPU 0', 'GPU 1'):
            self.assertIn(f'{gpu}, step of mlp f32', whats)
            speeds = [value for status, what, value in report if (status, what) == ('note', f'{gpu}, speed')]
            self.assertEqual(len(speeds), 7, report)
            self.assertTrue(all(re.search("^fake, of this host's CPU: .*, [0-9.e+-]+ G(B|FLOP)/s$", speed) for speed in speeds), speeds)
        self.assertEqual(report[-1], ('ok', 'between GPUs', '9 of 9 communications of 2 GPUs deliver every element'))

    def test_the_doctor_names_the_rank_that_cannot_communicate(self):
        self.fakes(FAKE_CUDA_DEVICES='2', FAKE_CUDA_FAIL='ncclAllGather:1:3')
        lines = self.expect(5, *self.MLP[:2], *self.MLP[3:], timeout=200).out.splitlines()
        self.assertTrue(any(re.match(r'fail +between GPUs +all_gather of f32, 296 bytes: rank \d .*NCCL among ranks 0, 1 failed', line) for line in lines), lines)
        self.assertTrue(any(re.match(r'note +between GPUs +8 of 9 communications', line) for line in lines), lines)

    def test_the_doctor_says_in_a_sentence_what_is_missing(self):
        def only(status, **settings):
            return [value for one, _, value in self.report(5, **settings) if one == status]
        self.assertEqual(only('fail', FAKE_CUDA_DEVICES='0'), ['the NVIDIA driver finds no GPU on this host'])
        self.assertEqual(only('fail', FAKE_CUDA_DRIVER_VERSION='11080'), ['the NVIDIA driver is too old: it is for CUDA 11.8, and 12.0 is needed'])
        self.assertRegex(only('fail', FAKE_CUDA_MEMORY='1000000')[0], 'fake GPU sm_90: cannot allocate 67108864 bytes on fake GPU sm_90: 1000000 of its 1000000 are free')
        self.assertRegex(only('fail', FAKE_CUDA_FAIL='cuInit:1:999')[0], 'starting the NVIDIA driver failed: .* 999')
        self.assertEqual(only('fail', FAKE_CUDA_DEVICES='2', FAKE_NCCL_VERSION='21207'), ['NCCL 2.12.7 is too old: plans for several GPUs need 2.14 or newer'])
        if not self.has_driver():
            os.environ.pop('LD_LIBRARY_PATH')
            self.expect(5, 'doctor', '--gpu', out='(?s)fail   the NVIDIA driver         ' + NO_DRIVER + '.*fail   GPUs')

    def test_a_gpu_gets_the_compiler_that_knows_it(self):
        settings = {'FAKE_CUDA_DEVICES': '1', 'FAKE_CUDA_DRIVER_VERSION': '13000', 'FAKE_CUDA_CAPABILITY': '70'}
        for capability, version in ('70', '12.9'), ('90', '13.0'):
            self.fakes(**dict(settings, FAKE_CUDA_CAPABILITY=capability))
            told = json.loads(subprocess.run([pathlib.Path(BENCH).parent / 'rhino-worker', 'gpu-libraries'], stdout=subprocess.PIPE, check=True).stdout)
            nvrtc, = [library for library in told['libraries'] if library['name'] == 'NVRTC']
            self.assertEqual((nvrtc['version'], nvrtc['missing']), (version, ''))
        folder = self.folder / 'some'
        folder.mkdir()
        for path in FAKES.glob('lib*.so.*'):
            if path.is_file() and path.name != 'libnvrtc.so.12':
                (folder / path.name).symlink_to(path)
        self.fakes(**settings)
        if os.system('ldconfig -p | grep -q libnvrtc.so.12') == 0:
            self.skipTest('there is an NVRTC 12 on this host')
        os.environ['LD_LIBRARY_PATH'] = str(folder)
        said = r'NVRTC \(.*/libnvrtc.so.13\) compiles for no GPU as old as fake GPU sm_70 \(sm_70\)$'
        lines = self.expect(5, *self.MLP[:2], *self.MLP[3:]).out.splitlines()
        failed = [line for line in lines if line.startswith('fail')]
        self.assertEqual(len(failed), 2, failed)
        for line, what in zip(failed, ('NVRTC', 'GPU 0 +fake GPU sm_70:')):
            self.assertRegex(line, f'fail +{what} +{said}')
        self.expect(5, 'cuda.yaml', '--out', 'out')
        self.assertRegex(self.records('out')[0]['message'], said)

    def test_the_doctor_needs_the_libraries_of_several_gpus(self):
        folder = self.folder / 'some'
        folder.mkdir()
        for name in ('libcuda.so.1', 'libcublasLt.so.12'):
            (folder / name).symlink_to(FAKES / name)
        self.fakes(FAKE_CUDA_DEVICES='2')
        os.environ['LD_LIBRARY_PATH'] = str(folder)
        lines = self.expect(5, 'doctor', '--gpu', '--model', '{mlp: {inputs: 3, width: 4, depth: 1, classes: 2}}').out.splitlines()
        if os.system('ldconfig -p | grep -q libnvrtc.so.12') != 0:
            self.assertTrue(any(re.match('fail +NVRTC +NVRTC is not here: libnvrtc.so.12: cannot open', line) for line in lines), lines)
        if os.system('ldconfig -p | grep -q libnccl') != 0:
            self.assertTrue(any(re.match('fail +between GPUs +plans for several GPUs need NCCL, and NCCL is not here', line) for line in lines), lines)
        self.assertTrue(any(re.match('note +clocks and links +not known: NVML is not here', line) for line in lines), lines)


if __name__ == '__main__':
    unittest.main()
