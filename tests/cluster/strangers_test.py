# SPDX-License-Identifier: Apache-2.0
"""Strangers at the door of a run: each is refused in a line that says why, and the run goes on."""
import pathlib
import secrets
import subprocess
import sys

from cluster_case import ClusterTest, experiment, gpt, main

STRANGER = pathlib.Path(__file__).with_name('stranger.py')
# What they say, and why they are refused: before they have shown that they know the token, and behind that.
KINDS = {
    'garbage': 'it does not speak as rhino-bench does',
    'http': 'it does not speak as rhino-bench does',
    'torn': 'it hung up amid its handshake',
    'tomorrow': 'it speaks version 2 of the protocol, where this is version 1',
    'long': rf'it says what cannot be understood: a message of {1 << 60} bytes, where no more than {1 << 20} are taken',
    'torn_report': 'it left before it said what its host is',
    'unread': r'it says what cannot be understood: .*',
    'other': 'it says something else than what its host is',
    'silent': 'it does not say what its host is',
}


class Strangers(ClusterTest):
    def test_strangers_during_a_run(self):
        token = secrets.token_hex(16)
        name = self.write(experiment(gpt('15m')))
        processes = self.start(name, '--out', 'out', environment={'RHINO_TOKEN': token})
        self.wait_for(lambda: 'devices 0-1 on host1' in self.out(0), 'the run does not begin')
        strangers = {kind: self.hosts.popen(2, [sys.executable, STRANGER, kind, token], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
                     for kind in KINDS}
        for kind, stranger in strangers.items():
            self.assertEqual(stranger.communicate(timeout=90)[0], 'turned away\n', kind)
        self.assertIsNone(processes[0].poll(), 'the run was over before all strangers were')
        self.assertEqual(self.ends(processes, 120), [0, 0, 0], self.out(0))
        self.assertEqual([record['status'] for record in self.records()], ['ok'])
        lines = [line for line in self.out(0).splitlines() if 'refused a connection from 10.78.0.3:' in line]
        print('\n  ' + '\n  '.join(lines))
        self.assertEqual(len(lines), len(KINDS), self.out(0))
        for kind, why in KINDS.items():
            self.assertRegex('\n'.join(lines), rf'refused a connection from 10\.78\.0\.3:\d+: {why}(\n|$)', kind)
        self.check_nothing_left()


if __name__ == '__main__':
    main()
