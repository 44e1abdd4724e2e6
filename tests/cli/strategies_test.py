# SPDX-License-Identifier: Apache-2.0
"""Strategies that `search --save` writes, and that experiments run again."""
import json
import re
import unittest

from bench import SOURCE, BenchTest, TOPOLOGY

SEARCHED = """\
name: searched
cases:
  - topology: {topology}
    model: {{gpt: {{preset: 1m}}}}
    batch: {{global: 8, micro_batches: {counts}}}
    backend: {backend}
matrix:
  search: {searches}
"""


class SavedStrategies(BenchTest):
    def searched(self, searches, topology='toy', backend='simulate', counts=[2, 4]):
        self.write('searched.yaml', SEARCHED.format(searches=searches, topology=topology, backend=backend, counts=counts))

    def text(self, name):
        return (self.folder / name).read_text()

    def run_both(self, search, **case):
        """What the search and the saved strategy get in one run: records and plans."""
        self.searched(f'[{search}]', **case)
        self.expect(0, 'search', 'searched.yaml', '--save', 'saved.yaml', out=r'saved to saved\.yaml')
        self.searched(f'[{search}, saved.yaml]', **case)
        self.expect(0, 'searched.yaml', '--out', 'run')
        records = self.records()
        self.assertEqual([record['status'].split(',')[0] for record in records], ['ok', 'ok'])
        plans = [json.loads(self.text('run/' + record['artifacts']['plan'])) for record in records]
        for plan in plans:
            # Not the cell's name, its searcher, and the memory that was free just then.
            plan['content'] = plan['content'][2:8] + plan['content'][9:]
        return records, plans

    def test_what_zero_does_not_split_is_said(self):
        # All dims divide by 4 devices and none by 6.
        for hosts, said in ((2, False), (3, True)):
            with self.subTest(hosts=hosts):
                self.write('zero.yaml', 'name: zero\ncases:\n'
                           f'  - topology: {{p3_8xlarge: {{hosts: {hosts}, devices_per_host: 2}}}}\n'
                           '    model: {branching: {width: 16, depth: 2}}\n    batch: {global: 12}\n    backend: simulate\n    optimizer: {adam: {}}\n'
                           'matrix: {search: [{strategies/data_parallel.yaml: {zero: 0}}, {strategies/data_parallel.yaml: {zero: 1}}, {strategies/data_parallel.yaml: {zero: 3}}]}\n')
                out = f'zero{hosts}'
                self.expect(0, 'zero.yaml', '--out', out)
                messages = [record['message'] for record in self.records(out)]
                self.assertEqual(messages[0], '')
                for stage, message in zip((1, 3), messages[1:]):
                    self.assertRegex(message, rf'^zero {stage} splits 0\.00 MB of 0\.\d\d MB: no dim of the rest divides by the 6 devices that share a batch$' if said else '^$')

    def test_devices_that_all_cannot_take_are_said(self):
        self.write('idle.yaml', 'name: idle\ncases:\n  - topology: {p3_8xlarge: {hosts: 3, devices_per_host: 2}}\n'
                   '    model: {branching: {width: 16, depth: 4}}\n    batch: {global: 12}\n    backend: simulate\n'
                   'matrix: {search: [{strategies/data_parallel.yaml: {stage: 2}}, {strategies/data_parallel.yaml: {stage: 4}}, {strategies/data_parallel.yaml: {data: 4}}]}\n')
        self.expect(0, 'idle.yaml', '--out', 'idle')
        self.assertEqual([record['message'] for record in self.records('idle')],
                         ['', "2 of 6 devices have no part: axis 'data' takes as many as the others leave, and theirs do not divide them", ''])

    def test_a_saved_strategy_gets_the_plan_and_the_simulated_time_of_its_search(self):
        for search in ('search/grid', '{search/grid: {stage: 2, tensor: 2}}', '{search/grid: {data: 4}}'):
            with self.subTest(search=search):
                (self.folder / 'saved.yaml').unlink(missing_ok=True)
                records, plans = self.run_both(search)
                self.assertEqual(records[0]['samples_s'], records[1]['samples_s'])
                self.assertEqual(plans[0], plans[1])
                (self.folder / 'run' / 'records.jsonl').unlink()

    def test_a_saved_answer_to_a_pinned_search_gets_its_plan_without_the_pins(self):
        for pinned in ('{search/grid: {stage: 1}, pin: [{match: "*.mlp.up.weight", split: hidden}]}',
                       '{search/rhino: {stages: 2}, pin: [{match: "h0.mlp.up.weight", split: []}]}'):
            with self.subTest(search=pinned):
                (self.folder / 'saved.yaml').unlink(missing_ok=True)
                records, plans = self.run_both(pinned)
                self.assertEqual(records[0]['samples_s'], records[1]['samples_s'])
                self.assertEqual(plans[0], plans[1])
                (self.folder / 'run' / 'records.jsonl').unlink()

    def test_a_saved_strategy_gets_the_plan_of_its_search_on_workers(self):
        # One count: each search stands on a calibration of its own, and may well prefer another.
        records, plans = self.run_both('{search/grid: {stage: 2}}', topology='{local: {devices: 2}}', backend='ucx', counts=[4])
        self.assertEqual(plans[0], plans[1])
        self.assertEqual(records[0]['prediction']['step_s'], records[1]['prediction']['step_s'])

    def test_a_saved_strategy_says_where_it_comes_from(self):
        self.searched('[search/grid]')
        self.expect(0, 'search', 'searched.yaml', '--save', 'saved.yaml')
        self.assertRegex(self.text('saved.yaml'),
                         r'^# Found by search/grid for gpt\(preset=1m\), global batch 8, on toy:\n'
                         r'# [0-9.e-]+ s a step predicted with schedule/1f1b and resharding/send_recv\.\n')
        self.expect(0, 'check', 'saved.yaml', out='a strategy of . stages')

    def test_a_file_is_replaced_only_on_demand(self):
        self.searched('[search/grid]')
        self.write('saved.yaml', 'mine')
        self.expect(3, 'search', 'searched.yaml', '--save', 'saved.yaml', err='saved.yaml is there already: --overwrite')
        self.assertEqual(self.text('saved.yaml'), 'mine')
        self.expect(0, 'search', 'searched.yaml', '--save', 'saved.yaml', '--overwrite')
        self.assertIn('micro_batches', self.text('saved.yaml'))

    def test_one_file_takes_one_cell_and_a_folder_all(self):
        self.searched('[search/grid, {search/grid: {stage: 4}}]')
        self.expect(2, 'search', 'searched.yaml', '--save', 'saved.yaml', err='takes the strategy of one cell, and 2 match')
        self.expect(0, 'search', 'searched.yaml', '--save', 'all')
        files = sorted(path.name for path in (self.folder / 'all').iterdir())
        self.assertEqual(files, ['gpt-preset-1m-toy-grid-send_recv-1f1b.yaml',
                                 'gpt-preset-1m-toy-grid-stage-4-send_recv-1f1b.yaml'])
        (self.folder / 'all' / files[1]).unlink()
        told = self.expect(5, 'search', 'searched.yaml', '--save', 'all').out
        self.assertRegex(told, rf'(?s)  not saved: all/{files[0]} is there already: --overwrite replaces it\n.*  saved to all/{files[1]}\n')
        self.searched(str([f'all/{name}' for name in files]))
        self.expect(0, 'check', 'searched.yaml', out='stage 4 x data 1')

    def test_a_saved_strategy_wants_a_case_that_allows_its_micro_batches(self):
        self.searched('[search/grid]')
        self.expect(0, 'search', 'searched.yaml', '--save', 'saved.yaml')
        self.searched('[saved.yaml]')
        self.write('searched.yaml', self.text('searched.yaml').replace('[2, 4]', '[8]'))
        self.expect(3, 'searched.yaml', '--out', 'run', err='micro-batches, which the case does not allow')


