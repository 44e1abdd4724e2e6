# SPDX-License-Identifier: Apache-2.0
"""Experiments of reshards and collectives alone."""
import os
import re
import unittest
import unittest.mock

from bench import SOURCE, BenchTest, TOPOLOGY

EXPERIMENT = """name: alone
question: Which one is quicker?
cases:
  - {topology: {local: {devices: 2}}, reshard: {name: pair, tensor: [513, 257], source: {mesh: [1], spec: [R, R]}, target: {mesh: [1], spec: [R, R]}}}
  - {topology: {local: {devices: 4}}, reshard: {name: uneven, tensor: [7, 129], dtype: f32, source: {mesh: [3], spec: [S0, R], devices: [0, 1, 2]}, target: {mesh: [3], spec: [R, S0], devices: [1, 2, 3]}}}
  - {topology: toy, backend: simulate, reshard: {name: model, tensor: [1024, 1024], source: {mesh: [1, 1], spec: [R, R]}, target: {mesh: [1, 2], spec: [R, R], first_host: 1}}}
  - {topology: {local: {devices: 2}}, collective: {kind: all_reduce, bytes: [8, 64KiB, 256KiB], group: [0, 1]}}
matrix:
  resharding: [resharding/send_recv, {resharding/broadcast: {order: naive}}]
baselines:
  send_recv: {resharding: resharding/send_recv}
measure: {rounds: 1, min_warmup_steps: 1}
"""
# Only the link between hosts takes time.
TOY = re.sub('latency_s: [^,}]*', 'latency_s: 0', TOPOLOGY.replace('1e10', '1e12'))


