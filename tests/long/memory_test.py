# SPDX-License-Identifier: Apache-2.0
"""Memory as predicted: what a worker of a plan of 1 GiB or more holds at most, above an empty one, is within 3 % of the plan's."""
import json
import os
import pathlib
import subprocess
import tempfile
import unittest

BENCH = os.environ['RHINO_BENCH']
GIB = 2**30
MOST_ERROR = 0.03

# Much to hold and little to compute: nearly all of it is the table of words, its gradient and states.
EXPERIMENT = """\
name: memory
cases:
  - topology: {local: {devices: 2}}
    model: {gpt: {num_layers: 2, hidden: 512, num_heads: 8, vocabulary: 170000, sequence: 32, dtype: DTYPE}}
    batch: {global: 4, micro_batches: 2}
    check: none
    search: [{strategies/cut.yaml: {}}, {strategies/cut.yaml: {data: 2, zero: 1}}, {strategies/cut.yaml: {data: 2, zero: 2}}]
measure: {min_warmup_steps: 1, rounds: 1, repetitions: 1, steps: 1}
"""


class Memory(unittest.TestCase):
    def run_cells(self, dtype):
        with tempfile.TemporaryDirectory(prefix='rhino_memory_') as name:
            folder = pathlib.Path(name)
            (folder / 'strategies').mkdir()
            (folder / 'strategies/cut.yaml').write_text('name: cut\nmesh: {stage: 1, data: 1}\n')
            (folder / 'memory.yaml').write_text(EXPERIMENT.replace('DTYPE', dtype))
            done = subprocess.run([BENCH, 'memory.yaml', '--out', 'run'], cwd=folder, text=True, capture_output=True, timeout=3000)
            self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
            return [json.loads(line) for line in (folder / 'run/records.jsonl').read_text().splitlines()]

    def test_what_workers_hold_is_what_their_plans_say(self):
        for dtype in ('f32', 'bf16'):
            records = self.run_cells(dtype)
            self.assertEqual(len(records), 3)
            for record in records:
                with self.subTest(dtype, label=record['label']):
                    memory = record['memory']
                    error = memory['measured_peak_bytes'] / memory['predicted_peak_bytes'] - 1
                    print(f'{dtype} {record["label"]}: predicted {memory["predicted_peak_bytes"] / GIB:.3f} GiB, measured {error:+.2%}')
                    self.assertGreaterEqual(memory['predicted_peak_bytes'], GIB)
                    self.assertLess(abs(error), MOST_ERROR)


if __name__ == '__main__':
    unittest.main()