class RankedStrategies(BenchTest):
    def test_the_gap_is_that_of_the_answer_whatever_others_are_called(self):
        self.write('x.yaml', SEARCHED.format(topology='toy', backend='simulate', counts=[1, 2, 4], searches='[search/rhino, {search/rhino: {level: 2}}, {search/rhino: {stages: 1}}]')
                   .replace('{gpt: {preset: 1m}}', '{mlp: {inputs: 60, width: 132, depth: 5, classes: 12}}'))
        self.expect(0, 'x.yaml', '--out', 'run')
        for record in self.records():
            searched, step_s = record['search'], record['summary']['median_s']
            self.assertGreater(searched['bound_s'], 0)
            self.assertAlmostEqual(searched['gap'], step_s / searched['bound_s'] - 1, delta=1e-6)

    def test_search_ranks_what_it_priced_and_sums_up_what_it_left_out(self):
        self.write('x.yaml', SEARCHED.format(topology='toy', backend='simulate', counts=[2, 4], searches='search/grid'))
        told = self.expect(0, 'search', 'x.yaml').out
        self.assertRegex(told, r'(?m)^  #  strategy +step +memory +compute +communication +bubble$')
        ranks = re.findall(r'(?m)^  (\d+)  stage \d x data \d x tensor \d, \d micro-batch(?:es)? +([\d.]+) (ms|us|s) ', told)
        times = [float(time) * {'s': 1, 'ms': 1e-3, 'us': 1e-6}[unit] for _, time, unit in ranks]
        self.assertEqual([int(rank) for rank, _, _ in ranks], list(range(1, len(ranks) + 1)), told)
        self.assertGreater(len(ranks), 1, told)  # of what by its estimate may be the quickest
        self.assertEqual(times, sorted(times))
        gain = re.search(r'(?m)^  1 is ([\d.]+) % quicker than 2: .+ less (compute|bubble)', told)
        self.assertAlmostEqual(float(gain.group(1)), 100 * (1 - times[0] / times[1]), delta=5)
        changed = re.search(r'(?m)^  rank of 1 under other prices: (.*)$', told).group(1)
        self.assertRegex(changed, r'^kernels -20 % RANK, kernels \+20 % RANK, communication -20 % RANK, communication \+20 % RANK$'
                         .replace('RANK', r'(\d+( \(\d+ is [\d.]+ % quicker\))?)'))
        self.assertRegex(told, r'(?m)^  stage +devices +memory +kernels +idle +communication$')
        self.assertRegex(told, r'(?m)^  0 +0\S*.* [kM]B +[\d.]+ .?s +[\d.]+ .?s +\w')
        self.assertRegex(told, r'(?m)^    (h\*|\*)\.attn\.qkv\.weight +f32\[128,3,4,32\] +(whole|\w+ over )')
        self.write('topologies/toy.yaml', TOPOLOGY.replace('memory_bytes: 1e9', 'memory_bytes: 1e3'))
        told = self.bench('search', 'x.yaml').out
        self.assertLess(len(told.splitlines()), 6, told)
        self.assertRegex(told, r'(?m)^  left out: \d+ alike; the first, stage .*needs .* memory')


