# SPDX-License-Identifier: Apache-2.0
"""Runs that are killed at random moments leave nothing behind: no process, no name in /dev/shm, no segment of System V. They happen in
namespaces of their own, so that nothing else is seen there and all of it ends with the test.

UCX makes a segment and marks it to be removed by two calls: who is killed between these, some microseconds, leaves it. So one kill of a hundred
may leave one segment of less than 100 kB that nobody is attached to."""
import os
import pathlib
import random
import re
import signal
import subprocess
import sys
import tempfile
import time
import unittest

from settings import setting

BENCH = setting('RHINO_BENCH')

NUM_KILLS = int(os.environ.get('RHINO_KILLS', 200))
EXPERIMENT = """\
name: kills
cases:
  - {topology: {local: {devices: 2}}, model: {gpt: {preset: 1m}}, batch: {global: 8, micro_batches: 2}}
matrix: {search: strategies/gpt_megatron.yaml}
measure: {repetitions: 1, steps: 5}
"""
ISOLATED = ['unshare', '-rmipf', '--kill-child', '--mount-proc', 'sh', '-c', 'mount -t tmpfs none /dev/shm && exec "$@"', 'sh']


def others():
    """Command lines of all other processes; zombies have none."""
    found = {}
    for folder in pathlib.Path('/proc').iterdir():
        if folder.name.isdigit() and int(folder.name) not in (1, os.getpid()):
            try:
                words = (folder / 'cmdline').read_bytes().split(b'\0')
            except OSError:
                continue
            if words[0]:
                found[int(folder.name)] = b' '.join(words).decode()
    return found


def workers_of_all():
    return [pid for pid, words in others().items() if words.startswith('rhino-worker')]


def left_behind():
    segments = pathlib.Path('/proc/sysvipc/shm').read_text().splitlines()[1:]
    return sorted(os.listdir('/dev/shm')) + segments


def until(sense, seconds):
    limit = time.monotonic() + seconds
    while not sense() and time.monotonic() < limit:
        time.sleep(0.002)
    return sense()


def strike(folder, dice, number):
    """Starts a run, and kills it, or all of it at once, or one worker and then it; whether workers shared memory then, whom it hit, and
    what is left."""
    before = left_behind()
    new = lambda: [one for one in left_behind() if one not in before]
    bench = subprocess.Popen([BENCH, 'kills.yaml', '--out', f'run{number}'], cwd=folder, stdout=subprocess.DEVNULL,
                             stderr=subprocess.DEVNULL)
    # As workers begin, as they wire up (then there is shared memory), or anywhere.
    begun = dice.choices([workers_of_all, new, lambda: True], [2, 7, 1])[0]
    until(lambda: begun() or bench.poll() is not None, 60)
    time.sleep(dice.choice([0, dice.uniform(0, 0.1), dice.uniform(0, 1)]))
    whom = dice.choice(['controller', 'all', 'worker'])
    workers, shared = workers_of_all(), bool(new())
    targets = {'controller': [], 'all': workers, 'worker': workers[:1]}[whom] + [bench.pid]
    for pid in targets:
        try:
            os.kill(pid, signal.SIGKILL)
        except ProcessLookupError:
            pass
    bench.wait()
    until(lambda: not others() and not new(), 20)
    return shared, whom, [*others().values(), *new()]


def kill_many():
    seed = int(os.environ.get('RHINO_SEED', time.time_ns() % 10**9))
    print(f'seed {seed}', flush=True)
    dice = random.Random(seed)
    found, num_sharing = [], 0
    with tempfile.TemporaryDirectory() as folder:
        os.environ['XDG_CACHE_HOME'] = folder
        pathlib.Path(folder, 'kills.yaml').write_text(EXPERIMENT)
        subprocess.run([BENCH, 'kills.yaml', '--out', 'whole'], cwd=folder, check=True, stdout=subprocess.DEVNULL)
        for number in range(NUM_KILLS):
            shared, whom, left = strike(folder, dice, number)
            num_sharing += shared
            found += [f'kill {number} of {whom}: {one}' for one in left]
    # Of /proc/sysvipc/shm: key, id, mode, bytes, two processes, how many are attached.
    abandoned = [one for one in found if re.search(r': +0 +\d+ +660 +\d{1,5} +\d+ +\d+ +0 ', one)]
    print('\n'.join(found) or f'{NUM_KILLS} kills left nothing, {num_sharing} of them while workers shared memory')
    sys.exit(len(found) > len(abandoned) or len(abandoned) > NUM_KILLS / 100 or num_sharing < NUM_KILLS / 3)


class Kills(unittest.TestCase):
    def test_kills_leave_nothing(self):
        if subprocess.run([*ISOLATED, 'true']).returncode != 0:
            self.skipTest('no namespaces may be made here')
        done = subprocess.run([*ISOLATED, sys.executable, __file__, 'kill'], text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        self.assertEqual(done.returncode, 0, done.stdout)


if __name__ == '__main__':
    kill_many() if sys.argv[1:] == ['kill'] else unittest.main()
