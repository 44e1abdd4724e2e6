# SPDX-License-Identifier: Apache-2.0
"""Whether search/rhino, which sees none of their answers, finds in each case of experiments/rivals.yaml a step that is no longer than that of data
parallelism, expert strategies and search/grid. RHINO_RIVALS=REGEX takes the cells alone that match it."""
import itertools
import json
import os
import pathlib
import subprocess
import tempfile
import unittest

from settings import setting

BENCH = setting('RHINO_BENCH')
SOURCE = pathlib.Path(setting('RHINO_SOURCE'))
ONLY = os.environ.get('RHINO_RIVALS', '')


def run(folder):
    narrowed = ['--filter', ONLY] if ONLY else []
    done = subprocess.run([BENCH, 'experiments/rivals.yaml', '--out', f'{folder}/run', *narrowed], cwd=SOURCE, text=True,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    if done.returncode not in (0, 5):  # 5: a search did not end in time
        raise RuntimeError(done.stdout)
    return [json.loads(line) for line in (pathlib.Path(folder) / 'run/records.jsonl').read_text().splitlines()]


def step_s(record):
    return record['summary']['median_s'] if record['status'] == 'ok' else float('inf')


class Rivals(unittest.TestCase):
    def test_none_is_quicker(self):
        with tempfile.TemporaryDirectory(prefix='rhino_rivals_') as folder:
            records = run(folder)
        for _, records_of_case in itertools.groupby(records, lambda record: record['case']):
            case = list(records_of_case)
            found = next(record for record in case if record['independent']['search'] == 'search/rhino')
            best = min((record for record in case if record is not found), key=step_s)
            title = (f"{found['independent']['model']} on {found['independent']['topology']}, global batch {found['global_batch']}: "
                     f"{step_s(found):.4g} s, {found['search'].get('strategy', found['message'])}; {step_s(best):.4g} s, {best['independent']['search']}")
            print(f'{step_s(found) / step_s(best):6.3f}  {title}', flush=True)
            with self.subTest(title):
                self.assertLessEqual(step_s(found), step_s(best) * (1 + 1e-9))


if __name__ == '__main__':
    unittest.main()
