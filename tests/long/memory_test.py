# SPDX-License-Identifier: Apache-2.0
"""Memory as predicted: what a worker of a plan of 1 GiB or more holds at most, above an empty one, is within 3 % of the plan's; of plans of a quarter
of that and more, which are activations that schedules keep, within 32 MiB: a worker that runs has some 21 to 25 of its own."""
import json
import pathlib
import subprocess
import tempfile
import unittest

from settings import setting

BENCH = setting('RHINO_BENCH')
GIB = 2**30
MOST_ERROR = 0.03
MOST_OWN = 32 * 2**20

# Much to hold and little to compute: nearly all of it is the table of words, its gradient and states.
EXPERIMENT = """\
name: memory
cases:
  - topology: {local: {devices: 2}}
    model: {gpt: {num_layers: 2, hidden: 512, num_heads: 8, vocabulary: 170000, sequence: 32, dtype: DTYPE}}
    batch: {global: 4, micro_batches: 2}
    check: none
    search:
      - {strategies/cut.yaml: {}}
      - {strategies/cut.yaml: {data: 2, zero: 1}}
      - {strategies/cut.yaml: {data: 2, zero: 2}}
MOREmeasure: {min_warmup_steps: 1, rounds: 1, repetitions: 1, steps: 1}
"""

# Of f32 alone.
MORE = """\
      - {strategies/cut.yaml: {data: 2, zero: 3}}
      - {strategies/recompute.yaml: {}}
      - {strategies/recompute.yaml: {data: 2, zero: 3}}
"""

RECOMPUTE = """\
name: recompute
mesh: {stage: 1, data: 1}
recompute: [{from: [embedding, "h+([0-9]).out"], to: "h+([0-9]).out"}]
"""

# Nothing but activations to speak of, in four stages.
PIPELINES = """\
name: pipelines
cases:
  - topology: {local: {devices: 4}}
    model: {gpt: {num_layers: 8, hidden: 256, num_heads: 4, vocabulary: 64, sequence: 256}}
    batch: {global: 64, micro_batches: 8}
    check: none
    search: {strategies/cut.yaml: {stage: 4}}
matrix:
  schedule: [schedule/1f1b, schedule/zb_v, schedule/hanayo, schedule/chimera, schedule/dualpipe_v, schedule/dualpipe, schedule/auto]
measure: {min_warmup_steps: 1, rounds: 1, repetitions: 1, steps: 1}
"""


class Memory(unittest.TestCase):
    def run_cells(self, experiment):
        with tempfile.TemporaryDirectory(prefix='rhino_memory_') as name:
            folder = pathlib.Path(name)
            (folder / 'strategies').mkdir()
            (folder / 'strategies/cut.yaml').write_text('name: cut\nmesh: {stage: 1, data: 1}\n')
            (folder / 'strategies/recompute.yaml').write_text(RECOMPUTE)
            (folder / 'memory.yaml').write_text(experiment)
            done = subprocess.run([BENCH, 'memory.yaml', '--out', 'run'], cwd=folder, text=True, capture_output=True, timeout=3000)
            self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
            return [json.loads(line) for line in (folder / 'run/records.jsonl').read_text().splitlines()]

    def check_cells(self, records, least_bytes, most_off):
        for record in records:
            with self.subTest(label=record['label'], schedule=record['independent']['schedule']):
                memory = record['memory']
                predicted, off = memory['predicted_peak_bytes'], memory['measured_peak_bytes'] - memory['predicted_peak_bytes']
                print(f'{record["label"]}: predicted {predicted / GIB:.3f} GiB, measured {off / predicted:+.2%}', flush=True)
                self.assertGreaterEqual(predicted, least_bytes)
                self.assertLess(abs(off), most_off(predicted))

    def test_what_workers_hold_is_what_their_plans_say(self):
        for dtype, more in (('f32', MORE), ('bf16', '')):
            records = self.run_cells(EXPERIMENT.replace('DTYPE', dtype).replace('MORE', more))
            self.assertEqual(len(records), 3 + more.count('- '))
            self.check_cells(records, GIB, lambda predicted: MOST_ERROR * predicted)

    def test_what_schedules_keep_is_what_their_plans_say(self):
        records = self.run_cells(PIPELINES)
        self.assertEqual(len(records), 7)
        self.check_cells(records, GIB / 4, lambda _: MOST_OWN)


if __name__ == '__main__':
    unittest.main()
