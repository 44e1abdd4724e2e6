# SPDX-License-Identifier: Apache-2.0
"""rhino-bench on three hosts that share nothing: what it prints, checks and refuses."""
import os
import shutil
import subprocess
import unittest

from cluster_case import BENCH, ClusterTest, experiment, gpt, main


class Cluster(ClusterTest):
    def test_six_workers_on_three_hosts(self):
        """While somebody knocks who does not know the run's token."""
        variables = {'RHINO_TOKEN': 'a stranger that knows nothing', 'MASTER_ADDR': 'host1', 'MASTER_PORT': '29500', 'WORLD_SIZE': '6', 'RANK': '5',
                     'RHINO_LAUNCH_DEADLINE_S': '10'}
        with open(self.folder / 'stranger.log', 'w') as log:
            stranger = self.hosts.popen(2, [BENCH, 'doctor'], env=dict(os.environ, **variables), stdout=log, stderr=subprocess.STDOUT)
            codes = self.run_to_end(self.write(experiment(gpt('1m'))), '--out', 'out', ranks=6)
            self.assertEqual(self.ends([stranger], 20), [5])
        out = self.out(0)
        self.assertEqual(codes, [0] * 6, out)
        self.assertRegex(out, r'refused a connection from 10\.78\.0\.3')
        self.assertEqual(len((self.folder / 'stranger.log').read_text().splitlines()), 1)
        self.assertIn('6 ranks of RANK and WORLD_SIZE on 3 hosts', out)
        for host, ranks in enumerate(('0, 1', '2, 3', '4, 5')):
            self.assertRegex(out, rf'host{host + 1} \(ranks {ranks}\): \d+ of \d+ cores of .*, eth0')
        self.assertIn('devices 0-1 on host1, 2-3 on host2, 4-5 on host3', out)
        [record] = self.records()
        self.assertEqual((record['status'], record['num_devices']), ('ok', 6))
        self.assertNotEqual(record['check']['kind'], 'none')
        environment = record['environment']
        self.assertEqual(environment['hosts'], 'host1 host1 host2 host2 host3 host3')
        self.assertRegex(environment['clocks'], r'of hosts agree to \d+ us')
        self.assertIn('tcp', environment['transport'])
        for rank in range(1, 6):
            self.assertEqual(self.out(rank), '')
        self.check_nothing_left()

    def test_open_mpi(self):
        if not shutil.which('mpirun'):
            self.skipTest('Open MPI (openmpi-bin) is not installed')
        done = self.hosts.mpirun([BENCH, 'doctor'], ranks=6, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        out, errors = done.communicate(timeout=60)
        self.assertEqual(done.returncode, 0, out + errors)
        self.assertIn('6 ranks of PMIx (Open MPI)', out)
        self.assertEqual(out.count('host3 (ranks 4, 5)'), 1)
        self.check_nothing_left()

    def test_a_rank_that_does_not_come(self):
        processes = self.start('doctor', only=(0, 1), environment={'RHINO_LAUNCH_DEADLINE_S': '2'})
        codes = self.ends(processes, 20)
        self.assertEqual(codes, [2, 0], self.out(0))
        self.assertIn('the launcher promises 3 ranks, and rank 2 has not come; here are rank 0 on host1, rank 1 on host2', self.out(0))
        self.check_nothing_left()

    def test_a_worker_of_another_host_that_dies(self):
        name = self.write(experiment(gpt('1m')))
        dry = subprocess.run([BENCH, name, '--launcher', 'local', '--dry-run'], cwd=self.folder, capture_output=True, text=True)
        self.assertIn('cluster: is what a launcher started this run on, and none did', dry.stderr)
        codes = self.run_to_end(name, '--out', 'out', environment={'RHINO_FAULTS': 'rank=3,kind=kill,step=1,instruction=5'})
        self.assertEqual(codes, [5, 0, 0], self.out(0))
        [record] = self.records()
        self.assertEqual(record['status'], 'failed')
        self.assertRegex(record['message'], r'^rank 3 \(pid \d+ on host2\) was killed by signal 9 \(KILL\) in step 1 at instruction 5')
        self.check_nothing_left()


if __name__ == '__main__':
    main()
