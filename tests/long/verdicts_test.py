# SPDX-License-Identifier: Apache-2.0
"""Whether verdicts are true: equal runs of two short cells, compared one with the next, idle and beside a busy loop that comes and goes;
and runs whose kernels take 8 % longer. RHINO_COMPARISONS of each kind (100). What has run stays in build/long_verdicts: the next call goes
on from there; remove it to begin anew."""
import json
import math
import os
import pathlib
import random
import re
import statistics
import subprocess
import sys
import unittest

BENCH = os.environ['RHINO_BENCH']
COMPARISONS = int(os.environ.get('RHINO_COMPARISONS', '100'))
FOLDER = pathlib.Path(os.environ['RHINO_BUILD']) / 'long_verdicts'
SLOW_RUNS = max(1, COMPARISONS // 10)  # of two cells each: 20 comparisons of 100
CALM = 0.015  # from round to round

EXPERIMENT = """\
name: short
cases:
  - topology: {local: {devices: 2}}
    model: {gpt: {preset: 1m}}
    batch: {global: 4, micro_batches: 2}
    search: [strategies/single.yaml, strategies/data.yaml]
measure: {rounds: 12, max_rounds: 12, steps: 20, repetitions: 3, min_warmup_steps: 3}
"""
# Works and rests for up to four seconds at a time.
BUSY_LOOP = """\
import random, sys, time
chance = random.Random(int(sys.argv[1]))
while True:
    until = time.monotonic() + chance.uniform(0.5, 4)
    while time.monotonic() < until: pass
    time.sleep(chance.uniform(0.5, 4))
"""


def bench(*words, slow=False):
    environment = dict(os.environ, XDG_CACHE_HOME=str(FOLDER / 'cache'))
    if slow:
        environment['RHINO_FAULTS'] = 'rank=0,kind=slow,percent=8'
    return subprocess.run([BENCH, *map(str, words)], cwd=FOLDER, env=environment, text=True, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT)


def records(run):
    path = FOLDER / run / 'records.jsonl'
    return [json.loads(line) for line in path.read_text().splitlines()] if path.exists() else []


def verdicts(before, after):
    """By label."""
    lines = bench('compare', before, after).stdout.splitlines()
    return {found[2]: found[1] for found in (re.match(r'(\w+) +(\S+?): ', line) for line in lines) if found}


def noise(record):
    return statistics.stdev(math.log(round['seconds']) for round in record['rounds'])


class Verdicts(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        (FOLDER / 'strategies').mkdir(parents=True, exist_ok=True)
        (FOLDER / 'strategies/single.yaml').write_text('name: single\nmesh: {stage: 1, data: 1}\n')
        (FOLDER / 'strategies/data.yaml').write_text('name: data\nmesh: {stage: 1, data: 2}\n')
        (FOLDER / 'short.yaml').write_text(EXPERIMENT)
        while len(records('warm_up')) < 2:  # the calibration
            cls.measure('warm_up')

    @staticmethod
    def measure(run, slow=False):
        if len(records(run)) == 2:
            return
        done = bench('short.yaml', '--out', run, '--resume', slow=slow)
        assert done.returncode == 0, done.stdout

    def neighbours(self, kind):
        """Counts of verdicts on each run and the next one; slow runs stand beside the first of the idle ones."""
        num_runs = (COMPARISONS + 1) // 2 + 1
        for i in range(num_runs):
            self.measure(f'{kind}_{i}')
            if kind == 'idle' and i < SLOW_RUNS:
                self.measure(f'slow_{i}', slow=True)
        found = [verdict for i in range(num_runs - 1) for verdict in verdicts(f'{kind}_{i}', f'{kind}_{i + 1}').values()]
        self.assertEqual(len(found), 2 * (num_runs - 1))
        counts = {verdict: found.count(verdict) for verdict in sorted(set(found))}
        typical = statistics.median(noise(record) for i in range(num_runs) for record in records(f'{kind}_{i}'))
        print(f'{kind}: {counts} of {len(found)}; noise of rounds {100 * typical:.2f} %')
        self.assertLessEqual(counts.get('faster', 0) + counts.get('slower', 0), 0.02 * len(found), counts)
        return counts, len(found)

    def test_1_idle_runs_are_the_same(self):
        counts, total = self.neighbours('idle')
        self.assertGreaterEqual(counts.get('same', 0), 0.8 * total, counts)

    def test_2_eight_percent_is_found(self):
        found = []
        for i in range(SLOW_RUNS):
            by_label = verdicts(f'idle_{i}', f'slow_{i}')
            for before, after in zip(records(f'idle_{i}'), records(f'slow_{i}')):
                if max(noise(before), noise(after)) <= CALM:
                    found.append(by_label[before['label']])
        print(f'slow: {found.count("slower")} of {len(found)} calm comparisons of {2 * SLOW_RUNS}')
        self.assertGreaterEqual(found.count('slower'), 0.95 * len(found), found)
        self.assertGreater(len(found), 0, 'no pair of runs was calm')

    def test_3_beside_a_busy_loop_runs_are_not_told_apart(self):
        seed = random.randrange(10**6)
        print(f'busy loop: seed {seed}')
        loop = subprocess.Popen([sys.executable, '-c', BUSY_LOOP, str(seed)])
        try:
            self.neighbours('busy')
        finally:
            loop.kill()
            loop.wait()


if __name__ == '__main__':
    unittest.main()
