# SPDX-License-Identifier: Apache-2.0
"""Experiments of pipelines of abstract stages."""
import json
import re
import unittest

from bench import FAST_TOPOLOGY, SOURCE, BenchTest

CASE = """name: stages
cases:
  - pipeline: {%s}
matrix:
  schedule: [schedule/1f1b, schedule/eager_1f1b]
baselines:
  1f1b: {schedule: schedule/1f1b}
"""
TIMES = 'stages: 4, micro_batches: 12, forward_s: 12, backward_s: 13, weight_s: 10'

# Micro-batches that each of four stages keeps of eight, by the headers of schedules.
KEEPS = {'gpipe': [8, 8, 8, 8], 'breadth_first': [8, 8, 8, 8], '1f1b': [4, 3, 2, 1], 'eager_1f1b': [7, 5, 3, 1], 'interleaved_1f1b': [5.5, 4.5, 3.5, 2.5],
         'zb_h1': [4, 4, 4, 4], 'zb_v': [4, 4, 4, 4], 'dualpipe_v': [4.5, 4.5, 4.5, 4.5], 'dualpipe': [5, 5, 5, 5]}
REPLICAS = {'chimera': 2, 'dualpipe': 2}


def most_kept(passes):
    """Chunks of micro-batches between first and last pass at most, of (chunk, micro-batch) in their order."""
    last = {kept: i for i, kept in enumerate(passes)}
    kept, most = set(), 0
    for i, one in enumerate(passes):
        kept.add(one)
        most = max(most, len(kept))
        if last[one] == i:
            kept.remove(one)
    return most