class Overlooked(BenchTest):
    EXPERIMENT = f"""\
name: overlooked
cases:
  - topology: {SOURCE}/topologies/p3_8xlarge_x2.yaml
    model: {{gpt: {{num_layers: 8, hidden: 1024, num_heads: 16, vocabulary: 51200, sequence: 1024}}}}
    batch: {{global: 64, micro_batches: [4, 8, 16]}}
    backend: simulate
matrix:
  search: [{{search/rhino: {{level: 2, stages: 1}}}}, {{search/grid: {{stage: 1}}}}]
"""

    def test_level_2_does_not_overlook_a_mesh_whose_first_cuts_end_far_above_their_bounds(self):
        # Weights over the devices of a host, the batch over hosts: found by tables with much work alone.
        self.write('x.yaml', self.EXPERIMENT)
        self.expect(0, 'x.yaml', '--out', 'run')
        rhino, grid = (record['summary']['median_s'] for record in self.records())
        self.assertLess(rhino, 1.02 * grid)

    def test_level_3_has_all_that_level_2_has(self):
        # By tables the whole graph has a cheaper cut here, of which less lies beside kernels: 3.5 % longer.
        self.write('x.yaml', """\
name: levels
cases:
  - topology: {p3_16xlarge: {hosts: 1, devices_per_host: 3}}
    model: {gpt: {num_layers: 5, hidden: 768, num_heads: 12, vocabulary: 1000, sequence: 128}}
    batch: {global: 6, micro_batches: [1, 2]}
    backend: simulate
    schedule: schedule/1f1b
matrix:
  search: [search/rhino, {search/rhino: {level: 2}}]
""")
        self.expect(0, 'x.yaml', '--out', 'run')
        whole, segments = (record['summary']['median_s'] for record in self.records())
        self.assertLessEqual(whole, segments)


