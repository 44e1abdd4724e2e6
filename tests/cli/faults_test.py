# SPDX-License-Identifier: Apache-2.0
"""Signals that hit workers or rhino-bench itself in the middle of an experiment of three cells."""
import json
import os
import pathlib
import re
import signal
import subprocess
import time
import unittest
import unittest.mock

from bench import BENCH, BenchTest

START, WAIT = 1, 2  # plan::InstructionKind
PATIENCE_S = 120  # of waits for what is bound to happen, however busy the machine

# The second cell steps for long, the others for a moment. Its parameters are few, so that little of its time is the check.
EXPERIMENT = """\
name: faults
cases:
  - {topology: fast, model: {branching: {width: 8, depth: 1}}, batch: {global: 16, micro_batches: 1}}
  - {topology: fast, model: {branching: {width: 128, depth: 8}}, batch: {global: 2048, micro_batches: 1}}
  - {topology: fast, model: {branching: {width: 8, depth: 2}}, batch: {global: 16, micro_batches: 1}}
matrix:
  search: strategies/data.yaml
measure: {min_warmup_steps: 1, rounds: 1, steps: STEPS, max_noise: 1}
"""
STEPS = 1000

STRATEGY = """\
name: data
mesh: {stage: 1, data: 2}
"""


def wait_for(what, sense):
    """The first true answer of `sense`."""
    limit = time.monotonic() + PATIENCE_S
    while time.monotonic() < limit:
        answer = sense()
        if answer:
            return answer
        time.sleep(0.02)
    raise AssertionError(f'{what}: not within {PATIENCE_S} s')


def fields_of(pid):
    """State, parent, ... of a process (proc(5), stat from field 3 on); None where it has ended."""
    try:
        return pathlib.Path(f'/proc/{pid}/stat').read_text().rpartition(')')[2].split()
    except (FileNotFoundError, ProcessLookupError):
        return None


def is_alive(pid):
    fields = fields_of(pid)
    return fields is not None and fields[0] not in 'ZX'


def cpu_s(pid):
    fields = fields_of(pid)
    return (int(fields[11]) + int(fields[12])) / os.sysconf('SC_CLK_TCK') if fields else 0


def workers_of(parent):
    """Ids of the rhino-worker children of a process, by rank."""
    ranks = {}
    for folder in pathlib.Path('/proc').iterdir():
        if not folder.name.isdigit():
            continue
        fields = fields_of(folder.name)
        if fields is None or int(fields[1]) != parent:
            continue
        try:
            words = (folder / 'cmdline').read_bytes().decode().split('\0')
        except (FileNotFoundError, ProcessLookupError):
            continue
        if words[0] == 'rhino-worker':
            ranks[int(words[2])] = int(folder.name)
    return ranks


