# SPDX-License-Identifier: Apache-2.0
"""Ranks that launchers start find each other: under mpirun by PMIx, by variables as srun and torchrun set them."""
import os
import pathlib
import re
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
import unittest

RANKS = sys.argv.pop(1)
MPIRUN = shutil.which('mpirun')
TOKEN = {'RHINO_TOKEN': '0123456789abcdef'}


def environment(**variables):
    # Nothing of a launcher that these tests may run under.
    own = {name: value for name, value in os.environ.items() if not re.match(r'(PMIX?_|OMPI_|SLURM_|RANK$|WORLD_SIZE$|MASTER_|TORCHELASTIC)', name)}
    return dict(own, OMPI_ALLOW_RUN_AS_ROOT='1', OMPI_ALLOW_RUN_AS_ROOT_CONFIRM='1', **variables)


def free_port():
    with socket.socket() as one:
        one.bind(('', 0))
        return one.getsockname()[1]


def is_there(pid):
    try:
        return pathlib.Path(f'/proc/{pid}/stat').read_text().rpartition(')')[2].split()[0] != 'Z'
    except FileNotFoundError:
        return False


def start(command, **variables):
    return subprocess.Popen(command, env=environment(**variables), text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE)


def assert_killed_launcher_leaves_nothing(test, launcher):
    """Of three ranks that wait."""
    pids = []
    while len(pids) < 3:
        line = launcher.stdout.readline()
        test.assertTrue(line, 'mpirun ended early')
        pids += [int(pid) for pid in re.findall(r'^pid (\d+)$', line)]
    test.assertTrue(all(map(is_there, pids)))
    launcher.kill()
    launcher.communicate()
    limit = time.monotonic() + 5
    while any(map(is_there, pids)) and time.monotonic() < limit:
        time.sleep(0.05)
    test.assertFalse(any(map(is_there, pids)))


@unittest.skipIf(MPIRUN is None, 'there is no mpirun')
class Mpirun(unittest.TestCase):
    def mpirun(self, *words):
        return subprocess.run([MPIRUN, '--oversubscribe', *words], env=environment(), text=True, capture_output=True, timeout=120)

    @unittest.skipIf('RHINO_PMIX' not in os.environ, 'built without PMIx')
    def test_ranks_meet_by_pmix(self):
        for count in (2, 5):
            done = self.mpirun('-n', str(count), RANKS, 'auto', '30')
            self.assertEqual((done.returncode, done.stderr), (0, ''))
            lines = sorted(done.stdout.splitlines())
            others = range(1, count)
            self.assertEqual(lines[0], f'rank 0 of {count} met ' + ' '.join(map(str, others)))
            for rank, line in zip(others, lines[1:], strict=True):
                self.assertRegex(line, rf'^rank {rank} of {count} through \w+$')

    def test_one_rank_is_local(self):
        done = self.mpirun('-n', '1', RANKS, 'auto', '30')
        self.assertEqual((done.returncode, done.stdout, done.stderr), (0, 'local\n', ''))

    @unittest.skipIf('RHINO_PMIX' not in os.environ, 'built without PMIx')
    def test_a_rank_that_does_not_come_is_waited_for_until_the_deadline(self):
        begin = time.monotonic()
        done = self.mpirun('-n', '1', RANKS, 'auto', '1', ':', '-n', '1', 'sleep', '20')
        self.assertLess(time.monotonic() - begin, 15)
        self.assertEqual(done.returncode, 5)
        self.assertIn('rank 0: PMIx: rhino-pmix said nothing for 1 s', done.stderr)

    @unittest.skipIf('RHINO_PMIX' not in os.environ, 'built without PMIx')
    def test_a_launcher_that_is_killed_leaves_nothing(self):
        assert_killed_launcher_leaves_nothing(self, start([MPIRUN, '--oversubscribe', '-n', '3', RANKS, 'auto', '30', 'wait']))