class UnlikeDevices(BenchTest):
    """Two hosts, of which one has less memory, listed first or last."""
    CLASS = """\
  - hosts: 1
    devices_per_host: 2
    device: {{kind: modelled, name: of{memory}, memory_bytes: {memory}, memory_bytes_per_s: 2e10, kernel_latency_s: 2e-7, peak_flops: {{f32: 1e11}}}}
    links: {{intra_host: {{bytes_per_s: 1e10, latency_s: 1e-6}}, inter_host: {{bytes_per_s: 5e9, latency_s: 2e-6}}}}
"""
    EXPERIMENT = """\
name: unlike
cases:
  - topology: unlike
    model: {mlp: {inputs: 60, width: 132, depth: 5, classes: 12}}
    batch: {global: 240, micro_batches: [1, 2, 4]}
    backend: simulate
    schedule: schedule/1f1b
matrix:
  search: [strategies/front.yaml, strategies/back.yaml]
"""

    def statuses(self, *memories):
        self.write('topologies/unlike.yaml', 'name: unlike\nsource: made up\nclasses:\n' + ''.join(self.CLASS.format(memory=memory) for memory in memories))
        self.write('x.yaml', self.EXPERIMENT)
        for name, last in (('front', 0), ('back', 3)):
            self.write(f'strategies/{name}.yaml', f'name: {name}\nmesh: {{stage: 2, data: 2}}\nzero: 1\nchunks: {{layer{last}.out: 0}}\n')
        self.bench('x.yaml', '--out', f'run{memories[0]}')
        records = self.records(f'run{memories[0]}')
        return [record['status'] for record in records], [record['message'] for record in records]

    def test_each_device_has_its_own_room_in_whatever_order_hosts_are_listed(self):
        self.assertEqual(self.statuses('8e5', '1e9')[0], ['ok', 'infeasible'])  # small stages lie on the small host
        statuses, messages = self.statuses('1e9', '8e5')
        self.assertEqual(statuses, ['infeasible', 'ok'])
        self.assertRegex(messages[0], r'needs [0-9.]+ MB of memory per device, and there are 800\.00 kB')


