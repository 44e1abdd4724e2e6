# SPDX-License-Identifier: Apache-2.0
"""Programs that others exported, of a folder that RHINO_MODULES names, through the user's door: each runs on one device, and those that
train on two and four as well, as the searcher `grid` cuts them and along the batch, in two micro-batches too, where it divides. All are
checked, and what is not finite is equal to nothing. One that needs more memory than there is may say so, and one whose batch is coupled
in micro-batches; one with collectives of its own runs on one device alone."""
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

from settings import setting

BENCH = setting('RHINO_BENCH')
FOLDER = os.environ.get('RHINO_MODULES', '')
TIMEOUT_S = int(os.environ.get('RHINO_TIMEOUT', 3600))

EXPERIMENT = """\
name: modules
cases:
CASES
measure: {min_warmup_steps: 1, rounds: 1, repetitions: 1, steps: 1}
"""
CASE = '  - {topology: {local: {devices: %d}}, model: {%s: "%s"}, batch: {micro_batches: %d}, search: %s}'
DATA = 'name: data\nmesh: {data: all}\n'


def texts():
    return sorted(path for path in pathlib.Path(FOLDER).iterdir() if path.name.endswith(('.hlo.txt', '.mlir')))


class Modules(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        (self.folder / 'data.yaml').write_text(DATA)

    def bench(self, *arguments):
        return subprocess.run([BENCH, *arguments], cwd=self.folder, capture_output=True, text=True, timeout=TIMEOUT_S)

    def write(self, path, runs):
        """`runs`: devices, micro-batches and searcher of each."""
        kind = 'stablehlo' if path.suffix == '.mlir' else 'hlo'
        cases = [CASE % (devices, kind, path, micro_batches, search) for devices, micro_batches, search in runs]
        (self.folder / 'modules.yaml').write_text(EXPERIMENT.replace('CASES', '\n'.join(cases)))

    def inferred(self, path):
        """Whether it trains, and its batch."""
        self.write(path, [(1, 1, 'search/grid')])
        listed = self.bench('list', 'values', 'modules.yaml')
        self.assertEqual(listed.returncode, 0, listed.stderr)
        line = listed.stdout.splitlines()[0]
        trains = 'checked: loss' in line and ('updates' in line or 'states' in line)
        return trains, int(re.search(r'global batch (\d+)', line)[1])

    def run_checked(self, path, runs):
        self.write(path, runs)
        result = self.bench('modules.yaml', '--out', f'out.{path.name}')
        records = [json.loads(line) for line in (self.folder / f'out.{path.name}' / 'records.jsonl').read_text().splitlines()]
        self.assertEqual(len(records), len(runs), result.stderr)
        for record in records:
            check = record['check']
            along_batch = '/data/send_recv/' in record['label']
            print(f"{record['label']}: {record['status']}, {check['kind']} {check['max_error']:.1e}, {record['message'][:120]}", flush=True)
            if record['status'] == 'infeasible':
                self.assertRegex(record['message'], 'couples the batch' if along_batch else 'needs about .* of memory per device')
                continue
            self.assertEqual((record['status'], check['num_wrong']), ('ok', 0), record['message'])
            self.assertNotEqual(check['kind'], 'none')
            flops = record['throughput']
            is_cut = flops['hardware_flops'] < record['num_devices'] * flops['model_flops']
            if along_batch and flops['model_flops'] > 0:  # where all compute all, no error says little
                self.assertTrue(is_cut, record['label'] + ' is cut nowhere')
            if record['num_devices'] > 1 and not is_cut:
                print('  every device computes all')

    def test_each_runs_on_one_device_and_what_trains_on_several(self):
        self.assertTrue(texts(), f'{FOLDER} has no .hlo.txt and no .mlir')
        for path in texts():
            with self.subTest(path.name):
                trains, batch = self.inferred(path)
                runs = [(1, 1, 'search/grid')]
                has_collectives = re.search(r'all[-_]gather|reduce[-_]scatter|all[-_]reduce', path.read_text())
                if trains and not has_collectives:
                    runs += [(2, 1, 'search/grid'), (4, 1, 'search/grid')]
                    if batch % 2 == 0:
                        runs.append((2, 1, 'data.yaml'))
                    if batch % 4 == 0:
                        runs.append((2, 2, 'data.yaml'))
                self.run_checked(path, runs)


if __name__ == '__main__':
    if not FOLDER:
        print('skipped: RHINO_MODULES names no folder of .hlo.txt and .mlir files')
        sys.exit(77)
    unittest.main()
