# SPDX-License-Identifier: Apache-2.0
"""Whether verdicts are true: two short cells beside their like in each run, idle and beside a busy loop that comes and goes, and beside
one whose kernels take 8 % longer. RHINO_COMPARISONS of each kind (100). What `compare` says of each run and the next one is printed, not
judged: machines drift, and rounds of two runs are not interleaved. What has run stays in build/long_verdicts: the next call goes on from
there; remove it to begin anew."""
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

from settings import setting

BENCH = setting('RHINO_BENCH')
COMPARISONS = int(os.environ.get('RHINO_COMPARISONS', '100'))
FOLDER = pathlib.Path(setting('RHINO_BUILD')) / 'long_verdicts'
SLOW_RUNS = max(1, COMPARISONS // 5)
CALM = 0.015  # from round to round; what is asked for on an idle machine is asked of such cells
NAMES = ['single', 'data', 'single_again', 'data_again']

EXPERIMENT = """\
name: short
cases:
  - topology: {local: {devices: 2}}
    model: {gpt: {preset: 1m}}
    batch: {global: 4, micro_batches: 2}
    search: [strategies/single_again.yaml, strategies/data_again.yaml]
    baselines:
      single: {search: strategies/single.yaml}
      data: {search: strategies/data.yaml}
measure: {rounds: 8, max_rounds: 12, steps: 15, repetitions: 3, min_warmup_steps: 3}
"""
# Works and rests for up to four seconds at a time, and ends with who began it.
BUSY_LOOP = """\
import os, random, sys, time
chance = random.Random(int(sys.argv[1]))
parent = os.getppid()
while os.getppid() == parent:
    until = time.monotonic() + chance.uniform(0.5, 4)
    while time.monotonic() < until: pass
    time.sleep(chance.uniform(0.5, 4))
"""


def bench(*words, slow=''):
    """`slow`: the cell whose kernels take 8 % longer."""
    environment = dict(os.environ, XDG_CACHE_HOME=str(FOLDER / 'cache'))
    if slow:
        environment['RHINO_FAULTS'] = f'rank=0,kind=slow,percent=8,cell={slow}'
    return subprocess.run([BENCH, *map(str, words)], cwd=FOLDER, env=environment, text=True, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT)


def records(run):
    """By strategy."""
    path = FOLDER / run / 'records.jsonl'
    lines = path.read_text().splitlines() if path.exists() else []
    return {record['search']['strategy']: record for record in map(json.loads, lines)}


def verdict(run, name):
    """Of a cell against its like, and the noise of the rounds of the noisier one."""
    before, after = records(run)[name], records(run)[name + '_again']
    word = next(ratio['verdict'] for ratio in after['baseline'] if ratio['name'] == name)
    return word, max(noise(before), noise(after))


def compared(before, after):
    return re.findall(r'^(\w+) +gpt\S+: ', bench('compare', before, after).stdout, re.MULTILINE)


def noise(record):
    return statistics.stdev(math.log(round['seconds']) for round in record['rounds'])


def count(words):
    return {word: words.count(word) for word in sorted(set(words))}


class Verdicts(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        (FOLDER / 'strategies').mkdir(parents=True, exist_ok=True)
        for name in NAMES:
            data = 2 if 'data' in name else 1
            (FOLDER / f'strategies/{name}.yaml').write_text(f'name: {name}\nmesh: {{stage: 1, data: {data}}}\n')
        (FOLDER / 'short.yaml').write_text(EXPERIMENT)
        (FOLDER / 'long.yaml').write_text(EXPERIMENT.replace('steps: 15', 'steps: 60'))  # calmer
        cls.measure('warm_up')  # the calibration

    @staticmethod
    def measure(run, kind='', slow=''):
        if len(records(run)) == sum(kind in name for name in NAMES):
            return
        done = bench('long.yaml' if slow else 'short.yaml', '--filter', kind, '--out', run, '--resume', slow=slow)
        assert done.returncode == 0, done.stdout

    def alike(self, kind):
        """Verdicts on cells beside their like."""
        runs = [f'{kind}_{i}' for i in range((COMPARISONS + 1) // 2)]
        found = []
        for run in runs:
            self.measure(run)
            found += [verdict(run, name) for name in NAMES[:2]]
        counts = count([word for word, _ in found])
        calm = [word for word, noise in found if noise <= CALM]
        apart = count([word for run, other in zip(runs, runs[1:]) for word in compared(run, other)])
        print(f'{kind}: {counts} of {len(found)}, {count(calm)} of {len(calm)} calm ones; '
              f'noise of rounds {100 * statistics.median(noise for _, noise in found):.2f} %; of one run and the next: {apart}')
        self.assertEqual(len(found), 2 * len(runs))
        self.assertLessEqual(counts.get('faster', 0) + counts.get('slower', 0), 0.02 * len(found), counts)
        return calm

    def test_1_idle_cells_are_the_same(self):
        calm = self.alike('idle')
        self.assertGreaterEqual(len(calm), COMPARISONS / 5, 'too few cells were calm: the machine is busy')
        self.assertGreaterEqual(calm.count('same'), 0.8 * len(calm), calm)

    def test_2_eight_percent_is_found(self):
        # Of the cell of one worker, whose step is kernels alone.
        found = []
        for i in range(SLOW_RUNS):
            self.measure(f'slow_{i}', 'single', slow=records('warm_up')['single_again']['cell_id'])
            found.append(verdict(f'slow_{i}', 'single'))
        calm = [word for word, noise in found if noise <= CALM]
        print(f'slow: {count([word for word, _ in found])} of {len(found)}, {count(calm)} of {len(calm)} calm ones')
        self.assertGreater(len(calm), 0, 'no run was calm')
        self.assertGreaterEqual(calm.count('slower'), 0.95 * len(calm), found)

    def test_3_beside_a_busy_loop_cells_are_not_told_apart(self):
        seed = random.randrange(10**6)
        print(f'busy loop: seed {seed}')
        loop = subprocess.Popen([sys.executable, '-c', BUSY_LOOP, str(seed)])
        try:
            self.alike('busy')
        finally:
            loop.kill()
            loop.wait()


if __name__ == '__main__':
    unittest.main()