class PinnedStrategies(BenchTest):
    def searched(self, search):
        self.write('x.yaml', SEARCHED.format(topology='toy', backend='simulate', counts=[2, 4], searches=f'[{search}]'))
        return self.bench('search', 'x.yaml')

    def cut(self, told, value):
        return re.search(rf'(?m)^    {re.escape(value)} +f32\S+ +(.*?)(  \(.*)?$', told).group(1)

    def test_what_is_pinned_is_cut_so_whatever_else_is_found(self):
        for split, words in (('hidden', r'hidden over \w'), ('[]', 'whole$')):
            told = self.searched('{search/rhino: {stages: 1}, pin: [{match: "*.mlp.up.weight", split: %s}]}' % split).out
            self.assertRegex(self.cut(told, 'h*.mlp.up.weight'), f'^{words}')

    def test_a_pin_or_budget_is_refused_where_it_says_nothing(self):
        for search, sentence in (('{search/grid: {}, pin: [{match: wtf, split: []}]}', r"x.yaml:8: pattern 'wtf' matches no value"),
                                 ('{search/grid: {}, pin: [{match: wte, split: heads}]}', r"x.yaml:8: 'wte' f32\[1024,128\] has no dim 'heads'"),
                                 ('{strategies/data_parallel.yaml: {}, pin: [{match: wte, split: []}]}', 'x.yaml:8: a pin is for a searcher'),
                                 ('{strategies/data_parallel.yaml: {}, budget: {evaluations: 3}}', 'x.yaml:8: a budget is for a searcher')):
            self.searched(search)
            self.expect(3, 'search', 'x.yaml', err=sentence)


class TooLargeSearches(BenchTest):
    def test_where_nothing_fits_the_smallest_memory_that_was_found_is_told_and_suffices(self):
        toy = (self.folder / 'topologies/toy.yaml').read_text()
        for name in ('search/rhino', 'search/grid'):
            self.write('topologies/toy.yaml', toy.replace('memory_bytes: 1e9', 'memory_bytes: 2e3'))
            text = SEARCHED.format(topology='toy', backend='simulate', counts=[1, 2, 4], searches=f'[{name}]')
            self.write('x.yaml', text.replace('gpt: {preset: 1m}', 'branching: {width: 16, depth: 4}'))
            told = self.expect(5, 'search', 'x.yaml').out
            found = re.search(r'none of \d+ candidates fits in 2\.00 kB per device; the smallest that was found, .*, needs (about )?([0-9.]+) (kB|MB)$', told, re.M)
            self.assertIsNotNone(found, told)
            self.assertEqual(told.count('smallest'), 1)
            if name == 'search/rhino':
                continue  # which takes its time where memory is scarce
            # An estimate may be a little too low.
            enough = float(found[2]) * {'kB': 1e3, 'MB': 1e6}[found[3]] * (1.1 if found[1] else 1.001)
            self.write('topologies/toy.yaml', toy.replace('memory_bytes: 1e9', f'memory_bytes: {enough:.0f}'))
            self.expect(0, 'search', 'x.yaml')


