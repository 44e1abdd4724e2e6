# SPDX-License-Identifier: Apache-2.0
"""Calibrations that no longer hold. Beside other tests they would be disturbed, and made three times."""
import json
import os
import time
import unittest

from bench import BenchTest

EXPERIMENT = """name: alone
cases:
  - {topology: {local: {devices: 2}}, collective: {kind: all_reduce, bytes: 64KiB, group: [0, 1]}}
measure: {rounds: 1, min_warmup_steps: 1}
"""


class Calibrations(BenchTest):
    def setUp(self):
        super().setUp()
        self.write('alone.yaml', EXPERIMENT)

    def test_a_machine_that_is_quicker_than_when_it_was_calibrated_is_calibrated_again(self):
        self.cache = self.folder / 'cache'
        self.bench('alone.yaml', '--out', 'run')
        kept = [*self.folder.glob('cache/rhino-bench/*.json'), *self.folder.glob('run/calibrations/*.json')][0]
        calibration = json.loads(kept.read_text().replace(' (disturbed)', ''))
        for rate in ('copy_bytes_per_s', 'peak_link_bytes_per_s'):
            calibration[rate] = 1e3
        calibration['link'][0] = 1e3
        cached = self.folder / f'cache/rhino-bench/calibration-{calibration["fingerprint"]}.json'
        cached.parent.mkdir(parents=True, exist_ok=True)
        cached.write_text(json.dumps(calibration))
        self.expect(0, 'alone.yaml', '--out', 'again', out='64KiB.*: ok')
        self.assertGreater(json.loads(cached.read_text())['peak_link_bytes_per_s'], 1e6)
        [record] = self.records('again')
        self.assertLess(record['bound']['seconds'], 1)

    def test_a_calibration_that_no_longer_holds_is_measured_again(self):
        self.cache = self.folder / 'cache'
        self.bench('alone.yaml', '--out', 'run')
        kept = [*self.folder.glob('cache/rhino-bench/*.json'), *self.folder.glob('run/calibrations/*.json')][0]
        honest = json.loads(kept.read_text().replace(' (disturbed)', ''))
        cached = self.folder / f'cache/rhino-bench/calibration-{honest["fingerprint"]}.json'
        cached.parent.mkdir(parents=True, exist_ok=True)
        # As if dots, or streams, had taken so many times as long.
        for run, age_s, dots, streams in [('trusted', 0, 1 / 16, 1), ('quicker_dots', 60, 1 / 16, 1), ('slower_dots', 60, 16, 1),
                                          ('quicker_streams', 60, 1, 1 / 16), ('slower_streams', 60, 1, 16)]:
            with self.subTest(run):
                wrong = json.loads(json.dumps(honest))
                for dot in wrong['dots']:
                    dot[-1] *= dots
                wrong['memory_bytes_per_s'] /= streams
                wrong['few_probes']['dots_s'] *= dots
                wrong['few_probes']['streams_s'] *= streams
                cached.write_text(json.dumps(wrong))
                then = time.time() - age_s
                os.utime(cached, (then, then))
                self.expect(0, 'alone.yaml', '--out', run, out='64KiB.*: ok')
                files = [*self.folder.glob(f'{run}/calibrations/*.json'), cached]  # a disturbed one is kept with the run
                used = json.loads(files[0].read_text())
                off = [sum(dot[-1] for dot in used['dots']) / sum(dot[-1] for dot in honest['dots']),
                       honest['memory_bytes_per_s'] / used['memory_bytes_per_s']]
                is_measured_again = all(1 / 4 < factor < 4 for factor in off)  # a machine that others use is half as fast for seconds
                self.assertEqual(is_measured_again, run != 'trusted', off)


if __name__ == '__main__':
    unittest.main()
