# SPDX-License-Identifier: Apache-2.0
"""What the command line tests share: the built rhino-bench, run in a folder of its own."""
import json
import os
import pathlib
import shutil
import subprocess
import tempfile
import time
import unittest

BENCH = os.environ['RHINO_BENCH']
SOURCE = pathlib.Path(os.environ['RHINO_SOURCE'])
FAULTY_PLUGINS = os.environ['RHINO_FAULTY_PLUGINS']

TOPOLOGY = """\
name: toy
source: made up for tests
hosts: 2
devices_per_host: 2
device: {kind: modelled, name: toy, memory_bytes: 1e9, memory_bytes_per_s: 1e11, peak_flops: {f32: 1e12}}
links:
  intra_host: {bytes_per_s: 1e10, latency_s: 1e-6}
  inter_host: {bytes_per_s: 1e9, latency_s: 1e-5, shared_by: host}
"""

# Rates that nothing exceeds: workers stand for its devices, there is no calibration, and no measurement beats its bound.
FAST_TOPOLOGY = """\
name: fast
source: made up for tests
hosts: 1
devices_per_host: 2
device: {kind: emulated, name: fast, memory_bytes: 1e9, memory_bytes_per_s: 1e15, peak_flops: {f32: 1e15}}
links:
  intra_host: {bytes_per_s: 1e15, latency_s: 0}
  inter_host: {bytes_per_s: 1e15, latency_s: 0, shared_by: host}
"""

STAGES = """\
name: stages
mesh: {stage: 2, data: 1}
"""

# Two stages, so that every cell has a boundary that its resharding plugin plans. Nothing of it needs a worker.
SIMULATED = """\
name: toy
cases:
  - topology: toy
    model: {branching: {width: 16, depth: 4}}
    batch: {global: 8, micro_batches: 4}
    backend: simulate
    search: strategies/stages.yaml
matrix:
  schedule: [schedule/gpipe, schedule/1f1b]
"""


class Result:
    def __init__(self, done):
        self.code = done.returncode
        self.out = done.stdout
        self.err = done.stderr

    def __str__(self):
        return f'exit {self.code}\n--- stdout\n{self.out}\n--- stderr\n{self.err}'


# What this machine reaches is measured once for the tests of a file, and never for the user who runs them.
CACHE = tempfile.TemporaryDirectory(prefix='rhino_cache_')
# Tests of other files take it up for an hour.
SHARED = pathlib.Path(os.environ.get('RHINO_CALIBRATIONS', CACHE.name))
MOST_AGE_S, NEVER_OLD_S = 3600, 10 * 24 * 3600
# A slow machine takes 16 s to be measured, three times that while others disturb it, and as long again beside other tests.
HANGS_S = 400


def take_up(calibration, folder):
    """Copies it, whole or not at all, with the time when it was made."""
    folder.mkdir(parents=True, exist_ok=True)
    part = folder / f'{calibration.name}.{os.getpid()}'
    shutil.copy2(calibration, part)
    part.replace(folder / calibration.name)


def share_calibrations(cache):
    """What tests of other files have measured becomes this file's, and the other way round. None is looked at again: tests run beside each
    other, so that each would find that the machine has become slower or quicker."""
    own, now = cache / 'rhino-bench', time.time()
    for calibration in own.glob('calibration-*.json'):
        if calibration.stat().st_mtime <= now:
            take_up(calibration, SHARED)
    for calibration in SHARED.glob('calibration-*.json'):
        if now - calibration.stat().st_mtime < MOST_AGE_S and not (own / calibration.name).exists():
            take_up(calibration, own)
    for calibration in own.glob('calibration-*.json'):
        os.utime(calibration, (now + NEVER_OLD_S, now + NEVER_OLD_S))


class BenchTest(unittest.TestCase):
    """A test case with a folder of its own that holds two topologies, strategies/stages.yaml and an experiment."""
    maxDiff = None
    cache = pathlib.Path(CACHE.name)

    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix='rhino_cli_')
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.write('topologies/toy.yaml', TOPOLOGY)
        self.write('topologies/fast.yaml', FAST_TOPOLOGY)
        self.write('strategies/stages.yaml', STAGES)
        self.write('toy.yaml', SIMULATED)

    def write(self, name, text):
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)

    def records(self, run='run', name='records.jsonl'):
        """Of a run; none where it has no such file. A line that is being written is none yet."""
        path = self.folder / run / name
        lines = path.read_text().splitlines(keepends=True) if path.exists() else []
        return [json.loads(line) for line in lines if line.endswith('\n')]

    def environment(self):
        if self.cache == BenchTest.cache:
            share_calibrations(self.cache)
        return dict(os.environ, XDG_CACHE_HOME=str(self.cache))

    def bench(self, *arguments, timeout=HANGS_S):
        return Result(subprocess.run([BENCH, *arguments], cwd=self.folder, env=self.environment(), text=True,
                                     capture_output=True, timeout=timeout))

    def expect(self, code, *arguments, out='(?s).*', err='(?s).*', timeout=HANGS_S):
        """Runs it and wants that exit code and those patterns; an error is one sentence."""
        result = self.bench(*arguments, timeout=timeout)
        self.assertEqual(result.code, code, f'{arguments}: {result}')
        self.assertRegex(result.out, out, f'{arguments}: {result}')
        self.assertRegex(result.err, err, f'{arguments}: {result}')
        if code in (3, 4, 8):
            self.assertEqual(len(result.err.splitlines()), 1, f'not one sentence: {result}')
        return result
