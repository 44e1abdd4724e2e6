# SPDX-License-Identifier: Apache-2.0
"""Sweeps: parts of an experiment, and the run that they come to."""
import os
import re
import subprocess
import unittest

from bench import BENCH, BenchTest, Result, SIMULATED

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


if __name__ == '__main__':
    unittest.main()
