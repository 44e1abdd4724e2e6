# SPDX-License-Identifier: Apache-2.0
"""Messages between GPUs over UCX, on the fakes of CUDA's libraries: straight from device memory where UCX says that it takes it - a library that
passes for such a UCX goes before the real one -, else through pinned memory."""
import os
import pathlib
import unittest

from bench import BENCH, BenchTest

FAKES = pathlib.Path(BENCH).parents[1] / 'tests' / 'fake_cuda'

MOVES = """\
name: moves
cases:
  - {{topology: fast4, device: [cuda, {{cuda: {{messages: staged}}}}], backend: ucx, resharding: [resharding/send_recv, resharding/broadcast],
     reshard: {{tensor: {tensor}, source: {{devices: [0, 1], mesh: [1, 2], spec: [{source}]}}, target: {{devices: [2, 3], mesh: [1, 2], spec: [{target}]}}}}}}
measure: {{min_warmup_steps: 1, rounds: 1, repetitions: 1, steps: 2}}
"""

STEPS = """\
name: steps
cases:
  - {topology: fast4, device: [cuda, {cuda: {messages: staged}}], backend: ucx, model: {branching: {width: 16, depth: 4}}, batch: {global: 24, micro_batches: 4},
     search: {strategies/stages.yaml: {}}, schedule: schedule/1f1b, resharding: resharding/send_recv}
measure: {min_warmup_steps: 1, rounds: 1, repetitions: 1, steps: 1}
"""


class CudaMessages(BenchTest):
    def setUp(self):
        super().setUp()
        self.before = dict(os.environ)
        os.environ.update(LD_LIBRARY_PATH=str(FAKES), FAKE_CUDA_CACHE=str(FAKES / 'kernels'), FAKE_NVRTC_LEVEL='1', FAKE_CUDA_CHECKED='1', FAKE_CUDA_ORDER='late')
        self.write('topologies/fast4.yaml', (self.folder / 'topologies/fast.yaml').read_text().replace('name: fast\n', 'name: fast4\n').replace(
            'devices_per_host: 2', 'devices_per_host: 4'))
        self.write('strategies/stages.yaml', 'name: stages\nmesh: {stage: 2, data: 2}\n')

    def tearDown(self):
        os.environ.clear()
        os.environ.update(self.before)
        super().tearDown()

    def takes_gpu_memory(self):
        os.environ['LD_PRELOAD'] = str(FAKES / 'libfake_ucx.so')

    def run_cells(self, text, name, kind):
        """Transports by how messages are to go, and bytes that were staged."""
        self.write(f'{name}.yaml', text)
        self.expect(0, f'{name}.yaml', '--out', name)
        told = {}
        for record in self.records(name):
            self.assertEqual((record['status'], record['check']['kind'], record['check']['num_wrong']), ('ok', kind, 0), record['message'])
            way = 'staged' if 'messages staged' in record['independent']['device'] else 'free'
            names = set(record['environment']['transport'].split(','))
            staged = sum(device.get('staged_bytes', 0) for device in record['breakdown'])
            told.setdefault(way, []).append((names & {'direct', 'staged'}, staged))
        return told

    def moves(self, source='R, R', target='R, R', tensor='[700, 500]'):
        return MOVES.format(source=source, target=target, tensor=tensor)

    def test_whole_tiles_go_straight_from_device_memory(self):
        self.takes_gpu_memory()
        for order in ('early', 'late'):
            os.environ['FAKE_CUDA_ORDER'] = order
            told = self.run_cells(self.moves(), 'whole_' + order, 'elements')
            self.assertEqual(told['free'], [({'direct'}, 0)] * 2)
            for names, staged in told['staged']:
                self.assertEqual(names, {'staged'})
                self.assertGreater(staged, 0)

    def test_what_the_host_packs_is_staged(self):
        self.takes_gpu_memory()
        # What a sender has to pack, a receiver takes as it comes, and the other way round; rank 0 sends.
        told = self.run_cells(self.moves('S1, R', 'R, S1'), 'packed', 'elements')
        for names, staged in told['free'] + told['staged']:
            self.assertEqual(names, {'staged'})
            self.assertGreater(staged, 0)
        told = self.run_cells(self.moves('R, S1', 'S1, R'), 'unpacked', 'elements')
        self.assertEqual(told['free'], [({'direct'}, 0)] * 2)

    def test_a_training_step_does_both(self):
        self.takes_gpu_memory()
        told = self.run_cells(STEPS, 'steps', 'numerics')
        self.assertEqual(told['free'][0][0], {'direct', 'staged'})
        self.assertEqual(told['staged'][0][0], {'staged'})
        self.assertLess(told['free'][0][1], told['staged'][0][1])

    def test_a_ucx_without_cuda_stages_all(self):
        told = self.run_cells(self.moves(), 'without', 'elements')
        self.assertEqual([names for ways in told.values() for names, _ in ways], [{'staged'}] * 4)


if __name__ == '__main__':
    unittest.main()
