# SPDX-License-Identifier: Apache-2.0
"""Strategies that `search --save` writes, and that experiments run again."""
import json
import unittest

from bench import BenchTest

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
        records = [json.loads(line) for line in self.text('run/records.jsonl').splitlines()]
        self.assertEqual([record['status'].split(',')[0] for record in records], ['ok', 'ok'])
        plans = [json.loads(self.text('run/' + record['artifacts']['plan'])) for record in records]
        for plan in plans:
            # Not the cell's name, its searcher, and the memory that was free just then.
            plan['content'] = plan['content'][2:6] + plan['content'][7:]
        return records, plans

    def test_a_saved_strategy_gets_the_plan_and_the_simulated_time_of_its_search(self):
        for search in ('search/grid', '{search/grid: {stage: 2, tensor: 2}}', '{search/grid: {data: 4}}'):
            with self.subTest(search=search):
                (self.folder / 'saved.yaml').unlink(missing_ok=True)
                records, plans = self.run_both(search)
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
        self.searched(str([f'all/{name}' for name in files]))
        self.expect(0, 'check', 'searched.yaml', out='stage 4 x data 1')

    def test_a_saved_strategy_wants_a_case_that_allows_its_micro_batches(self):
        self.searched('[search/grid]')
        self.expect(0, 'search', 'searched.yaml', '--save', 'saved.yaml')
        self.searched('[saved.yaml]')
        self.write('searched.yaml', self.text('searched.yaml').replace('[2, 4]', '[8]'))
        self.expect(3, 'searched.yaml', '--out', 'run', err='micro-batches, which the case does not allow')


if __name__ == '__main__':
    unittest.main()
