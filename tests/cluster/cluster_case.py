# SPDX-License-Identifier: Apache-2.0
"""What tests on several hosts share: rhino-bench as launchers start it, and what became of that."""
import json
import os
import pathlib
import sys
import tempfile
import time
import unittest

from hosts import Hosts, why_not

BENCH = os.environ['RHINO_BENCH']
SOURCE = pathlib.Path(os.environ['RHINO_SOURCE'])
SKIPPED = 77
CACHE = tempfile.TemporaryDirectory(prefix='rhino_cache_')

GPT = """\
  - topology: {{cluster: {{devices_per_host: {devices}{hosts}}}}}
    model: {{gpt: {{preset: {preset}}}}}
    batch: {{global: 12, micro_batches: 6}}
    search: {{strategies/gpt_megatron.yaml: {{stage: {stage}, tensor: {tensor}}}}}
"""


def gpt(preset, devices=2, stage=3, tensor=2, hosts=''):
    return GPT.format(preset=preset, devices=devices, stage=stage, tensor=tensor, hosts=hosts)


def experiment(*cases):
    return 'name: apart\ncases:\n' + ''.join(cases) + 'measure: {rounds: 1}\n'


class ClusterTest(unittest.TestCase):
    num_hosts, ahead = 3, {}

    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix='rhino_apart_')
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.hosts = self.enterContext(Hosts(self.num_hosts, self.ahead))
        os.environ['XDG_CACHE_HOME'] = CACHE.name
        # What the first of them measured is taken as it is by all tests.
        later = time.time() + 24 * 3600
        for calibration in pathlib.Path(CACHE.name).rglob('calibration-*.json'):
            os.utime(calibration, (later, later))

    def enterContext(self, context):
        value = context.__enter__()
        self.addCleanup(context.__exit__, None, None, None)
        return value

    def write(self, text, name='x.yaml'):
        (self.folder / name).write_text(text)
        return name

    def start(self, *words, **options):
        """A process per rank; what rank r prints is in out(r)."""
        def log(rank):
            file = open(self.folder / f'{rank}.log', 'w')
            self.addCleanup(file.close)
            return file
        return self.hosts.launch([BENCH, *words], stdout=log, cwd=self.folder, **options)

    def out(self, rank):
        return (self.folder / f'{rank}.log').read_text()

    def ends(self, processes, seconds=60):
        """Exit codes; None of what has not ended by then."""
        end = time.monotonic() + seconds
        codes = [None] * len(processes)
        while None in codes and time.monotonic() < end:
            codes = [process.poll() for process in processes]
            time.sleep(0.05)
        for process in processes:
            if process.poll() is None:
                process.kill()
                process.wait()
        return codes

    def run_to_end(self, *words, **options):
        return self.ends(self.start(*words, **options))

    def records(self, run='out'):
        try:
            lines = (self.folder / run / 'records.jsonl').read_text().splitlines()
        except FileNotFoundError:
            return []
        return [json.loads(line) for line in lines]

    def wait_for(self, condition, what, seconds=30):
        end = time.monotonic() + seconds
        while not condition():
            self.assertLess(time.monotonic(), end, f'{what}: {self.out(0)}')
            time.sleep(0.02)

    def check_nothing_left(self, seconds=2):
        self.assertEqual(self.hosts.wait_until_empty(seconds), {})


def main():
    reason = why_not()
    if reason:
        print(f'no hosts on this machine: {reason}')
        sys.exit(SKIPPED)
    unittest.main()