class EndedSearches(BenchTest):
    """A search that would take minutes: images, transformers and long skips, on 16 devices."""
    EXPERIMENT = """\
name: ended
planning_deadline_s: 300
cases:
  - topology: toy
    model: {u_transformer: {preset: tiny}}
    batch: {global: 64, micro_batches: [1, 2, 4, 8]}
    backend: simulate
    search: {search/rhino: {}, budget: {cpu_s: 2}}
"""

    def test_a_budget_of_time_leaves_the_best_so_far_with_its_bound_and_gap_and_says_so(self):
        self.write('topologies/toy.yaml', TOPOLOGY.replace('devices_per_host: 2', 'devices_per_host: 8'))
        self.write('x.yaml', self.EXPERIMENT)
        told = self.expect(0, 'x.yaml', '--out', 'run').out
        [record] = self.records()
        self.assertEqual(record['status'], 'ok', record)
        self.assertRegex(record['message'], r'^its budget of .*2.* ended the search: the best of \d+ strategies$')
        self.assertIn(record['message'], told)
        searched, step_s = record['search'], record['summary']['median_s']
        self.assertTrue(searched['strategy'])
        self.assertGreater(searched['bound_s'], 0)
        self.assertLessEqual(searched['bound_s'], step_s)
        self.assertAlmostEqual(searched['gap'], step_s / searched['bound_s'] - 1, delta=1e-3)

    def test_a_search_that_has_nothing_when_time_runs_out_hands_in_what_takes_none(self):
        self.write('topologies/toy.yaml', TOPOLOGY.replace('devices_per_host: 2', 'devices_per_host: 8'))
        self.write('x.yaml', self.EXPERIMENT.replace('preset: tiny', 'preset: 470m').replace(
            'search: {search/rhino: {}, budget: {cpu_s: 2}}',
            'search: [{search/rhino: {level: 2}, budget: {cpu_s: 0.01}}, {search/grid: {}, budget: {cpu_s: 0.01}}]').replace('topology: toy', 'topology: large'))
        self.write('topologies/large.yaml', TOPOLOGY.replace('memory_bytes: 1e9', 'memory_bytes: 8e9').replace('name: toy\nsource', 'name: large\nsource'))
        self.expect(0, 'x.yaml', '--out', 'run')
        for record in self.records():
            self.assertEqual(record['status'], 'ok', record)
            self.assertRegex(record['message'], r'^its budget of 0.01 .* ended the search before it had found any strategy: this one takes no search$')
            searched, step_s = record['search'], record['summary']['median_s']
            self.assertTrue(searched['strategy'].startswith('data parallelism'), searched)
            self.assertGreater(searched['bound_s'], 0)
            self.assertAlmostEqual(searched['gap'], step_s / searched['bound_s'] - 1, delta=1e-3)


    def test_a_budget_ends_a_search_that_has_found_nothing(self):
        self.write('topologies/toy.yaml', TOPOLOGY.replace('devices_per_host: 2', 'devices_per_host: 8').replace('memory_bytes: 1e9', 'memory_bytes: 1e8'))
        budgets = {'cpu_s: 0.01': '0.01 s of a processor', 'evaluations: 1': '1 evaluation'}
        searches = [f'{{search/{search}: {{}}, budget: {{{budget}}}}}' for budget in budgets for search in ('rhino', 'grid')]
        self.write('x.yaml', self.EXPERIMENT.replace('preset: tiny', 'preset: 470m').replace(
            'search: {search/rhino: {}, budget: {cpu_s: 2}}', f'search: [{", ".join(searches)}]'))
        self.expect(5, 'x.yaml', '--out', 'run')
        records = self.records()
        self.assertEqual(len(records), 4)
        for record, told in zip(records, [told for told in budgets.values() for _ in range(2)]):
            self.assertEqual(record['search']['strategy'], '')
            if record['status'] == 'infeasible':  # the search had looked at all before its budget was used
                self.assertNotIn('0.01', told)
                continue
            self.assertEqual(record['status'], 'timeout', record)
            # What it needs is known once anything was estimated, for which a hundredth of a second may be too short.
            need = r' in 100\.00 MB per device; the smallest that was found, .*'
            self.assertRegex(record['message'], rf'^its budget of {told} ended the search, by when it had found no strategy that fits({need}){"?" if "0.01" in told else ""}$')
            self.assertLessEqual(record['search']['evaluated'], 1)


    def test_a_search_that_ends_as_its_budget_does_is_told_by_its_own_reasons(self):
        self.write('topologies/toy.yaml', TOPOLOGY.replace('memory_bytes: 1e9', 'memory_bytes: 5.2e6'))
        grid = '{search/grid: {stage: 1, data: 4}'

        def record_of(run, search):
            self.write('x.yaml', SEARCHED.format(topology='toy', counts=1, backend='simulate', searches=search))
            self.expect(5, 'x.yaml', '--out', run)
            return self.records(run)[0]
        free = record_of('free', f'{grid}}}')
        evaluated = free['search']['evaluated']
        held = record_of('held', f'{grid}, budget: {{evaluations: {evaluated}}}}}')
        self.assertEqual((free['status'], held['status']), ('infeasible', 'infeasible'), held['message'])
        self.assertEqual(free['message'], held['message'])
        self.assertEqual(held['search']['evaluated'], evaluated)


