# SPDX-License-Identifier: Apache-2.0
"""Sweeps: parts of an experiment, and the run that they come to."""
import json
import re
import subprocess
import unittest

from bench import BENCH, BenchTest, SIMULATED

# Five cases of two cells.
SWEEP = SIMULATED.replace('{global: 8, micro_batches: 4}', '[' + ', '.join(f'{{global: {size}, micro_batches: 4}}' for size in (8, 16, 32, 64, 128)) + ']')


class ShardTest(BenchTest):
    def setUp(self):
        super().setUp()
        self.write('toy.yaml', SWEEP)
        self.array = {}

    def environment(self):
        return dict(super().environment(), **self.array)

    def in_array(self, task, least, most, count, step=1):
        names = ('ID', 'MIN', 'MAX', 'COUNT', 'STEP')
        self.array = {f'SLURM_ARRAY_TASK_{name}': str(value) for name, value in zip(names, (task, least, most, count, step))}


class Shards(ShardTest):
    def test_shards_are_all_cells_once_by_whole_cases(self):
        every = self.expect(0, 'toy.yaml', '--dry-run').out.splitlines()
        self.assertEqual(len(every), 10)
        for count in (1, 2, 3, 5):
            parts = [self.expect(0, 'toy.yaml', '--dry-run', '--shard', f'{i}/{count}').out.splitlines() for i in range(1, count + 1)]
            self.assertEqual(sorted(sum(parts, [])), sorted(every))
            self.assertLessEqual(max(map(len, parts)) - min(map(len, parts)), 2, 'a case is two cells')
            for part in parts:
                cases = [every.index(name) // 2 for name in part]
                self.assertEqual(sorted(cases), sorted(list(set(cases)) * 2), 'whole cases')

    def test_a_task_of_a_slurm_array_is_a_shard(self):
        for index in (1, 2, 3):
            given = self.expect(0, 'toy.yaml', '--dry-run', '--shard', f'{index}/3', err=fr'^shard {index}/3: \d of 10 cells\n$')
            self.in_array(7 + 5 * (index - 1), 7, 17, 3, 5)
            told = self.expect(0, 'toy.yaml', '--dry-run', err=fr'^shard {index}/3 of a Slurm array: \d of 10 cells\n$')
            self.assertEqual(told.out, given.out)
            self.assertEqual(len(self.expect(0, 'toy.yaml', '--dry-run', '--shard', '1/1', err='^$').out.splitlines()), 10)
            self.array = {}
        self.in_array(5, 1, 8, 3)
        self.expect(2, 'toy.yaml', '--dry-run', out='^$', err=r'^rhino-bench: task 5 of a Slurm array of 3 from 1 to 8, which is no range .*\n$')

    def test_a_shard_that_is_none_is_refused(self):
        for word in ('0/4', '5/4', 'x', '1/', '1/4/2', '-1/2'):
            self.expect(2, 'toy.yaml', f'--shard={word}', out='^$', err=f"^rhino-bench: --shard: '{re.escape(word)}' is none; .*\n$")
        self.assertFalse((self.folder / 'results').exists())

    def test_a_shard_without_a_case_is_no_failure(self):
        self.expect(0, 'toy.yaml', '--shard', '6/6', out='^$', err='^shard 6/6: none of 10 cells: fewer cases than shards\n$')
        self.assertFalse((self.folder / 'results').exists())
        self.expect(8, 'toy.yaml', '--shard', '1/2', '--filter', 'nothing like it', err='no cell of toy.yaml matches')

    def test_what_a_filter_leaves_is_shared_out(self):
        every = self.expect(0, 'toy.yaml', '--dry-run', '--filter', '1f1b').out.splitlines()
        parts = [self.expect(0, 'toy.yaml', '--dry-run', '--filter', '1f1b', '--shard', f'{i}/2').out.splitlines() for i in (1, 2)]
        self.assertEqual(sorted(parts[0] + parts[1]), sorted(every))
        self.assertEqual(sorted(map(len, parts)), [2, 3])

    def test_shards_have_folders_of_their_own_and_are_resumed(self):
        benches = [subprocess.Popen([BENCH, 'toy.yaml', '--shard', f'{i}/2'], cwd=self.folder, env=self.environment(), text=True,
                                    stdout=subprocess.PIPE, stderr=subprocess.PIPE) for i in (1, 2, 1, 2)]
        for bench in benches:
            out, err = bench.communicate(timeout=120)
            self.assertEqual(bench.returncode, 0, err)
            self.assertRegex(out, r'(?m)^shard [12]/2: [46] of 10 cells$')
        runs = sorted(path.name for path in (self.folder / 'results').iterdir())
        self.assertEqual(len(runs), 4)
        for run in runs:
            self.assertRegex(run, r'^toy-\d{8}-\d{6}-shard[12]of2(-2)?$')
            self.assertEqual(len(self.records('results/' + run)), 6 if 'shard1of2' in run else 4)
        one = 'results/' + runs[0]
        self.expect(0, 'toy.yaml', '--resume', '--out', one, '--shard', '1/2')
        self.assertEqual(len(self.records(one)), 6)
        self.expect(0, 'toy.yaml', '--resume', '--out', one, '--shard', '2/2')
        self.assertEqual(len(self.records(one)), 10)


class Merge(ShardTest):
    def tables(self, text):
        """Without what searching took."""
        return [line for line in text.splitlines() if ' | ' in line]

    def shards(self, *further):
        for i in (1, 2):
            self.expect(0, 'toy.yaml', '--shard', f'{i}/2', '--out', f's{i}', *further)

    def content(self, run):
        return {str(path.relative_to(self.folder / run)): path.read_bytes() for path in sorted((self.folder / run).rglob('*')) if path.is_file()}

    def test_merged_shards_are_the_run_that_was_never_shared_out(self):
        whole = self.expect(0, 'toy.yaml', '--out', 'whole')
        self.shards()
        before = self.content('s1'), self.content('s2')
        merged = self.expect(0, 'store', 'merge', 'all', 's2', 's1', err='^$')
        self.assertEqual((self.content('s1'), self.content('s2')), before)
        self.assertEqual(self.tables(merged.out), self.tables(whole.out))
        self.assertEqual(self.tables(self.expect(0, 'store', 'show', 'all').out), self.tables(whole.out))
        self.assertEqual([record['label'] for record in self.records('all')], [record['label'] for record in self.records('whole')])
        for record in self.records('all'):
            for kind in ('plan', 'trace'):
                self.assertEqual((self.folder / 'all' / record['artifacts'][kind]).read_bytes(),
                                 (self.folder / 'whole' / record['artifacts'][kind]).read_bytes())
        self.expect(0, 'compare', 'whole', 'all', out=r'(?m)^same .*1\.000x')
        self.expect(0, 'trace', 'all')
        self.expect(0, 'timeline', 'all', out='10 cells')
        self.expect(0, 'toy.yaml', '--resume', '--out', 'all')
        self.assertEqual(len(self.records('all')), 10)
        self.expect(0, 'store', 'merge', 'again', 'all', 's1', 's2', err='^$')
        self.expect(3, 'store', 'merge', 'again', 's1', 's2', err='again: is there already')

    def test_a_merged_part_is_gone_on_with(self):
        self.shards()
        self.expect(0, 'store', 'show', 's1', out='(?m)^6 of 10 cells have records$')
        self.expect(0, 'store', 'merge', 'part/', 's1/', out='6 of 10 cells: --resume --out part runs the rest')
        self.expect(0, 'toy.yaml', '--resume', '--out', 'part')
        self.assertEqual(len(self.records('part')), 10)
        self.assertNotIn('cells have records', self.expect(0, 'store', 'show', 'part').out)

    def test_a_record_that_lacks_a_setting_has_a_row(self):
        self.shards()
        path = self.folder / 's1/records.jsonl'
        for key in ('topology', 'schedule', 'search', 'backend'):
            path.write_text(''.join(json.dumps(record | {'independent': {k: v for k, v in record['independent'].items() if k != key}}) + '\n'
                                    for record in self.records('s1')))
            self.expect(0, 'store', 'show', 's1', out=r'(?m) ok$')

    def test_what_is_not_of_one_run_is_refused(self):
        self.shards()
        for name, words, sentence in (('seed', ['--seed', '9'], 'seed: is of seed 9, not 0 '), ('cells', ['--set', 'schedule=schedule/1f1b'], "cells: is of an experiment without cell '0 .*gpipe"),
                                      ('rounds', ['--benchmark_repetitions=3'], 'rounds: is of 3 to 3 rounds of .*, not 5 to 12 ')):
            self.expect(0, 'toy.yaml', '--out', name, *words)
            self.expect(3, 'store', 'merge', 'never', 's1', name, out='^$', err=sentence)
        (self.folder / 's2/experiment.json').unlink()
        self.expect(3, 'store', 'merge', 'never', 's1', 's2', err='s2: does not say what it is a run of')
        self.assertEqual([path.name for path in self.folder.glob('never*')], [])

    def test_two_records_of_a_cell_are_a_conflict_until_one_counts(self):
        self.shards()
        self.expect(0, 'toy.yaml', '--shard', '1/2', '--out', 't1')
        self.expect(3, 'store', 'merge', 'never', 's1', 's2', 't1', err="t1: has another record of cell 'branching.*' than s1: --keep first or --keep last")
        for keep, run in (('first', 's1'), ('last', 't1')):
            self.expect(0, 'store', 'merge', keep, 's1', 's2', 't1', '--keep', keep)
            self.assertEqual({record['run_id'] for record in self.records(keep)}, {'s2', run})
        self.expect(2, 'store', 'merge', 'x')
        self.expect(2, 'store', 'grow', 'x', 'y')
        self.expect(2, 'store', 'merge', 'x', 's1', '--keep', 'both')

    def test_a_verdict_keeps_what_it_compares_with(self):
        self.write('toy.yaml', SWEEP + 'baselines:\n  base: {schedule: schedule/gpipe}\n')
        self.expect(0, 'toy.yaml', '--out', 'whole')
        self.expect(0, 'toy.yaml', '--out', 'base', '--filter', 'gpipe')
        self.expect(3, 'store', 'merge', 'never', 'whole', 'base', '--keep', 'last', err="was compared there with baseline 'base', which would come from another run")
        self.expect(0, 'store', 'merge', 'kept', 'whole', 'base', '--keep', 'first')

    def test_a_record_that_names_a_file_elsewhere_takes_nothing_along(self):
        self.shards()
        path = self.folder / 's1/records.jsonl'
        path.write_text(path.read_text().replace('plans/', '../s2/plans/', 1))
        self.expect(3, 'store', 'merge', 'never', 's1', err='names a plan outside of it: ../s2/plans/')
        self.assertEqual([path.name for path in self.folder.glob('never*')], [])

    def test_without_room_there_is_no_merged_run(self):
        self.shards()
        commands = 'mkdir full && mount -t tmpfs -o size=64k none full || exit 77; $RHINO_BENCH store merge full/all s1 s2; echo $?; ls full'
        done = subprocess.run(['unshare', '-rm', 'sh', '-c', commands], cwd=self.folder, text=True, capture_output=True)
        if done.returncode == 77 or 'unshare failed' in done.stderr:
            self.skipTest('no file system of its own may be mounted here: ' + done.stderr)
        self.assertEqual(done.stdout, '10\n', done.stderr)
        self.assertIn('No space left on device', done.stderr)


if __name__ == '__main__':
    unittest.main()