@unittest.skipIf(MPIRUN is None, 'there is no mpirun')
@unittest.skipIf('RHINO_PMIX' not in os.environ, 'built without PMIx')
@unittest.skipIf(os.geteuid() != 0 or shutil.which('ip') is None, 'hosts are emulated by root alone')
class Hosts(unittest.TestCase):
    """Three hosts of mpirun with a network and a name each. As with Docker, a bridge of every one has the same address."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix='rhino_hosts_')
        self.addCleanup(folder.cleanup)
        switch, *self.hosts = [self.new_namespace() for _ in range(4)]
        self.ip(switch, 'link add br0 up type bridge')
        for number, host in enumerate(self.hosts, 1):
            self.ip(host, f'link add eth0 type veth peer name v{number} netns {switch}')
            self.ip(switch, f'link set v{number} master br0 up')
            self.ip(host, 'link add docker0 up type bridge')
            for device, address in (('lo', None), ('eth0', f'10.77.0.{number}'), ('docker0', '172.17.0.1')):
                self.ip(host, f'link set {device} up')
                if address:
                    self.ip(host, f'addr add {address}/24 dev {device}')
            subprocess.run(self.inside(host, 'hostname', f'host{number}'), check=True)
        # In place of ssh.
        self.agent = pathlib.Path(folder.name) / 'agent'
        self.agent.write_text('#!/bin/bash\npids=(0 ' + ' '.join(map(str, self.hosts)) + ')\nhost=$1; shift\n'
                              'exec nsenter -t ${pids[${host##*.}]} -n -u bash -c "$*"\n')
        self.agent.chmod(0o755)

    def new_namespace(self):
        """Of a process that ends with this one."""
        process = subprocess.Popen(['unshare', '--net', '--uts', 'cat'], stdin=subprocess.PIPE)
        self.addCleanup(process.wait)
        self.addCleanup(process.stdin.close)
        own = os.readlink('/proc/self/ns/net')
        while os.readlink(f'/proc/{process.pid}/ns/net') == own:
            time.sleep(0.001)
        return process.pid

    def inside(self, host, *words):
        return ['nsenter', '-t', str(host), '-n', '-u', *words]

    def ip(self, host, words):
        subprocess.run(self.inside(host, 'ip', *words.split()), check=True)

    def mpirun(self, *words):
        return start(self.inside(self.hosts[0], MPIRUN, '--mca', 'plm_rsh_agent', str(self.agent), '--mca', 'oob_tcp_if_include', 'eth0',
                                 '-H', '10.77.0.1,10.77.0.2,10.77.0.3', '-n', '3', RANKS, 'auto', '30', *words))

    def test_ranks_meet_over_the_network_that_they_share(self):
        launcher = self.mpirun()
        out, err = launcher.communicate(timeout=120)
        # On a busy machine what mpirun starts may be on its way before it gets a group of its own.
        err = re.sub(r'(?m)^\[.*\] plm:rsh: Warning: setpgid\(\d+,\d+\) failed in parent with errno=Permission denied\(13\)\n', '', err)
        self.assertEqual((launcher.returncode, err), (0, ''))
        self.assertEqual(sorted(out.splitlines()), ['rank 0 of 3 met 1 2', 'rank 1 of 3 through eth0', 'rank 2 of 3 through eth0'])

    def test_a_launcher_that_is_killed_leaves_nothing_on_any_host(self):
        assert_killed_launcher_leaves_nothing(self, self.mpirun('wait'))


class Variables(unittest.TestCase):
    def run_ranks(self, of_rank, count=3, word='auto', deadline='30'):
        ranks = [start([RANKS, word, deadline], **of_rank(rank)) for rank in range(count)]
        return [(rank.communicate(timeout=120), rank.returncode) for rank in ranks]

    def assert_met(self, ends):
        self.assertEqual([(err, code) for (_, err), code in ends], [('', 0)] * len(ends))
        self.assertEqual(ends[0][0][0], f'rank 0 of {len(ends)} met ' + ' '.join(map(str, range(1, len(ends)))) + '\n')

    def torch(self, rank, port, **more):
        return {'RANK': str(rank), 'WORLD_SIZE': '3', 'MASTER_ADDR': socket.gethostname(), 'MASTER_PORT': str(port), **TOKEN, **more}

    def test_as_torchrun_sets_them(self):
        port = free_port()
        self.assert_met(self.run_ranks(lambda rank: self.torch(rank, port)))

    def test_as_srun_sets_them(self):
        job = str(os.getpid())
        self.assert_met(self.run_ranks(lambda rank: {
            'SLURM_JOB_ID': job, 'SLURM_STEP_ID': '2', 'SLURM_PROCID': str(rank), 'SLURM_NTASKS': '3', 'SLURM_STEP_NUM_TASKS': '3',
            'SLURM_STEP_NODELIST': socket.gethostname(), **TOKEN}))

    def test_another_token_is_refused(self):
        port = free_port()
        ends = self.run_ranks(lambda rank: self.torch(rank, port, **({'RHINO_TOKEN': 'fedcba9876543210'} if rank == 2 else {})), deadline='3')
        self.assertEqual([code for _, code in ends], [5, 0, 5])
        self.assertIn('refused a connection from ', ends[0][0][1])
        self.assertIn('its token is another', ends[0][0][1])
        self.assertIn('it hung up on us: is its token another?', ends[2][0][1])

    def test_without_a_token_no_rank_begins(self):
        for (_, err), code in self.run_ranks(lambda rank: {**self.torch(rank, 4711), 'RHINO_TOKEN': ''}):
            self.assertEqual(code, 3)
            self.assertIn('RHINO_TOKEN is not set', err)

    def test_a_port_that_is_taken_is_named(self):
        with socket.socket() as taken:
            taken.bind(('', 0))
            taken.listen()
            port = taken.getsockname()[1]
            (_, err), code = self.run_ranks(lambda rank: self.torch(rank, port), count=1)[0]
        self.assertEqual(code, 5)
        self.assertRegex(err, rf'cannot listen at \S+:{port}: Address already in use')


if __name__ == '__main__':
    unittest.main()