class Communication(BenchTest):
    def setUp(self):
        super().setUp()
        self.write('topologies/toy.yaml', TOY)
        self.write('alone.yaml', EXPERIMENT)

    def test_what_takes_no_time_is_as_quick_as_what_takes_none(self):
        move = "{topology: toy, backend: simulate, reshard: {tensor: [8], source: {mesh: [1, 1], spec: [R]}, target: {mesh: [1, 1], spec: [R], devices: [0]}}}"
        self.write('none.yaml', f'name: none\ncases: [{move}]\nmatrix: {{resharding: [resharding/send_recv, resharding/broadcast]}}\nbaselines: {{plain: {{resharding: resharding/send_recv}}}}\n')
        self.assertRegex(self.expect(0, 'none.yaml', '--out', 'run').out, r'broadcast +0\.00 us .* 1\.00x =')
        self.assertEqual([record['samples_s'] for record in self.records()], [[0], [0]])
        self.expect(0, 'compare', 'run', 'run', out='(?s)same .*send_recv.*same .*broadcast')

    def test_a_topology_may_be_varied(self):
        case = '{topology: {toy: OPTIONS}, backend: simulate, reshard: {tensor: [1024, 1024], source: {mesh: [1, 1], spec: [R, R]}, target: {mesh: [1, 1], spec: [R, R], first_host: 1}}}'
        times = {}
        for options in ('{}', '{network: 0.5}', '{network: 2}', '{kernels: 2}'):
            name = re.sub('[^a-z0-9]', '', options)
            self.write('varied.yaml', f'name: varied\ncases:\n  - {case}\n'.replace('OPTIONS', options))
            self.expect(0, 'varied.yaml', '--out', 'run' + name)
            times[options] = self.records('run' + name)[0]['summary']['median_s']
        # Portions leave as others arrive: to a part in a thousand.
        self.assertAlmostEqual(times['{network: 0.5}'] / times['{}'], 2, places=3)
        self.assertAlmostEqual(times['{network: 2}'] / times['{}'], 0.5, places=3)
        self.assertEqual(times['{kernels: 2}'], times['{}'])
        for options, sentence in (('{network: 0}', 'how many times as quick: from 1e-6 to 1e6'), ('{kernels: 1e-308}', 'from 1e-6 to 1e6'),
                                  ('{network: fast}', 'network'), ('{speed: 2}', 'speed')):
            self.write('varied.yaml', f'name: varied\ncases:\n  - {case}\n'.replace('OPTIONS', options))
            self.expect(3, 'varied.yaml', '--out', 'wrong', err='varied.yaml:3: .*' + sentence)

    def test_what_this_machine_has_no_memory_for_is_told_apart_from_what_a_topology_has_none_for(self):
        case = '{topology: toy, collective: {kind: all_reduce, bytes: 4096GiB, group: [0, 1]}}'
        self.write('large.yaml', f'name: large\ncases:\n  - {case}\n')
        self.write('topologies/toy.yaml', TOY.replace('modelled', 'emulated'))
        self.expect(5, 'large.yaml', '--out', 'topology', out=r'(?s)infeasible: needs 8796\.09 GB of memory per device, and there are 1\.00 GB.*\n4096 GiB .* infeasible')
        move = case.replace('collective: {kind: all_reduce, bytes: 4096GiB, group: [0, 1]}',
                            'reshard: {tensor: [1048576, 1048576], source: {mesh: [1], spec: [R, R]}, target: {mesh: [1], spec: [R, R]}}')
        self.write('move.yaml', f'name: move\ncases:\n  - {move}\n')
        self.expect(5, 'move.yaml', '--out', 'move', out=r'infeasible: needs 4398\.05 GB of memory per device, and there are 1\.00 GB')
        self.assertEqual(self.records('move')[0]['communication']['bytes'], 4 * 2 ** 40)
        self.write('topologies/toy.yaml', TOY.replace('modelled', 'emulated').replace('memory_bytes: 1e9', 'memory_bytes: 1e15'))
        self.expect(5, 'large.yaml', '--out', 'run', out=r'oom: the plan takes 17592\.19 GB of this machine, which has \d+\.\d\d GB')
        self.assertEqual([record['status'] for record in self.records()], ['oom'])

    def test_cells_are_measured_checked_and_recorded(self):
        self.expect(0, 'alone.yaml', '--out', 'run',
                    out=r'(?s)Which one is quicker.*effective Gbit/s.*vs send_recv.*algbw GB/s  busbw GB/s')
        records = {record['label']: record for record in self.records()}
        self.assertEqual(len(records), 9)
        for label, record in records.items():
            with self.subTest(label):
                self.assertEqual(record['status'], 'ok')
                simulated = record['independent']['backend'] == 'simulate'
                self.assertEqual(record['check']['kind'], 'none' if simulated else 'elements')
                self.assertEqual(record['check']['num_wrong'], 0)
                self.assertEqual({device['staged_bytes'] for device in record['breakdown']}, {0})
                figures = record['communication']
                if record['oversubscribed']:
                    self.assertEqual(record['samples_s'], [])
                else:
                    median_s = record['summary']['median_s']
                    self.assertAlmostEqual(figures['effective_bytes_per_s'], figures['bytes'] / median_s)
                    self.assertLessEqual(record['bound']['seconds'], median_s * 1.0001)
        model = [r for label, r in records.items() if label.startswith('reshard(model)')]
        seconds = 4 * 1024 * 1024 / 1e9
        self.assertAlmostEqual(model[0]['summary']['median_s'], 2 * seconds, places=6)
        self.assertAlmostEqual(model[0]['communication']['bytes_between_hosts'], 2 * 4 * 1024 * 1024)
        self.assertAlmostEqual(model[1]['communication']['bytes_between_hosts'], 4 * 1024 * 1024)
        self.assertLess(model[1]['summary']['median_s'], 1.2 * seconds)

    def test_without_shared_memory_bytes_are_staged(self):
        with unittest.mock.patch.dict(os.environ, UCX_TLS='tcp,self'):
            self.expect(0, 'alone.yaml', '--filter', 'pair.*send_recv|all_reduce-64KiB', '--out', 'run')
        self.assertEqual([sum(device['staged_bytes'] for device in record['breakdown']) for record in self.records()],
                         [4 * 513 * 257, 2 * 64 * 1024])

    def test_cells_are_listed_filtered_planned_and_explained(self):
        self.expect(0, 'list', 'cells', 'alone.yaml', out=r'(?s)reshard\(pair\)/local\(devices=2\)/send_recv\n.*all_reduce-64KiB')
        self.expect(0, 'check', 'alone.yaml', out=r'reshard\(uneven\).*ok: \d+ messages')
        self.expect(0, 'alone.yaml', '--filter', 'model', '--set', 'resharding=resharding/broadcast', '--out', 'run')
        labels = [record['label'] for record in self.records()]
        self.assertEqual(labels, ['reshard(model)/toy/send_recv/simulate', 'reshard(model)/toy/broadcast/simulate'])
        plan = 'run/' + self.records()[0]['artifacts']['plan']
        self.expect(0, 'explain', plan, out='(?s)resharding/send_recv.*1 parts in 2 messages')
        self.expect(0, 'alone.yaml', '--filter', 'model.*send_recv', '--plan', plan, '--out', 'again')

    def test_no_simulated_collective_beats_its_bound(self):
        plain = 'p3_8xlarge_x2'
        cases = ''.join(f"  - {{topology: {{{SOURCE}/topologies/{name}.yaml: {{hosts: 2}}}}, backend: simulate, "
                        f"collective: {{kind: {kind}, bytes: [1024, 1GiB], group: {group}}}}}\n"
                        for name in ('dgx_a100', 'dgx_h100', 'p4d_24xlarge', plain) for kind in ('all_reduce', 'all_gather', 'all_to_all')
                        for group in ([0, 1], list(range(8)), list(range(16))) if name != plain or len(group) <= 8)
        self.write('modelled.yaml', f'name: modelled\ncases:\n{cases}')
        self.expect(0, 'modelled.yaml', '--out', 'run')
        self.assertEqual([(record['label'], record['status']) for record in self.records() if record['status'] != 'ok'], [])

    def test_what_cannot_be_is_one_sentence_with_its_place(self):
        for old, new, sentence in [
                ('target: {mesh: [1, 2], spec: [R, R], first_host: 1}', 'target: {mesh: [3, 2], spec: [R, R]}', r'alone.yaml:6: .*no room for a mesh of 3x2'),
                ('devices: [1, 2, 3]', 'devices: [1, 2, 7]', r'alone.yaml:5: there is no device 7'),
                ('devices: [1, 2, 3]', 'devices: [1, 2, 2]', r'alone.yaml:5: .*device 2 occurs twice'),
                ('spec: [R, S0]', 'spec: [S0, S0]', r'alone.yaml:5: .*mesh axis 0 is used twice'),
                ('tensor: [513, 257]', 'tensor: [513, 0]', r'alone.yaml:4: .*must be at least 1, not 0'),
                ('tensor: [513, 257]', 'tensor: [513]', r'alone.yaml:4: .*a spec of 2 dims for the tensor'),
                ('bytes: [8, 64KiB, 256KiB]', 'bytes: [8, 5]', r'alone.yaml:7: .*5 bytes are not a multiple of 4'),
                ('group: [0, 1]', 'group: [0, 9]', r'alone.yaml:7: there is no device 9')]:
            with self.subTest(sentence):
                self.assertIn(old, EXPERIMENT)
                self.write('alone.yaml', EXPERIMENT.replace(old, new))
                self.expect(3, 'alone.yaml', '--out', 'never', err=sentence)


if __name__ == '__main__':
    unittest.main()
