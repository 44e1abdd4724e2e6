# SPDX-License-Identifier: Apache-2.0
"""Runs of simulated experiments and what is done with their folders afterwards."""
import collections
import json
import re
import subprocess
import unittest
import xml.etree.ElementTree

from bench import BenchTest, SIMULATED, SOURCE, TOPOLOGY

ONE_CLASS = """name: own
source: made up for tests
classes:
  - hosts: 1
    devices_per_host: 1
    device: {kind: modelled, name: quick, memory_bytes: 1e12, memory_bytes_per_s: 1e18, kernel_latency_s: 0, peak_flops: {f32: 1e12}}
    links: {intra_host: {bytes_per_s: 1e11, latency_s: 1e-6}, inter_host: {bytes_per_s: 1e10, latency_s: 1e-6}}
"""
SLOWER_CLASS = ONE_CLASS[ONE_CLASS.index('  - hosts'):].replace('quick', 'slow').replace('{f32: 1e12}', '{f32: 1e11, bf16: 1e11}')


class RunTest(BenchTest):
    def run_toy(self, out='run', *further):
        return self.expect(0, 'toy.yaml', '--out', out, *further, out=r'records: .*records\.jsonl')


class Runs(RunTest):
    def test_a_simulated_run_leaves_a_record_and_artifacts_per_cell(self):
        self.run_toy()
        records = self.records()
        self.assertEqual(len(records), 2)
        for record in records:
            self.assertEqual((record['status'], record['check']['kind']), ('ok', 'none'))
            self.assertGreater(record['summary']['median_s'], 0)
            self.assertLessEqual(record['bound']['seconds'], record['summary']['median_s'])
            rates = record['throughput']
            self.assertEqual(rates['peak_flops'], 4e12, 'of all devices of the cell, though the plan uses two')
            self.assertAlmostEqual(rates['mfu'], rates['model_flops'] / record['summary']['median_s'] / 4e12)
            for kind in ('plan', 'trace'):
                self.assertTrue((self.folder / 'run' / record['artifacts'][kind]).is_file(), kind)

    def simulate_gpt(self, topology, dtype, out):
        self.write('own.yaml', topology)
        self.write('gpt.yaml', f"""name: gpt
cases:
  - topology: ./own.yaml
    model: {{gpt: {{num_layers: 2, hidden: 64, num_heads: 1, sequence: 2048, vocabulary: 64, dtype: {dtype}}}}}
    batch: {{global: 1, micro_batches: 1}}
    backend: simulate
    search: {{{SOURCE}/strategies/single_device.yaml: {{}}}}
""")
        self.expect(0, 'gpt.yaml', '--out', out)
        return self.records(out)[0]

    def test_scores_that_a_mask_hides_are_in_mfu_and_in_no_bound(self):
        record = self.simulate_gpt(ONE_CLASS + 'software: {kernel_issue_s: 1e-12, attention: true}\n', 'f32', 'masked')
        self.assertEqual(record['status'], 'ok')
        self.assertGreater(record['throughput']['mfu'], 1)
        self.assertLessEqual(record['bound']['plan_seconds'], record['summary']['median_s'] * 1.0001)
        self.assertGreater(record['bound']['plan_seconds'], 0.8 * record['summary']['median_s'])

    def test_a_dtype_that_a_device_lacks_has_the_peak_of_its_f32(self):
        record = self.simulate_gpt(ONE_CLASS + SLOWER_CLASS, 'bf16', 'mixed')
        self.assertEqual((record['status'], record['throughput']['peak_flops']), ('ok', 1.1e12))

    def test_steps_that_others_published_stand_beside_the_simulated_ones(self):
        self.run_toy()
        step_s = self.records()[0]['summary']['median_s']
        case, matrix = SIMULATED.split('matrix:')
        steps = ', '.join(f'{{step_s: {factor * step_s:.9e}, schedule: schedule/{name}}}' for name, factor in (('gpipe', 2), ('1f1b', 3)))
        self.write('toy.yaml', f'{case.rstrip()}\n    published: {{source: a paper, steps: [{steps}]}}\n')
        result = self.expect(0, 'toy.yaml', '--out', 'published')
        records = self.records('published')
        self.assertEqual([record['published_source'] for record in records], ['a paper'] * 2)
        self.assertAlmostEqual(records[0]['published_step_s'] / (2 * step_s), 1)
        self.assertRegex(result.out, r'gpipe \| send_recv .* 0\.50x ')
        self.assertRegex(result.out, r'\na paper +2 +0\.\d\dx ')

    def test_the_same_seed_gives_the_same_simulated_times(self):
        self.run_toy('a')
        self.run_toy('b')
        times = [[record['samples_s'] for record in self.records(run)] for run in 'ab']
        self.assertEqual(times[0], times[1])

    def test_a_run_folder_is_taken_up_again_only_on_demand(self):
        self.run_toy('run', '--filter', 'gpipe')
        self.expect(3, 'toy.yaml', '--out', 'run', err='run: holds a run already')
        self.run_toy('run', '--resume')
        self.assertEqual(len(self.records()), 2)
        self.expect(3, 'toy.yaml', '--out', 'run', '--resume', '--set', 'schedule=schedule/1f1b', out='^$',
                    err=r"run: holds a cell that toy\.yaml lacks in case 0, 'branching.*/gpipe': --resume goes on with the experiment that it began")
        self.assertEqual(len(self.records()), 2)

    def test_a_cell_that_stands_in_two_cases_is_taken_up_in_each(self):
        text = SIMULATED.replace('[schedule/gpipe, schedule/1f1b]', 'schedule/1f1b') + 'baselines: {stages: {search: strategies/stages.yaml}}\n'
        case = text[text.index('  - topology'):text.index('matrix:')]
        self.write('toy.yaml', text.replace('matrix:', case.replace('search: strategies/stages.yaml', 'search: [strategies/stages.yaml, search/grid]') + 'matrix:'))
        self.run_toy('whole')
        whole = self.records('whole')
        self.assertEqual([(record['case'], record['cell_id'] == whole[0]['cell_id']) for record in whole], [(0, True), (1, True), (1, False)])
        self.run_toy('run')
        (self.folder / 'run/records.jsonl').write_text((self.folder / 'run/records.jsonl').read_text().partition('\n')[0] + '\n')  # it was cut behind its first case
        self.run_toy('run', '--resume')
        self.assertEqual([(record['case'], record['cell_id'], record['baseline']) for record in self.records()], [(record['case'], record['cell_id'], record['baseline']) for record in whole])
        self.write('toy.yaml', (self.folder / 'toy.yaml').read_text().replace('cases:\n', 'cases:\n' + case.replace('micro_batches: 4', 'micro_batches: 2')))
        self.expect(3, 'toy.yaml', '--out', 'run', '--resume', err="run: holds a cell that toy.yaml lacks in case 0, '.*': --resume goes on with the experiment that it began")

    def test_a_run_that_recorded_nothing_names_no_records(self):
        self.expect(124, 'toy.yaml', '--out', 'run', '--deadline', '1e-9', out='^$', err='the deadline of 1e-09 s is over')
        self.assertFalse((self.folder / 'run/records.jsonl').exists())

    def test_an_artifact_that_finds_no_room_loses_no_measurement(self):
        self.run_toy('first')
        for kind in ('plan', 'trace'):
            with self.subTest(kind):
                full = self.folder / kind / self.records('first')[0]['artifacts'][kind]
                full.parent.mkdir(parents=True)
                full.symlink_to('/dev/full')
                self.run_toy(kind)
                records = self.records(kind)
                self.assertEqual([record['status'] for record in records], ['ok', 'ok'])
                self.assertEqual(records[0]['samples_s'], self.records('first')[0]['samples_s'])
                self.assertRegex(records[0]['message'], 'json: cannot be written: No space left on device')
                self.assertNotIn(kind, records[0]['artifacts'])
                self.assertIn(kind, records[1]['artifacts'])

    def test_a_full_disk_loses_the_running_cell_at_most(self):
        self.write('toy.yaml', SIMULATED + '  resharding: [resharding/send_recv, resharding/broadcast, resharding/striped]\n')
        commands = """
            mkdir run && mount -t tmpfs -o size=1m none run || exit 77
            $RHINO_BENCH toy.yaml --out run/it --filter send_recv/gpipe && head -c 2m /dev/zero > run/filler
            $RHINO_BENCH toy.yaml --out run/it --resume > full; echo $? > code
            cp run/it/records.jsonl after_full
            rm run/filler && $RHINO_BENCH toy.yaml --out run/it --resume && cp run/it/records.jsonl after_all
        """
        done = subprocess.run(['unshare', '-rm', 'sh', '-c', commands], cwd=self.folder, text=True, capture_output=True)
        if done.returncode == 77 or 'unshare failed' in done.stderr:
            self.skipTest('no file system of its own may be mounted here: ' + done.stderr)
        self.assertEqual((self.folder / 'code').read_text(), '10\n', done.stderr)
        told = re.split(r'rhino-bench: run/it/\w+\.jsonl: cannot be written: No space left on device; '
                        r'--resume --out run/it runs the rest:\n', done.stderr)[1]
        first, every = (self.folder / 'after_full').read_text(), (self.folder / 'after_all').read_text()
        self.assertEqual(every.count('\n'), 6)
        self.assertEqual(first.count('\n') + told.count('  branching'), 6, done.stderr)
        self.assertTrue(every.startswith(first) and first.endswith('\n'))

    def test_a_plan_is_explained_and_run_again(self):
        self.run_toy()
        plan = 'run/' + self.records()[0]['artifacts']['plan']
        self.expect(0, 'explain', plan, out='(?s)forward.*backward')
        self.run_toy('again', '--plan', plan, '--filter', 'gpipe')
        again = {record['label']: record for record in self.records('again')}
        first = {record['label']: record for record in self.records()}
        for label, record in again.items():
            self.assertEqual(record['samples_s'], first[label]['samples_s'])

    def test_a_plan_runs_only_in_a_cell_that_it_fits(self):
        self.run_toy()
        plan = 'run/' + self.records()[0]['artifacts']['plan']
        case = SIMULATED.replace('[schedule/gpipe, schedule/1f1b]', 'schedule/gpipe')
        sets = {  # what of the cell differs from the plan's, and the words for it
            'schedule': ('schedule/gpipe', 'schedule/1f1b', 'the plan is of schedule/gpipe, and the cell of schedule/1f1b'),
            'batch': ('global: 8', 'global: 16', 'global batch 8 .*, and the cell of .*global batch 16 '),
            'micro-batches': ('micro_batches: 4', 'micro_batches: 2', 'the plan is of 4 micro-batches, which the cell does not allow'),
            'model': ('width: 16', 'width: 8', r'branching\(depth=4, width=16\).*and the cell of branching\(depth=4, width=8\)'),
            'optimizer': ('backend: simulate', 'backend: simulate\n    optimizer: sgd', 'adam, .*and the cell of .* sgd, '),
            'search': ('strategies/stages.yaml', 'strategies/other.yaml', 'of strategies/stages.yaml, and the cell of strategies/other.yaml'),
            'cluster': ('topology: toy', 'topology: large', "'toy' of 4 devices on 2 hosts, and the cell of cluster 'large' of 6 devices on 2 hosts"),
        }
        self.write('strategies/other.yaml', 'name: other\nmesh: {stage: 2, data: 1}\n')
        self.write('topologies/large.yaml', TOPOLOGY.replace('name: toy\nsource', 'name: large\nsource').replace('per_host: 2', 'per_host: 3'))
        for what, (old, new, sentence) in sets.items():
            with self.subTest(what):
                self.assertIn(old, case)
                self.write('other.yaml', case.replace(old, new))
                self.expect(3, 'other.yaml', '--plan', plan, '--out', 'never', err=sentence)
                self.assertFalse((self.folder / 'never').exists())

    def test_a_plan_file_is_not_trusted(self):
        self.run_toy()
        plan = self.folder / 'run' / self.records()[0]['artifacts']['plan']
        text = plan.read_text()
        case = ('toy.yaml', '--filter', 'gpipe', '--out', 'never', '--plan', 'x.json')
        self.expect(3, *case, err='x.json: cannot be read')
        self.write('x.json', text[:1000])
        self.expect(3, *case, err='x.json: not a whole rhino-bench plan: parse error at line ')
        content = json.loads(text)
        cluster = next(i for i, part in enumerate(content['content']) if isinstance(part, list) and part and part[0] == 'toy')
        device = content['content'][cluster][4][0]  # models
        self.assertEqual(device[2], 1e9)
        device[2] = 0
        for role in content['content'][-1]:
            role[-2] = 18 << 30  # the arena
        self.write('x.json', json.dumps(content))
        self.expect(3, *case, err='device 0 needs 193[0-9]* bytes .* and has 1000000000')

    def test_cells_that_workers_cannot_run_are_refused_before_anything_runs(self):
        for backend, sentence in [('ucx', "toy.yaml:3: the devices of topology 'toy' are modelled, and backend ucx runs real ones"),
                                  ('nccl', 'toy.yaml:3: backend nccl moves memory of GPUs, and device cpu is none: `device: cuda`')]:
            self.write('toy.yaml', SIMULATED.replace('backend: simulate', f'backend: {backend}'))
            self.expect(3, 'toy.yaml', '--out', 'never', err=sentence)
            self.expect(3, 'check', 'toy.yaml', out='^$', err=sentence)
        self.assertFalse((self.folder / 'never').exists())

    def test_a_strategy_that_names_what_the_program_lacks_is_an_input_error(self):
        for text, sentence in [('shard: [{match: "no.such.*", dims: {0: data}}]', r"stages.yaml:3: pattern 'no.such.\*' matches no input"),
                               ('shard: [{match: "*", dims: {heads: data}}]', r"stages.yaml:3: .* has no dim 'heads'"),
                               ('chunks: {nothing: 0}', r"stages.yaml:3: the program has no value 'nothing'")]:
            self.write('strategies/stages.yaml', f'name: stages\nmesh: {{stage: 2, data: 1}}\n{text}\n')
            for command in ((), ('check',), ('search',)):
                self.expect(3, *command, 'toy.yaml', *(() if command else ('--out', 'never')), err=sentence)
        self.assertFalse((self.folder / 'never').exists())

    def test_a_strategy_over_all_devices_scales_with_them(self):
        self.write('strategies/stages.yaml', 'name: stages\nmesh: {stage: 2, data: all}\n')
        self.run_toy()
        plan = json.loads((self.folder / 'run' / self.records()[0]['artifacts']['plan']).read_text())
        self.assertEqual([role[0][1] for role in plan['content'][-1]], [[0, 1], [2, 3]])
        self.write('strategies/stages.yaml', 'name: stages\nmesh: {stage: 2, data: all, tensor: all}\n')
        self.expect(3, 'toy.yaml', '--out', 'never', err='stages.yaml:2: .*one axis, and not stage, may take all devices')

    def test_the_bound_is_that_of_the_cell_whatever_the_plan(self):
        self.write('strategies/one.yaml', 'name: one\nmesh: {stage: 1, data: 1}\n')
        self.write('topologies/toy.yaml', TOPOLOGY.replace('memory_bytes_per_s: 1e11', 'memory_bytes_per_s: 1e15'))
        self.write('toy.yaml', SIMULATED + '  search: [strategies/stages.yaml, strategies/one.yaml]\n')
        self.write('toy.yaml', (self.folder / 'toy.yaml').read_text().replace('    search: strategies/stages.yaml\n', ''))
        result = self.run_toy()
        records = self.records()
        self.assertEqual(len({record['bound']['seconds'] for record in records}), 1)
        self.assertEqual(len({record['bound']['plan_seconds'] for record in records}), 2)
        for record in records:
            self.assertLessEqual(record['bound']['seconds'], record['bound']['plan_seconds'])
            self.assertLessEqual(record['bound']['plan_seconds'], record['samples_s'][0])
        self.assertIn("plan's bound", result.out)

    def test_a_model_that_does_not_fit_is_infeasible_with_the_bytes(self):
        self.write('topologies/toy.yaml', TOPOLOGY.replace('memory_bytes: 1e9', 'memory_bytes: 1e3'))
        self.expect(5, 'toy.yaml', '--out', 'run', out='infeasible.*memory per device')
        self.assertEqual({record['status'] for record in self.records()}, {'infeasible'})
        self.expect(5, 'check', 'toy.yaml', out='infeasible')

    def test_more_micro_batches_are_hinted_at_where_memory_lacks_alone(self):
        hint = r"; the case allows 1 micro-batch alone, and 'micro_batches: any' all up to 1024 that divide its batch"
        case = 'name: toy\ncases:\n  - {topology: TOPOLOGY, model: {gpt: {preset: 1m}}, batch: {global: 8COUNTS}, backend: simulate, search: SEARCH}\n'
        self.write('topologies/tiny.yaml', TOPOLOGY.replace('name: toy', 'name: tiny').replace('memory_bytes: 1e9', 'memory_bytes: 1e6'))
        for topology, counts, search, is_hinted in [
                ('tiny', '', '{search/grid: {}}', True),
                ('tiny', ', micro_batches: [1, 2]', '{search/grid: {}}', False),  # several are allowed
                ('toy', '', '{search/rhino: {stages: 5}}', False)]:  # memory is not what lacks
            with self.subTest(topology=topology, counts=counts, search=search):
                self.write('toy.yaml', case.replace('TOPOLOGY', topology).replace('COUNTS', counts).replace('SEARCH', search))
                result = self.expect(5, 'check', 'toy.yaml', out='infeasible: ')
                self.assertEqual(re.search(hint, result.out) is not None, is_hinted, result)

    def test_a_file_without_end_is_refused(self):
        self.expect(3, '/dev/zero', err='/dev/zero: is longer than the 16777216 bytes that such a file may have')

    def test_rows_tell_the_optimizers_and_counts_of_micro_batches_apart_that_differ(self):
        case, matrix = SIMULATED.split('matrix:')
        self.write('toy.yaml', case + '    optimizer: [adam, {sgd: {}}]\nmatrix:' + matrix)
        result = self.run_toy()
        self.assertRegex(result.out, r'search \| schedule \| resharding \| optimizer ')
        for row in (r'gpipe \| send_recv \| adam ', r'1f1b \| send_recv \| sgd '):
            self.assertRegex(result.out, row)
        self.expect(0, 'toy.yaml', '--out', 'one', '--filter', '1f1b/sgd', out='1 cell|1f1b')

    def test_a_strategy_for_more_devices_than_there_are_says_so(self):
        self.write('strategies/stages.yaml', 'name: stages\nmesh: {stage: 8}\n')
        self.expect(5, 'toy.yaml', '--out', 'run', out="wants 8 devices, and topology 'toy' has 4")


