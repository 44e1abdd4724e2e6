# SPDX-License-Identifier: Apache-2.0
"""Faults of a run on three hosts: the cell that they hit fails within 10 s and says where, the others run, and nothing is left."""
import json
import os
import pathlib
import signal
import statistics
import subprocess
import time
import unittest

from cluster_case import BENCH, SOURCE, ClusterTest, experiment, gpt, main

STOP_S = 10


class Faults(ClusterTest):
    """A long cell, one that runs after it, and one of the first host alone."""

    def begin(self, **options):
        name = self.write(experiment(gpt('15m'), gpt('1m'), gpt('1m', stage=1, tensor=2, hosts=', hosts: 1')))
        self.processes = self.start(name, '--out', 'out', **options)
        self.wait_for(self.is_stepping, 'the first cell does not begin', 120)
        self.since = time.monotonic()

    def is_stepping(self):
        """Workers are there, and connected: they have computed for a second."""
        ids = self.hosts.ids(1, 'rhino-worker')
        if len(ids) != 2:
            return False
        try:
            fields = pathlib.Path(f'/proc/{ids[0]}/stat').read_text().rsplit(')', 1)[1].split()
        except OSError:
            return False
        return int(fields[11]) + int(fields[12]) >= os.sysconf('SC_CLK_TCK') // 2

    def worker(self):
        return self.hosts.ids(1, 'rhino-worker')[0]

    def guardian(self, host):
        return self.hosts.ids(host, 'rhino-bench')[0]

    def child(self, host):
        return self.hosts.ids(host, 'rhino-bench')[1]

    def first_record_within(self, seconds):
        self.wait_for(self.records, 'the cell does not end', seconds)
        taken = time.monotonic() - self.since
        print(f'  {self.id().rsplit(".", 1)[1]}: the cell ended {taken:.1f} s after the fault: {self.records()[0]["message"]}')
        return self.records()[0]

    def check_others_run(self, statuses=('failed', 'ok', 'ok'), codes=(5, 0, 0)):
        self.assertEqual(tuple(self.ends(self.processes, 90)), codes, self.out(0))
        self.assertEqual(tuple(record['status'] for record in self.records()), statuses, self.out(0))
        self.check_nothing_left()

    def check_failed(self, pattern):
        record = self.first_record_within(STOP_S)
        self.assertEqual(record['status'], 'failed')
        self.assertRegex(record['message'], pattern)

    def test_worker_killed(self):
        self.begin()
        os.kill(self.worker(), signal.SIGKILL)
        self.check_failed(r'^rank [23] \(pid \d+ on host2\) was killed by signal 9 \(KILL\)')
        self.check_others_run()

    def test_worker_stopped(self):
        self.begin()
        os.kill(self.worker(), signal.SIGSTOP)
        self.check_failed(r'^rank [23] \(pid \d+ on host2\) was stopped by a signal')
        self.check_others_run()

    def test_agent_killed(self):
        self.begin()
        os.kill(self.child(1), signal.SIGKILL)
        self.check_failed(r'^host host2 with ranks 2, 3 is lost')
        self.check_others_run()

    def test_agent_stopped(self):
        self.begin()
        os.kill(self.child(1), signal.SIGSTOP)
        self.check_failed(r'^host host2 with ranks 2, 3 is (silent|lost)')
        self.check_others_run()

    def test_guardian_killed(self):
        self.begin()
        os.kill(self.guardian(1), signal.SIGKILL)
        self.check_failed(r'^(host host2 with ranks 2, 3 is lost|rank [23] \(pid \d+ on host2\) was killed)')
        self.check_others_run(('failed', 'failed', 'ok'), (5, 137, 0))
        self.assertRegex(self.records()[1]['message'], r'host host2 .*is lost')

    def test_guardian_stopped(self):
        self.begin()
        os.kill(self.guardian(1), signal.SIGSTOP)
        self.check_others_run(('ok', 'ok', 'ok'), (0, 0, 0))

    def test_controller_killed(self):
        self.begin()
        os.kill(self.child(0), signal.SIGKILL)
        codes = self.ends(self.processes, STOP_S)
        self.assertEqual(codes, [137, 5, 5], self.out(0))
        self.assertRegex(self.out(1), r'^rhino-bench: rank 1: the controller is gone')
        self.check_nothing_left()
        self.check_resumes()

    def test_controller_stopped(self):
        self.begin()
        os.kill(self.child(0), signal.SIGSTOP)
        self.assertEqual(self.ends(self.processes, STOP_S + 5), [137, 5, 5], self.out(0))
        self.check_nothing_left()
        self.check_resumes()

    def check_resumes(self):
        self.processes = self.start('x.yaml', '--out', 'out', '--resume')
        self.check_others_run(('ok', 'ok', 'ok'), (0, 0, 0))

    def test_interrupted(self):
        self.begin()
        os.kill(self.guardian(0), signal.SIGTERM)
        self.assertEqual(self.ends(self.processes, STOP_S), [143, 0, 0], self.out(0))
        self.assertIn('ended by SIGTERM', self.out(0))
        self.check_nothing_left()

    def test_mpirun_killed(self):
        name = self.write(experiment(gpt('15m')))
        launcher = self.hosts.mpirun([BENCH, name, '--out', 'out'], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, cwd=self.folder)
        self.wait_for_workers()
        os.kill(launcher.pid, signal.SIGKILL)  # nsenter has become it
        launcher.wait()
        self.check_nothing_left(STOP_S)

    def wait_for_workers(self):
        end = time.monotonic() + 60
        while len(self.hosts.ids(1, 'rhino-worker')) != 2:
            self.assertLess(time.monotonic(), end, 'no workers')
            time.sleep(0.05)

    def test_mpirun_stopped(self):
        name = self.write(experiment(gpt('1m')))
        launcher = self.hosts.mpirun([BENCH, name, '--out', 'out'], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, cwd=self.folder)
        self.wait_for_workers()
        os.kill(launcher.pid, signal.SIGSTOP)
        end = time.monotonic() + 60
        while not self.records() and time.monotonic() < end:
            time.sleep(0.1)
        os.kill(launcher.pid, signal.SIGCONT)
        self.assertEqual([record['status'] for record in self.records()], ['ok'])
        self.assertEqual(launcher.wait(30), 0)
        self.check_nothing_left()

    def test_link_down(self):
        self.begin()
        self.hosts.link(1, 'down')
        self.check_failed(r'^host host2 with ranks 2, 3 is (silent|lost)')
        codes = self.ends(self.processes, 60)
        self.assertEqual(codes, [5, 5, 0], self.out(0))
        self.assertEqual([record['status'] for record in self.records()], ['failed', 'failed', 'ok'])
        self.check_nothing_left(15)

    def test_link_down_for_a_while(self):
        """Longer than heartbeats, shorter than a connection gives up: the next cell has the host again."""
        self.begin()
        self.hosts.link(1, 'down')
        self.check_failed(r'^host host2 with ranks 2, 3 is (silent|lost)')
        self.hosts.link(1, 'up')
        self.check_others_run()

    def test_slow_host(self):
        """Its processes are stopped nine tenths of the time."""
        self.begin()
        end = time.monotonic() + 8
        while time.monotonic() < end:
            ids = [pid for pid, name in self.hosts.processes(1).items() if name.startswith('rhino')]
            for number, seconds in ((signal.SIGSTOP, 0.36), (signal.SIGCONT, 0.04)):
                for pid in ids:
                    try:
                        os.kill(pid, number)
                    except ProcessLookupError:
                        pass
                time.sleep(seconds)
        self.check_others_run(('ok', 'ok', 'ok'), (0, 0, 0))