class Pipelines(BenchTest):
    def test_a_cell_is_recorded_with_what_it_waits_for_and_keeps(self):
        self.write('stages.yaml', CASE % (TIMES + ', transfer_s: 12'))
        self.expect(0, 'stages.yaml', '--out', 'run', out=r'(?s)4 stages x 12 micro-batches, F 12 s, B 13 s, W 10 s, transfers 12 s.*'
                    r'schedule +step +makespan +bubble +exposed +idle +bound +keeps +vs 1f1b +status\n'
                    r'1f1b +789 s +789 s +369 s 46.8% +264 s .* 4 3 2 1 +base +ok\n'
                    r'eager_1f1b +597 s +597 s +177 s 29.6% +72.0 s .* 7 5 3 1 +1.32x \+ +ok\n')
        eager = next(record for record in self.records() if 'eager' in record['label'])
        self.assertEqual(eager['label'], 'pipeline(4x12)/eager_1f1b')
        self.assertEqual(eager['independent']['backend'], 'simulate')
        figures = eager['pipeline']
        self.assertEqual([figures['num_stages'], figures['work_s'], figures['in_flight']], [4, [420] * 4, [7, 5, 3, 1]])
        for bubble_s in figures['bubble_s']:
            self.assertAlmostEqual(bubble_s, 177)
        self.assertLess(eager['bound']['seconds'], eager['summary']['median_s'])

    def test_formulas_stand_beside_what_is_simulated_and_plans_run_again(self):
        self.write('stages.yaml', CASE % TIMES)
        self.expect(0, 'stages.yaml', '--out', 'run', out=r'1f1b +525 s +525 s +105 s 20.0% +105 s ')
        plan = next((self.folder / 'run/plans').iterdir())
        name = next(record['label'] for record in self.records() if plan.stem == record['cell_id'])
        self.expect(0, 'stages.yaml', '--filter', f'^{re.escape(name)}$', '--plan', str(plan), '--out', 'again',
                    out=name.rsplit('/', 1)[1] + r' +525 s +525 s +105 s 20.0% +105 s ')
        other = {'1f1b': 'eager_1f1b', 'eager_1f1b': '1f1b'}[name.rsplit('/', 1)[1]]
        self.expect(3, 'stages.yaml', '--filter', f'/{other}$', '--plan', str(plan), err='the plan is of schedule/')
        self.expect(0, 'explain', str(plan), out=r'(?s)12 micro-batches.*bubble +formula .* 105 s 20.0% +105 s ')
        moved = plan.rename(self.folder / 'plan.json')
        self.assertNotIn('formula', self.expect(0, 'explain', str(moved), out='12 micro-batches').out)

    def test_sizes_make_cases_of_their_own(self):
        self.write('stages.yaml', CASE % 'name: pair, stages: [1, 2], micro_batches: [2, 3], forward_s: 1, backward_s: 1')
        self.expect(0, 'list', 'cells', 'stages.yaml', out=''.join(
            f'pipeline\\(pair,{size}\\)/1f1b\npipeline\\(pair,{size}\\)/eager_1f1b\n' for size in ('1x2', '1x3', '2x2', '2x3')))

    def test_a_name_that_begins_as_another_is_no_second_one(self):
        self.write('stages.yaml', (CASE % TIMES).replace('[schedule/1f1b, schedule/eager_1f1b]', '[schedule/dualpipe_v, schedule/dualpipe]'))
        self.expect(0, 'list', 'cells', 'stages.yaml', out='pipeline\\(4x12\\)/dualpipe_v\npipeline\\(4x12\\)/dualpipe\n')

    def test_what_cannot_be_is_refused_with_its_place(self):
        for case, sentence in [
                (TIMES + ', backend: ucx', "unknown key 'backend'"),
                (TIMES.replace('12, b', '[1, 2, 3], b'), "one for each of 4 stages, not 3"),
                (TIMES + '}\n    backend: ucx\n    #{', 'without a topology a pipeline is simulated, and backend ucx runs workers'),
                (TIMES + '}\n    topology: toy\n    #{', 'on a topology a pipeline says transfer_bytes'),
                (TIMES + ', transfer_bytes: 8', 'transfer_bytes cross the links of a topology, and none is given'),
                (TIMES.replace('stages: 4', 'stages: 5') + ', transfer_bytes: 8}\n    topology: toy\n    #{',
                 "a pipeline of 5 stages on topology 'toy' of 4 devices"),
                (TIMES + '}\n    device: cpu\n    #{', 'stages have seconds and no kernels: device cpu cannot run them'),
                (TIMES + '}\n    search: search/grid\n    #{', 'a case of abstract stages has none')]:
            with self.subTest(sentence):
                self.write('stages.yaml', CASE % case)
                self.expect(3, 'stages.yaml', err=r'stages.yaml:\d+: .*' + re.escape(sentence))
        self.write('stages.yaml', CASE % (TIMES + ', activation_limit: 4'))
        self.expect(0, 'stages.yaml', '--out', 'run',
                    out='eager_1f1b: infeasible: schedule/eager_1f1b keeps activations of 7 micro-batches on stage 0, and 4 are allowed')

    def test_emulated_devices_are_timed_and_say_that_they_compute_nothing(self):
        self.write('stages.yaml', """name: emulated
cases:
  - topology: {local: {devices: 6}}
    backend: ucx
    pipeline: {stages: 6, micro_batches: 6, forward_s: 0.004, backward_s: 0.004, weight_s: 0.004, transfer_bytes: 64KiB}
    schedule: schedule/1f1b
  - topology: fast
    device: emulated
    model: {gpt: {preset: 1m}}
    batch: {global: 4, micro_batches: 2}
    search: strategies/stages.yaml
measure: {rounds: 1, steps: 2, min_warmup_steps: 1}
""")
        self.expect(0, 'stages.yaml', '--out', 'run', out=r'(?s)F 0.004 s, .* on local\(devices=6\), ucx\n.*predicted .*none \(emulated\)')
        stages, model = self.records()
        for record in (stages, model):
            self.assertEqual(record['status'], 'ok')
            self.assertEqual(record['independent']['device'], 'emulated')
            self.assertEqual(record['environment']['check'], 'none: emulated devices compute nothing')
            self.assertEqual(record['check']['kind'], 'none')
            self.assertFalse(record['oversubscribed'])
            self.assertGreater(record['summary']['median_s'], 0)
        self.assertGreaterEqual(stages['summary']['median_s'], stages['bound']['seconds'])
        self.assertGreater(stages['prediction']['step_s'], stages['bound']['seconds'])
        for device, work_s in zip(stages['breakdown'], stages['pipeline']['work_s']):
            self.assertGreaterEqual(device['compute_s'], work_s * (1 - 1e-9))
        self.write('stages.yaml', CASE % (TIMES + ', transfer_bytes: 8}\n    topology: toy\n    backend: ucx\n    #{'))
        self.expect(3, 'stages.yaml', err="the hosts of topology 'toy' are modelled, and what emulated devices send crosses real links")

    def test_the_experiment_that_is_shipped_can_be_planned(self):
        self.expect(0, 'check', str(SOURCE / 'experiments/schedules.yaml'), '--filter', '8x')

    def test_a_schedule_goes_to_a_csv_of_pytorch_and_comes_back(self):
        cells = {'zb_h1': 36, 'gpipe': 24, 'zb_v': 72, **{name: 24 * 2 for name in ('hanayo', 'dualpipe_v')}, **{name: 24 for name in REPLICAS}}
        self.write('stages.yaml', re.sub('schedule: .*', f'schedule: [{", ".join("schedule/" + name for name in cells)}]', CASE.split('baselines')[0] % TIMES))
        self.expect(0, 'stages.yaml', '--out', 'run')
        for record in self.records():
            name = record['independent']['schedule'].split('/')[1]
            self.expect(0, 'explain', 'run/' + record['artifacts']['plan'], '--out', 'it.csv')
            lines = (self.folder / 'it.csv').read_text().splitlines()
            self.assertEqual(len(lines), 4)
            self.assertGreaterEqual(len(lines[0].split(',')), cells[name])  # W apart from some B
            self.expect(0, 'stages.yaml', '--filter', 'csv', '--out', 'back_' + name, '--set',
                        f'schedule={{schedule/csv: {{file: it.csv, replicas: {REPLICAS.get(name, 1)}}}}}')
            back = self.records('back_' + name)[0]
            self.assertEqual((back['summary'], back['breakdown']), (record['summary'], record['breakdown']))
            self.assertEqual(back['pipeline']['in_flight'], record['pipeline']['in_flight'])

    def test_every_schedule_trains_a_gpt_on_four_workers(self):
        listed = re.findall(r'^schedule/(\w+)', self.expect(0, 'list', 'plugins').out, re.M)
        schedules = sorted(set(listed) - {'csv'})
        self.assertLess(set(KEEPS), set(schedules))
        self.write('topologies/fast.yaml', FAST_TOPOLOGY.replace('devices_per_host: 2', 'devices_per_host: 4'))
        self.write('strategies/four.yaml', 'name: four\nmesh: {stage: 4, data: 1}\n')
        self.write('gpt.yaml', f"""name: gpt
cases:
  - topology: fast
    model: {{gpt: {{preset: 1m, num_layers: 8, hidden: 16, num_heads: 2, vocabulary: 32, sequence: 8}}}}
    batch: {{global: 8, micro_batches: 8}}
    search: strategies/four.yaml
matrix:
  schedule: [{', '.join('schedule/' + name for name in schedules)}]
measure: {{min_warmup_steps: 1, rounds: 1, repetitions: 1, steps: 1}}
""")
        self.expect(0, 'gpt.yaml', '--out', 'run')
        records = self.records()
        self.assertEqual(len(records), len(schedules))
        for record in records:
            name = record['independent']['schedule'].split('/')[1]
            with self.subTest(name):
                self.assertEqual((record['status'], record['check']['kind'], record['check']['num_wrong']), ('ok', 'numerics', 0))
                self.expect(0, 'explain', 'run/' + record['artifacts']['plan'], '--out', 'it.csv')
                cells = [re.findall(r'(\d+)[FIBW](\d+)', line) for line in (self.folder / 'it.csv').read_text().splitlines()]
                ran = [[] for _ in range(4)]
                for event in sorted(json.loads((self.folder / 'run' / record['artifacts']['trace']).read_text())['traceEvents'], key=lambda one: one.get('ts', 0)):
                    run = re.fullmatch(r'(?:forward|backward|weight) chunk (\d+) micro-batch (\d+)', event['name'])
                    if run and event['tid'] == 1:
                        ran[event['pid']].append(run.groups())
                kept = [most_kept(passes) for passes in ran]
                self.assertEqual(kept, [most_kept(passes) for passes in cells])
                if name in KEEPS:
                    chunks = len({chunk for chunk, _ in cells[0]}) // REPLICAS.get(name, 1)
                    self.assertEqual(kept, [most * chunks for most in KEEPS[name]])

    def test_dialects_of_csv(self):
        self.write('stages.yaml', 'name: two\ncases:\n  - pipeline: {stages: 2, micro_batches: 2, forward_s: 1, backward_s: 1, weight_s: 1}\n'
                   'matrix:\n  schedule: {schedule/csv: {file: it.csv, dialect: LETTER}}\n')
        cut = ('0F0,0F1,,0I0,0W0,0I1,0W1\n,1F0,1I0,1F1,1W0,1I1,1W1\n',
               '0F0, 0SEND_F0, 0F1,0RECV_B0,0B0,0W0,0B1,0W1\n\n1RECV_F0,1F0,1B0,1F1,1W0,1B1,1W1,1REDUCE_GRAD\n')
        whole = ('0F0,0F1,0B0,0B1\n1F0,1B0,1F1,1B1\n', '0F0,0F1,0BW0,0BW1\n1F0,1BW0,1F1,1BW1\n')
        text = (self.folder / 'stages.yaml').read_text()
        for files, step in ((cut, 8), (whole, 9)):  # by hand; 1F1B is 9
            for letter, csv in zip('IB', files):
                self.write('it.csv', csv)
                self.write('stages.yaml', text.replace('LETTER', letter))
                self.expect(0, 'stages.yaml', '--out', f'run_{letter}_{step}')
                self.assertAlmostEqual(self.records(f'run_{letter}_{step}')[0]['summary']['makespan_s'], step)

    def test_a_csv_may_lie_beside_its_experiment(self):
        self.write('deep/it.csv', '0F0,0B0\n1F0,1B0\n')
        self.write('deep/one.yaml', 'name: one\ncases:\n  - pipeline: {stages: 2, micro_batches: 1, forward_s: 1, backward_s: 1, weight_s: 1}\n'
                   'matrix:\n  schedule: {schedule/csv: {file: it.csv}}\n')
        self.expect(0, 'deep/one.yaml', '--out', 'run')

    def test_what_is_wrong_in_a_csv_is_said_with_its_line(self):
        self.write('stages.yaml', 'name: two\ncases:\n  - pipeline: {stages: 2, micro_batches: 2, forward_s: 1, backward_s: 1, weight_s: 1}\n'
                   'matrix:\n  schedule: {schedule/csv: {file: it.csv}}\n')
        for i, (code, csv, sentence) in enumerate((
                (3, '0F0,0X0\n', r"stages.yaml:5: .*it.csv:1: '0X0' has no op of dialect I"),
                (3, '0F0\n\n0B0\n', r"it.csv:3: '0B0' is of a stage that another rank has"),
                (3, '0F0,F1\n', r"it.csv:1: 'F1' is not \{stage\}\{op\}\{micro-batch\}"),
                (3, '0F\n', 'does not say its micro-batch'),
                (3, '(0F0;0B1\n', 'is no pair'),
                (3, '\n', 'it.csv is empty'),
                (5, '0F0,0B0\n', 'it.csv is of 1 ranks, not of 2'),
                (5, '0F0,0B0\n2F0,2B0\n', 'it.csv: no rank has stage 1'),
                (5, '0F0,0B0\n1F0,1B0\n', 'it.csv is of 1 micro-batch, not of 2'),
                (5, '0F0,0F1,0B0\n1F0,1B0,1F1,1B1\n', 'the schedule lacks backward of chunk 0, micro-batch 1'))):
            self.write('it.csv', csv)
            shown = self.expect(code, 'stages.yaml', '--out', f'run_{i}')
            self.assertRegex(shown.out + shown.err, sentence)
        (self.folder / 'it.csv').unlink()
        self.expect(3, 'stages.yaml', '--out', 'none', err="there is no file 'it.csv'")


if __name__ == '__main__':
    unittest.main()
