# SPDX-License-Identifier: Apache-2.0
"""How far predictions are from what two workers of this machine measure, of models whose shapes no calibration has seen: sizes are drawn
from RHINO_SEED and are no powers of two. On an idle machine half of the errors are at most 5 %, nine of ten at most 10 %."""
import json
import os
import pathlib
import random
import statistics
import subprocess
import tempfile
import unittest

BENCH = os.environ['RHINO_BENCH']
SEED = int(os.environ.get('RHINO_SEED', random.randrange(10**6)))
NUM_SHAPES = int(os.environ.get('RHINO_SHAPES', 12))  # three cells each

STRATEGIES = {'data': '{stage: 1, data: 2}', 'stage': '{stage: 2}'}
HEAD = 'name: predictions\ncases:\n'
CASE = '  - {{topology: {{local: {{devices: 2}}}}, model: {model}, batch: {{global: {batch}, micro_batches: {micro}}}, search: [{search}]}}\n'
TAIL = 'measure: {rounds: 1, max_rounds: 1, repetitions: 3, steps: 5, min_warmup_steps: 2}\n'


def gpt(chance):
    heads = chance.choice([4, 6, 10])
    hidden = heads * chance.choice([40, 48, 56])
    return (f'{{gpt: {{num_layers: {chance.randint(2, 5)}, hidden: {hidden}, num_heads: {heads}, '
            f'sequence: {chance.choice([96, 160, 224])}, vocabulary: {chance.choice([1500, 3000, 5000])}}}}}',
            'data.yaml, stage.yaml, {strategies/gpt_megatron.yaml: {stage: 1, tensor: 2}}')


def branching(chance):
    return f'{{branching: {{width: {chance.choice([320, 448, 576, 704])}, depth: {chance.randint(3, 8)}}}}}', 'data.yaml, stage.yaml'


def experiment(chance):
    text = HEAD
    for i in range(NUM_SHAPES):
        is_gpt = i % 3 < 2
        model, search = (gpt if is_gpt else branching)(chance)
        text += CASE.format(model=model, search=search, batch=chance.choice([8, 16] if is_gpt else [192, 384]), micro=chance.choice([2, 4]))
    return text + TAIL


class Predictions(unittest.TestCase):
    def test_predictions_are_near(self):
        print(f'seed {SEED}')
        with tempfile.TemporaryDirectory(prefix='rhino_predictions_') as name:
            folder = pathlib.Path(name)
            for strategy, mesh in STRATEGIES.items():
                (folder / f'{strategy}.yaml').write_text(f'name: {strategy}\nmesh: {mesh}\n')
            (folder / 'strategies').symlink_to(pathlib.Path(os.environ['RHINO_SOURCE']) / 'strategies')
            (folder / 'predictions.yaml').write_text(experiment(random.Random(SEED)))
            done = subprocess.run([BENCH, 'predictions.yaml', '--out', 'run'], cwd=folder, text=True, stdout=subprocess.PIPE,
                                  stderr=subprocess.STDOUT)
            self.assertEqual(done.returncode, 0, done.stdout)
            records = [json.loads(line) for line in (folder / 'run/records.jsonl').read_text().splitlines()]
        errors = sorted(abs(record['prediction']['relative_error']) for record in records)
        for record in records:
            print(f"{100 * record['prediction']['relative_error']:+6.1f} %  {record['label']}")
        middle, ninth = statistics.median(errors), errors[len(errors) * 9 // 10]
        print(f'{len(errors)} cells: half of the errors at most {100 * middle:.1f} %, nine of ten {100 * ninth:.1f} %')
        self.assertGreaterEqual(len(errors), 2.5 * NUM_SHAPES)
        self.assertLessEqual(middle, 0.05)
        self.assertLessEqual(ninth, 0.10)


if __name__ == '__main__':
    unittest.main()
