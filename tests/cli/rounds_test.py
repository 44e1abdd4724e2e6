# SPDX-License-Identifier: Apache-2.0
"""Rounds of workers: taken in turns, journalled, gone on with; and what Google Benchmark's tools see of them."""
import json
import pathlib
import re
import signal
import subprocess
import time
import unittest

from bench import BENCH, BenchTest

EXPERIMENT = """\
name: rounds
cases:
  - {topology: fast, reshard: {name: pair, tensor: [64, 64], source: {mesh: [1], spec: [R, R]}, target: {mesh: [1], spec: [R, R]}}}
matrix:
  resharding: [resharding/send_recv, {resharding/broadcast: {order: naive}}, resharding/signal]
baselines:
  send_recv: {resharding: resharding/send_recv}
measure: {rounds: 5, max_rounds: 5, repetitions: 3, min_warmup_steps: 1}
"""
PATIENCE_S = 250  # of a wait for what is bound to happen, however busy the machine
COMPARE = pathlib.Path('/usr/share/benchmark/compare.py')
SCIPY = pathlib.Path('/usr/lib/python3/dist-packages/scipy')  # which it imports


class Rounds(BenchTest):
    def setUp(self):
        super().setUp()
        self.write('rounds.yaml', EXPERIMENT)

    def cut(self, number):
        """What the run printed that `number` ends in its second round."""
        bench = subprocess.Popen([BENCH, 'rounds.yaml', '--out', 'run'], cwd=self.folder, env=self.environment(),
                                 stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        self.addCleanup(bench.stdout.close)
        self.addCleanup(bench.wait)
        self.addCleanup(bench.kill)
        limit = time.monotonic() + PATIENCE_S
        while not any(len(record['rounds']) > 1 for record in self.records(name='rounds.jsonl')):
            self.assertIsNone(bench.poll(), 'it ended before it could be cut')
            self.assertLess(time.monotonic(), limit)
            time.sleep(0.01)
        bench.send_signal(number)
        return bench.communicate()[0]

    def test_what_a_case_came_to_before_it_was_cut_is_told(self):
        told = self.cut(signal.SIGINT)
        self.assertEqual(self.records(), [])
        table = told[told.index('so far, of a case that has not ended:\n'):]
        self.assertEqual(re.findall(r'(?m)^(send_recv|broadcast|signal)\b.* ok\b', table), ['send_recv', 'broadcast', 'signal'], told)
        shown = self.expect(0, 'store', 'show', 'run', out='(?m)^0 of 3 cells have records$').out
        self.assertIn(table.rstrip(), shown)

    def test_a_run_that_was_cut_goes_on_at_the_next_round(self):
        self.cut(signal.SIGKILL)
        self.assertEqual(self.records(), [])
        journal = {record['cell_id']: record for record in self.records(name='rounds.jsonl')}
        self.assertEqual(len(journal), 3)
        # As if it had been cut a little later, while it recorded the case: one cell is done with.
        done = next(record for record in journal.values() if not record['twin_rounds'])
        (self.folder / 'run/records.jsonl').write_text(json.dumps(done) + '\n')
        self.expect(0, 'rounds.yaml', '--out', 'run', '--resume')
        records = self.records()
        self.assertEqual(len(records), 3)
        self.assertEqual(records[0], done)
        for record in records[1:]:
            before = journal[record['cell_id']]['rounds']
            self.assertEqual(record['rounds'][:len(before)], before, 'what was measured is kept')
            self.assertEqual([round['number'] for round in record['rounds']], [0, 1, 2, 3, 4])
            self.assertEqual([len(round['samples_s']) for round in record['rounds']], [3] * 5)
            self.assertEqual(record['samples_s'], [round['seconds'] for round in record['rounds']])
        self.assertEqual(sorted(len(record['twin_rounds']) for record in records[1:]), [0, 5], 'one A/A pair')
        self.assertFalse((self.folder / 'run/rounds.jsonl').exists())

    def test_files_of_google_benchmark_are_whole_and_parse(self):
        words = ('toy.yaml', '--benchmark_format=json', '--benchmark_out=out.json')
        printed = json.loads(self.expect(0, *words, '--out', 'run').out)
        written = json.loads((self.folder / 'out.json').read_text())
        records = self.records()
        for file in (printed, written):
            self.assertEqual(file['context']['executable'], 'rhino-bench')
            times = {one['name'].split('/iterations')[0]: one['real_time'] for one in file['benchmarks']}
            self.assertEqual(set(times), {record['label'] for record in records})
            for record in records:
                self.assertAlmostEqual(times[record['label']], 1e3 * record['samples_s'][0], places=9)
        # A cell that is refused is an entry, too, and a run that is taken up again tells of all cells.
        self.write('topologies/toy.yaml', (self.folder / 'topologies/toy.yaml').read_text().replace('1e9,', '1e3,', 1))
        self.bench('toy.yaml', '--out', 'none', '--benchmark_out=none.json', '--benchmark_out_format=json', '--filter', 'gpipe')
        self.bench('toy.yaml', '--out', 'none', '--benchmark_out=none.json', '--resume')
        entries = json.loads((self.folder / 'none.json').read_text())['benchmarks']
        self.assertEqual([entry['error_occurred'] for entry in entries], [True, True])
        self.assertRegex(entries[0]['error_message'], 'infeasible: .*memory')
        for word in ('format=xml', 'out=nowhere/x.json', 'out_format=xml'):
            self.expect(2, 'toy.yaml', '--out', 'never', f'--benchmark_{word}', err='rhino-bench: --benchmark_')

    @unittest.skipUnless(COMPARE.exists() and SCIPY.exists(), 'libbenchmark-tools and python3-scipy are not installed')
    def test_compare_py_reads_two_runs(self):
        for name in 'ab':
            self.expect(0, 'toy.yaml', '--out', name, f'--benchmark_out={name}.json')
        done = subprocess.run(['/usr/bin/python3', COMPARE, '--no-color', 'benchmarks', 'a.json', 'b.json'], cwd=self.folder, text=True,
                              capture_output=True)
        self.assertEqual(done.returncode, 0, done.stderr)
        for record in self.records('a'):
            self.assertRegex(done.stdout, rf'(?m)^{record["label"].replace("(", ".").replace(")", ".")}.* \+0\.0000 ')


if __name__ == '__main__':
    unittest.main()