class WrittenStrategies(BenchTest):
    EXPERIMENT = SEARCHED.format(topology='toy', counts=2, backend='simulate',
                                 searches='strategies/gpt_megatron_sequence.yaml')

    def test_values_are_listed_as_a_file_matches_them(self):
        self.write('x.yaml', self.EXPERIMENT)
        listed = self.expect(0, 'list', 'values', 'x.yaml', out=r'^gpt\(preset=1m\), global batch 8, adam; checked: loss, gradients, updates\n').out
        rows = {row.split()[1]: row.split() for row in listed.splitlines()[2:-1]}
        for match, row in {'h*.attn.qkv.weight': 'shard 2 parameter f32[128,3,4,32] hidden qkv heads head_dim',
                           'tokens': 'shard 1 batch s32[8,64] batch sequence', 'h?.out': 'values 2 forward f32[8,64,128] 0 1 2',
                           'wte.m': 'values 1 optimizer state f32[1024,128] vocabulary hidden',
                           'wte.gradient': 'values 1 backward f32[1024,128] 0 1'}.items():
            self.assertEqual(rows[match], [row.split()[0], match, *row.split()[1:]])
        # Each row makes a rule that a file may have; what stands in the other list matches nothing.
        rules = {part: [f'{{match: ["{match}"], dims: {{}}}}' for match, row in rows.items() if row[0] == part] for part in ('shard', 'values')}
        self.write('one.yaml', 'name: one\nmesh: {data: 2}\n' + ''.join(f'{part}: [{", ".join(all)}]\n' for part, all in rules.items()))
        self.expect(0, 'check', 'x.yaml', '--set', 'search=one.yaml', out='ok: one')
        self.write('one.yaml', 'name: one\nmesh: {data: 2}\nshard: [{match: "h*.out", dims: {}}]\n')
        self.assertNotIn('ok: one', self.bench('check', 'x.yaml', '--set', 'search=one.yaml').out)
        self.write('toy.yaml', 'name: c\ncases: [{topology: toy, collective: {kind: all_reduce, bytes: 8, group: [0, 1]}}]\n')
        self.expect(8, 'list', 'values', 'toy.yaml', err='no model of toy.yaml matches')

    def test_sequence_parallelism_is_planned_as_it_is_written(self):
        self.write('x.yaml', self.EXPERIMENT)
        self.expect(0, 'x.yaml', '--out', 'run')
        plan = self.text_of_plan()
        # The embedding leaves scattered; each of the two layers gathers what its attention and its feed-forward read and
        # scatters what they make; the logits read all of it. Nothing of an activation's size is reduced whole.
        forward = plan.partition('  F0 of micro-batch 0')[2].partition('  B0 of')[0]
        self.assertEqual([len(re.findall(rf'start \d+ +{kind}: ', forward)) for kind in ('reduce-scatter', 'all-gather')], [5, 5], forward)
        self.assertEqual(set(re.findall(r'start \d+ +all-reduce: ([\d.]+ \w+)', forward)), {'512 B', '1.00 KiB'}, forward)

    def test_heads_of_a_fused_projection_are_cut_in_strides_without_a_reshard(self):
        told = {}
        for model, file in (('', 'gpt_megatron'), (', fused_qkv: true', 'gpt_megatron_fused')):
            self.write('x.yaml', self.EXPERIMENT.replace('preset: 1m', 'preset: 1m' + model))
            told[file] = self.expect(0, 'search', 'x.yaml', '--set', f'search=strategies/{file}.yaml').out
        self.assertRegex(told['gpt_megatron_fused'], r'(?m)^    h\*\.attn\.qkv\.weight +f32\[128,384\] +qkv over tensor \(of each 128\)')
        exchanged = [re.search(r'(?m)^  0 +0.*?((\d+ all-|\d+ reduce-).*)$', text).group(1) for text in told.values()]
        self.assertEqual(exchanged[0], exchanged[1])

    def text_of_plan(self):
        [plan] = (self.folder / 'run/plans').iterdir()
        return self.expect(0, 'explain', str(plan)).out


if __name__ == '__main__':
    unittest.main()
