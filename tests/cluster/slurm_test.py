# SPDX-License-Identifier: Apache-2.0
"""rhino-bench under a real Slurm of two nodes that share nothing but a file system."""
import json
import secrets
import subprocess
import sys
import time
import unittest

from cluster_case import BENCH, SKIPPED, ClusterTest, experiment, gpt
from slurm import Slurm, why_not


class SlurmTest(ClusterTest):
    num_hosts = 2

    def setUp(self):
        super().setUp()
        self.slurm = self.enterContext(Slurm(self.hosts))
        self.token = {'RHINO_TOKEN': secrets.token_hex(16)}

    def srun(self, command, *words, **options):
        process = self.slurm.srun(command, *words, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, cwd=self.folder, **options)
        out = process.communicate(timeout=90)[0]
        return process.returncode, out

    def check_nothing_left(self, seconds=2):
        self.assertEqual(self.slurm.wait_until_empty(seconds), {})


class Steps(SlurmTest):
    def test_by_variables(self):
        code, out = self.srun([BENCH, 'doctor'], '-N2', '-n2', '--mpi=none')
        self.assertEqual(code, 2, out)
        self.assertIn('RHINO_TOKEN is not set', out)
        code, out = self.srun([BENCH, 'doctor'], '-N2', '-n2', '--mpi=none', environment=self.token)
        self.assertEqual(code, 0, out)
        self.assertRegex(out, r'launch +2 ranks of Slurm\n')
        self.assertIn('host2 (rank 1)', out)
        self.check_nothing_left()

    def test_pmi2_is_no_launcher_of_its_own(self):
        code, out = self.srun([BENCH, 'doctor'], '-N2', '-n4', '--ntasks-per-node=2', '--mpi=pmi2', environment=self.token)
        self.assertEqual(code, 0, out)
        self.assertRegex(out, r'launch +4 ranks of Slurm\n')
        self.assertIn('host2 (ranks 2, 3)', out)

    def test_by_pmix(self):
        if 'pmix' not in self.slurm.output(['srun', '--mpi=list']):
            self.skipTest('this Slurm has no PMIx')
        code, out = self.srun([BENCH, 'doctor'], '-N2', '-n4', '--ntasks-per-node=2', '--mpi=pmix')
        self.assertEqual(code, 0, out)
        self.assertRegex(out, r'launch +4 ranks of PMIx \(Slurm\)\n')
        self.assertIn('host2 (ranks 2, 3)', out)
        self.check_nothing_left()

    def test_a_batch_script_is_no_step(self):
        """It has SLURM_PROCID and SLURM_NTASKS, and is one process: its machine alone. Its steps are."""
        script = self.folder / 'job.sh'
        script.write_text(f'#!/bin/sh\n{BENCH} doctor > alone.txt || exit 3\nexec srun --mpi=none {BENCH} doctor > step.txt\n')
        done = self.slurm.sbatch(script, '-N2', '-n2', cwd=self.folder, environment=self.token, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        out = done.communicate(timeout=60)[0]
        self.assertEqual(done.returncode, 0, out)
        self.assertNotIn('ranks of', (self.folder / 'alone.txt').read_text())
        self.assertIn('2 ranks of Slurm', (self.folder / 'step.txt').read_text())
        self.check_nothing_left()


class Runs(SlurmTest):
    def train(self, *words, **options):
        """Four workers, on both nodes; returns what is printed."""
        name = self.write(experiment(gpt('1m', stage=2)))
        code, out = self.srun([BENCH, name, '--out', 'out'], '-N2', *words, **options)
        self.assertEqual(code, 0, out)
        [record] = self.records()
        self.assertEqual((record['status'], record['num_devices']), ('ok', 4), out)
        self.assertNotEqual(record['check']['kind'], 'none')
        self.assertEqual(record['environment']['hosts'], 'host1 host1 host2 host2')
        self.assertIn('devices 0-1 on host1, 2-3 on host2', out)
        self.check_nothing_left()
        return out

    def test_by_variables(self):
        self.assertIn('2 ranks of Slurm on 2 hosts', self.train('-n2', '--mpi=none', environment=self.token))

    def test_by_pmix(self):
        if 'pmix' not in self.slurm.output(['srun', '--mpi=list']):
            self.skipTest('this Slurm has no PMIx')
        self.assertIn('4 ranks of PMIx (Slurm) on 2 hosts', self.train('-n4', '--ntasks-per-node=2', '--mpi=pmix'))

    def test_cancelled(self):
        name = self.write(experiment(gpt('15m', stage=2)))
        with open(self.folder / 'log', 'w') as log:
            process = self.slurm.srun([BENCH, name, '--out', 'out'], '-N2', '-n2', '--mpi=none', environment=self.token, cwd=self.folder,
                                      stdout=log, stderr=subprocess.STDOUT)
            end = time.monotonic() + 90
            while not self.hosts.ids(1, 'rhino-worker'):
                self.assertLess(time.monotonic(), end, (self.folder / 'log').read_text())
                time.sleep(0.05)
            self.slurm.output(['scancel', '--name', 'rhino-bench'])
            process.wait(20)
        self.assertNotEqual(process.returncode, 0)
        self.check_nothing_left(10)


if __name__ == '__main__':
    if reason := why_not():
        print(f'no Slurm on this machine: {reason}')
        sys.exit(SKIPPED)
    unittest.main()
