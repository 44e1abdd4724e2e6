# SPDX-License-Identifier: Apache-2.0
"""The whole flow with worker processes, at the smallest size: planned, run, checked, measured, recorded."""
import json
import os
import unittest

from bench import BenchTest

EXPERIMENT = """\
name: tiny
cases:
  - topology: {local: {devices: 2}}
    model: {gpt: {preset: 1m, sequence: 16}}
    batch: {global: 4, micro_batches: 2}
    search: [strategies/stages.yaml, {strategies/data.yaml: {data: 2}}]
  - topology: {local: {devices: 4}}
    model: {gpt: {preset: 1m, sequence: 16, num_layers: 4}}
    batch: {global: 8, micro_batches: 4}
    search: {strategies/stages.yaml: {stage: 4}}
    schedule: schedule/zb_h1
baselines:
  single: {search: strategies/data.yaml}
measure: {min_warmup_steps: 1, rounds: 2, repetitions: 2}
"""


class Workers(BenchTest):
    def test_a_tiny_experiment_runs_checks_and_compares_itself(self):
        self.write('strategies/data.yaml', 'name: data\nmesh: {stage: 1, data: 1}\n')
        self.write('tiny.yaml', EXPERIMENT)
        result = self.expect(0, 'tiny.yaml', '--out', 'run', timeout=280)
        records = self.records()
        self.assertEqual(len(records), 5, result)
        timed = [record for record in records if not record['oversubscribed']]
        for record in records:
            self.assertEqual((record['status'], record['check']['kind'], record['check']['num_wrong']), ('ok', 'numerics', 0))
            self.assertLess(record['check']['max_error'], record['check']['tolerance'])
            self.assertTrue((self.folder / 'run' / record['artifacts']['trace']).is_file())
            self.assertEqual({device['staged_bytes'] for device in record['breakdown']}, {0})
            # Of buffers and of staging less than half a large page each, where the system grants them; else all.
            pages, small = int(record['environment']['page_bytes']), record['memory']['small_page_bytes']
            self.assertGreater(record['memory']['predicted_peak_bytes'], 4 << 20)
            self.assertTrue(small < 2 << 20 if pages == 2 << 20 else small > 2 << 20, record['memory'])
        for record in timed:
            self.assertEqual([len(round['samples_s']) for round in record['rounds']], [2, 2])
            self.assertEqual([round['seconds'] for round in record['rounds']], record['samples_s'])
            self.assertTrue(all(min(round['probe'][of] for of in ('dot_s', 'stream_s', 'latency_s', 'handover_s')) > 0 for round in record['rounds']))
            self.assertLessEqual(record['bound']['seconds'], record['summary']['min_s'])
            self.assertGreater(record['prediction']['step_s'], 0)
        if os.cpu_count() > 1:
            self.assertTrue(any(record['baseline_of'] == ['single'] for record in timed))
            self.expect(9, 'compare', 'run', 'run', out='inconclusive')
        self.assertFalse((self.folder / 'run/rounds.jsonl').exists())
        self.expect(0, 'trace', 'run', out='all of them')
        names = {event['name'] for event in json.loads((self.folder / 'run/trace.json').read_text())['traceEvents']
                 if event['ph'] == 'X'}
        self.assertIn('forward chunk 1 micro-batch 1', names)
        self.assertIn('weight chunk 3 micro-batch 2', names)


if __name__ == '__main__':
    unittest.main()