class Afterwards(RunTest):
    def edit_records(self, run, edit):
        path = self.folder / run / 'records.jsonl'
        records = self.records(run)
        for record in records:
            edit(record)
        path.write_text(''.join(json.dumps(record) + '\n' for record in records))

    def measured(self, factors):
        """As if workers had run, in a round per factor."""
        def edit(record):
            step_s = record['samples_s'][0]
            record['independent']['backend'] = 'ucx'
            record['samples_s'] = [step_s * factor for factor in factors]
            record['rounds'] = [{'number': number, 'seconds': seconds, 'samples_s': [seconds], 'disturbed': False,
                                 'probe': {'dot_s': 1, 'stream_s': 1, 'others': 0}} for number, seconds in enumerate(record['samples_s'])]
        return edit

    def test_compare_tells_equal_slower_faster_and_noisy_runs_apart(self):
        self.run_toy('before')
        self.expect(0, 'compare', 'before', 'before', out=r'(?m)^same +branching.* 1\.000x \[')
        self.edit_records('before', self.measured((1, 1.01, 0.99, 1, 1)))
        for name, factors, code, line in [('equal', (1, 1.01, 0.99, 1, 1), 0, r'same .*x \['), ('slower', (1.2, 1.21, 1.19, 1.2, 1.2), 6, r'slower .*x \['),
                                          ('faster', (0.8, 0.81, 0.8, 0.79, 0.8), 0, r'faster .*x \['),
                                          ('noisy', (0.7, 1.4, 1, 0.8, 1.3), 9, r'inconclusive .*: \d+ rounds of each would decide'),
                                          ('short', (1.2,), 9, 'inconclusive .*: a verdict takes 5 rounds of each or more')]:
            with self.subTest(name):
                self.run_toy(name)
                self.edit_records(name, self.measured(factors))
                self.expect(code, 'compare', 'before', name, out=f'(?m)^{line}')

    def test_compare_tells_nothing_of_rounds_that_took_no_time(self):
        for run, seconds in (('before', 0), ('after', 1)):
            self.run_toy(run)
            self.edit_records(run, self.measured([seconds] * 5))
        for runs in (('before', 'after'), ('after', 'before')):
            self.expect(0, 'compare', *runs, out=r'^(untimed .*\n)+$')
        self.edit_records('after', lambda record: record.update(samples_s=['nan']))
        self.expect(3, 'compare', 'before', 'after', out='^$', err=r'after/records.jsonl:1: seconds are expected where there is -?nan')

    def test_compare_takes_a_cell_that_no_longer_ends_well_for_a_regression(self):
        self.run_toy('before')
        self.run_toy('after')

        def fail(record):
            record.update(status='failed', message='rank 1 died', samples_s=[])
        self.edit_records('after', fail)
        self.expect(6, 'compare', 'before', 'after', out='broken .*ok before, now failed: rank 1 died')
        self.expect(0, 'compare', 'after', 'before', out='mended ')

    def test_compare_pairs_cells_by_all_that_sets_them_apart_and_reports_what_has_no_pair(self):
        self.run_toy('before')
        self.run_toy('after', '--filter', '1f1b')
        self.edit_records('after', lambda record: record.update(cell_id='0', label='other'))
        self.expect(0, 'compare', 'before', 'after', out='(?s)same .*other.*unpaired .*gpipe: only in before')
        self.write('toy.yaml', SIMULATED.replace('global: 8', 'global: 16'))
        self.run_toy('larger', '--filter', '1f1b')
        self.expect(8, 'compare', 'before', 'larger', err='no cell in common')
        self.expect(3, 'compare', 'before', 'nowhere', err='nowhere')

    def test_trace_merges_the_timelines_of_all_cells(self):
        self.run_toy()
        self.expect(0, 'trace', 'run', out='all of them: run/trace.json')
        trace = json.loads((self.folder / 'run/trace.json').read_text())
        events = [event for event in trace['traceEvents'] if event['ph'] == 'X']
        processes = {event['pid']: event['args']['name'] for event in trace['traceEvents'] if event['name'] == 'process_name'}
        self.assertEqual(len(processes), 4, 'two cells of two devices')
        self.assertTrue(all('device ' in name for name in processes.values()), processes)
        names = {event['name'] for event in events}
        self.assertLessEqual({'forward chunk 0 micro-batch 0', 'backward chunk 1 micro-batch 3'}, names)
        rows = {event['args']['name'] for event in trace['traceEvents'] if event['name'] == 'thread_name'}
        self.assertLessEqual({'compute', 'wait', 'communication'}, rows)
        self.assertTrue(all(event['ts'] >= 0 and event['dur'] >= 0 for event in events))

    def test_events_of_a_row_do_not_overlap(self):
        self.run_toy()
        self.expect(0, 'trace', 'run', '--filter', '1f1b', '--out', 'one.json')
        trace = json.loads((self.folder / 'one.json').read_text())
        ends = {}
        for event in sorted((e for e in trace['traceEvents'] if e['ph'] == 'X'), key=lambda e: (e['ts'], e['ts'] + e['dur'])):
            row = event['pid'], event['tid']
            self.assertGreaterEqual(event['ts'], ends.get(row, 0) - 1e-6)
            ends[row] = event['ts'] + event['dur']

    def test_trace_without_a_trace_to_show(self):
        self.run_toy()
        self.expect(8, 'trace', 'run', '--filter', 'zzz', err='no cell of run that matches has a trace')
        self.expect(3, 'trace', 'nowhere', err='nowhere')

    def test_timeline_draws_the_passes_of_all_cells_over_one_axis(self):
        self.run_toy()
        self.expect(0, 'timeline', 'run', out='run/timeline.svg: 2 cells')
        drawn = collections.defaultdict(list)  # by what the tooltip says
        picture = xml.etree.ElementTree.parse(self.folder / 'run/timeline.svg').getroot()
        svg = '{http://www.w3.org/2000/svg}'
        for rect in picture.iter(svg + 'rect'):
            if rect.find(svg + 'title') is not None:
                drawn[rect.findtext(svg + 'title').split(':')[0]].append(rect)
        events = collections.defaultdict(list)
        for record in self.records():
            trace = json.loads((self.folder / 'run' / record['artifacts']['trace']).read_text())
            for event in trace['traceEvents']:
                if event['ph'] == 'X':
                    events[event['name']].append((event['ts'], event['dur']))
        self.assertLessEqual({'forward chunk 0 micro-batch 0', 'backward chunk 1 micro-batch 3'}, set(events))
        self.assertEqual(events.keys(), drawn.keys())
        last_us = max(ts + dur for times in events.values() for ts, dur in times)
        scale, left = (1280 - 130 - 24) / last_us, 130
        for name, times in events.items():
            at = [(float(rect.get('x')), float(rect.get('width'))) for rect in drawn[name]]
            for ts, dur in times:
                near = [abs(x - left - ts * scale) + abs(width - dur * scale) for x, width in at]
                self.assertLess(min(near), 0.02, f'{name} at {ts} us is not drawn')
        texts = [text.text for text in picture.iter(svg + 'text')]
        for record in self.records():
            self.assertIn(record['label'], texts)
        self.assertTrue(any(re.search(r'^step .* bubble .* bound ', text) for text in texts), texts)

    def test_timeline_of_a_torn_trace_or_of_none_says_so(self):
        self.run_toy()
        self.expect(8, 'timeline', 'run', '--filter', 'zzz', err='no cell of run that matches has a trace')
        record = self.records()[0]
        (self.folder / 'run' / record['artifacts']['trace']).write_text('{"traceEvents": [{}]}')
        self.expect(3, 'timeline', 'run', err=f"the trace of {re.escape(record['label'])} is torn")


if __name__ == '__main__':
    unittest.main()