@unittest.skipIf(len(os.sched_getaffinity(0)) < 2, 'more ranks than cores run one step only')
class Faults(BenchTest):
    def setUp(self):
        super().setUp()
        self.write('strategies/data.yaml', STRATEGY)
        self.write_experiment(STEPS)

    def write_experiment(self, steps):
        self.write('faults.yaml', EXPERIMENT.replace('STEPS', str(steps)))

    def start(self, *words):
        output = open(self.folder / 'output', 'w')
        self.addCleanup(output.close)
        bench = subprocess.Popen([BENCH, 'faults.yaml', '--out', 'run', *words], cwd=self.folder, env=self.environment(),
                                 stdout=output, stderr=subprocess.STDOUT)
        self.addCleanup(bench.wait)
        self.addCleanup(bench.kill)
        return bench

    def statuses(self):
        return [record['status'] for record in self.records()]

    def output(self):
        return (self.folder / 'output').read_text()

    def workers_in_second_cell(self, bench):
        """Two workers that have stepped for a while: starting up takes them far less processor time."""
        def sense():
            self.assertIsNone(bench.poll(), self.output())
            workers = workers_of(bench.pid)
            busy = len(workers) == 2 and min(map(cpu_s, workers.values())) > 1
            return workers if busy and len(self.records()) == 1 else None
        return wait_for('workers of the second cell', sense)

    def assert_gone(self, workers):
        for rank, pid in workers.items():
            self.assertFalse(is_alive(pid), f'rank {rank} (pid {pid}) lives on: {fields_of(pid)}')

    def check_struck_worker(self, number, told):
        bench = self.start()
        workers = self.workers_in_second_cell(bench)
        os.kill(workers[1], number)
        struck = time.monotonic()
        record = wait_for('record of the second cell', lambda: self.records()[1:])[0]
        self.assertLess(time.monotonic() - struck, 10)
        self.assertEqual(record['status'], 'failed')
        self.assertRegex(record['message'],
                         rf'^rank 1 \(pid {workers[1]}\) {told} in step \d+ at instruction \d+ \(.+\)')
        self.assert_gone(workers)
        self.assertEqual(bench.wait(PATIENCE_S), 5, self.output())
        self.assertEqual(self.statuses(), ['ok', 'failed', 'ok'])
        self.assertEqual([record['check']['kind'] for record in self.records()][::2], ['numerics'] * 2)
        self.assertIn(record['message'], re.sub(r'\s+', ' ', self.output()))

    def test_a_killed_worker_ends_its_cell_alone(self):
        self.check_struck_worker(signal.SIGKILL, r'was killed by signal 9 \(KILL\)')

    def test_a_stopped_worker_ends_its_cell_alone(self):
        self.check_struck_worker(signal.SIGSTOP, 'was stopped by a signal')

    def interrupt(self, bench, workers, number):
        bench.send_signal(number)
        self.assertEqual(bench.wait(PATIENCE_S), 128 + number, self.output())
        self.assert_gone(workers)
        self.assertEqual(self.statuses(), ['ok'])
        left = self.output().partition(f'ended by {number.name}; --resume --out run runs the rest:\n')[2]
        self.assertEqual(len([line for line in left.splitlines() if line.startswith('  branching')]), 2, self.output())

    def test_an_interrupted_run_keeps_its_records_and_is_resumed(self):
        bench = self.start()
        self.interrupt(bench, self.workers_in_second_cell(bench), signal.SIGINT)
        before = self.records()
        for number in (signal.SIGTERM, signal.SIGHUP):
            bench = self.start('--resume')
            self.interrupt(bench, wait_for('workers', lambda: workers_of(bench.pid)), number)
        self.expect(3, 'faults.yaml', '--out', 'run', '--resume', '--seed', '7',
                    err='run: was recorded with seed 0, and this run\'s is 7')
        self.write_experiment(5)
        self.assertEqual(self.start('--resume').wait(PATIENCE_S), 0, self.output())
        self.assertEqual(self.statuses(), ['ok', 'ok', 'ok'])
        self.assertEqual(self.records()[:1], before)
        self.assertEqual(len(self.records()), 3)

    def test_the_deadline_ends_the_cell_at_hand_and_names_what_is_left(self):
        self.write('faults.yaml', EXPERIMENT.replace('STEPS', '10000000') + 'deadline_s: 6\n')
        bench = self.start()
        workers = {}
        wait_for('the deadline', lambda: workers.update(workers_of(bench.pid)) or bench.poll() is not None)
        self.assertEqual(bench.returncode, 124, self.output())
        self.assert_gone(workers)
        self.assertEqual(self.statuses(), [])
        told = self.output().partition('the deadline of 6 s is over; --resume --out run runs the rest:\n')[2]
        self.assertEqual([line.count('branching') for line in told.partition('\n\n')[0].splitlines()], [1, 1, 1], self.output())
        self.write_experiment(5)
        self.assertEqual(self.start('--resume', '--deadline', '900').wait(PATIENCE_S), 0, self.output())
        self.assertEqual(self.statuses(), ['ok', 'ok', 'ok'])

    def test_a_message_corrupted_in_transit_is_wrong_numerics(self):
        self.write('faults.yaml', 'name: corrupt\ncases:\n  - {topology: fast, model: {branching: {width: 8, depth: 2}}, '
                   'batch: {global: 16, micro_batches: 2}, search: strategies/stages.yaml}\nmeasure: {rounds: 1, steps: 5}\n')
        self.expect(0, 'faults.yaml', '--out', 'run')
        plan = json.loads((self.folder / 'run' / self.records()[0]['artifacts']['plan']).read_text())
        # [kind, communication, micro-batch, inputs, outputs, ...] of the second stage; a Start that writes to buffers receives.
        instructions = plan['content'][11][1][2]
        received = {tuple(one[1:3]) for one in instructions if one[0] == START and max(one[4], default=-1) >= 0}
        waits = [index for index, one in enumerate(instructions) if one[0] == WAIT and tuple(one[1:3]) in received]
        self.assertEqual(len(waits), 2)
        for step, instruction in ((1, waits[0]), (3, waits[1])):
            fault = f'rank=1,kind=corrupt,step={step},instruction={instruction}'
            with self.subTest(fault), unittest.mock.patch.dict(os.environ, RHINO_FAULTS=fault):
                self.expect(7, 'faults.yaml', '--out', fault, out=r'wrong, check WRONG \S+: \S+.* is off by')
                record, = self.records(fault)
                self.assertEqual(record['status'], 'wrong')
                self.assertRegex(record['message'], r"^(loss|gradient of '\S+') is off by \S+ \(tolerance 1e-04\)$")

    def test_a_killed_run_leaves_no_worker_behind_and_frees_its_folder(self):
        bench = self.start()
        workers = self.workers_in_second_cell(bench)
        self.expect(3, 'faults.yaml', '--out', 'run', '--resume',
                    err=rf'run: another run writes here: process {bench.pid} on \S+ since \d')
        bench.kill()
        bench.wait()
        self.expect(0, 'faults.yaml', '--out', 'run', '--resume', '--filter', r'depth=1,width=8\)')
        wait_for('end of the workers', lambda: not any(map(is_alive, workers.values())))
        self.assertEqual(self.statuses(), ['ok'])


if __name__ == '__main__':
    signal.signal(signal.SIGHUP, signal.SIG_DFL)  # what starts the tests may ignore it, and rhino-bench then does
    unittest.main()