class Clocks(ClusterTest):
    num_hosts, ahead = 2, {1: 3}

    def test_traces_of_hosts_whose_clocks_differ(self):
        name = self.write(experiment(gpt('1m', stage=2, tensor=1, devices=1)))
        self.assertEqual(self.run_to_end(name, '--out', 'out'), [0, 0], self.out(0))
        [record] = self.records()
        error_us = float(record['environment']['clocks'].split()[-2])
        self.assertLess(error_us, 5000)
        trace = json.loads((self.folder / 'out' / record['artifacts']['trace']).read_text())
        ends = {}
        for event in trace['traceEvents'] if isinstance(trace, dict) else trace:
            if event.get('ph') == 'X':
                ends.setdefault(event['pid'], []).append((event['ts'], event['ts'] + event['dur']))
        self.assertGreaterEqual(len(ends), 2)
        first = [min(begin for begin, _ in events) for events in ends.values()]
        self.assertLess(max(first) - min(first), 1e6, 'microseconds')


class Resharding(ClusterTest):
    RESHARD = """\
name: reshard
cases:
  - topology: {topology}
    reshard: {{tensor: [16, 1024, 1024], dtype: f32, source: {{mesh: [1, 2], spec: [S1, R, R]}}, target: {{mesh: [2, 2], spec: [R, R, R]}}}}
  - topology: {topology}
    reshard: {{tensor: [64, 256, 512], dtype: f32, source: {{mesh: [1, 2], spec: [S1, R, R]}}, target: {{mesh: [2, 2], spec: [S0, S1, R]}}}}
matrix:
  resharding: [resharding/send_recv, resharding/broadcast, resharding/striped]
"""

    def test_between_agents_as_between_emulated_hosts(self):
        emulated = (SOURCE / 'topologies/emulated_4x4_1gbit.yaml').read_text().replace('hosts: 4', 'hosts: 3').replace('devices_per_host: 4', 'devices_per_host: 2')
        self.write(emulated, 'three.yaml')
        self.write(self.RESHARD.format(topology='{three.yaml: {}}'), 'emulated.yaml')
        self.write(self.RESHARD.format(topology='{cluster: {devices_per_host: 2}}'), 'apart.yaml')
        self.assertEqual(self.ends(self.start('apart.yaml', '--out', 'apart'), 600), [0, 0, 0], self.out(0))
        done = subprocess.run([BENCH, 'emulated.yaml', '--out', 'emulated'], cwd=self.folder, capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stderr)
        medians = {run: [statistics.median(round['seconds'] for round in record['rounds']) for record in self.records(run)] for run in ('apart', 'emulated')}
        for record, apart, emulated in zip(self.records('apart'), medians['apart'], medians['emulated'], strict=True):
            print(f'  {record["label"]}: {apart:.4f} s between agents, {emulated:.4f} s between emulated hosts: {100 * (apart / emulated - 1):+.1f} %')
        for apart, emulated in zip(medians['apart'], medians['emulated']):
            self.assertLess(abs(apart / emulated - 1), 0.05)


class Many(ClusterTest):
    num_hosts = 64

    def test_start_of_64_agents(self):
        """And what a step costs the controller, per worker."""
        name = self.write(experiment(gpt('1m', devices=1, stage=1, tensor=1, hosts=', hosts: 1')))
        begin = time.monotonic()
        processes = self.start(name, '--out', 'out')
        self.wait_for(lambda: '64 hosts' in self.out(0), 'hosts are not there', 60)
        taken = time.monotonic() - begin
        print(f'  64 agents after {taken:.1f} s')
        self.assertEqual(self.ends(processes, 60), [0] * 64, self.out(0))
        self.assertLess(taken, 10)
        self.check_nothing_left(5)


if __name__ == '__main__':
    main()
