# SPDX-License-Identifier: Apache-2.0
"""The launcher beside a build that holds its lock: a copy of it, in a tree where everything is built but echoes its words."""
import fcntl
import os
import pathlib
import shutil
import subprocess
import tempfile
import time
import unittest

from bench import SOURCE


class Launcher(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix='rhino_launcher_')
        self.addCleanup(folder.cleanup)
        self.tree = pathlib.Path(folder.name)
        shutil.copy(SOURCE / 'rhino-bench', self.tree)
        build = self.tree / 'build'
        (build / 'core').mkdir(parents=True)
        (build / 'build.ninja').write_text('rule nothing\n  command = true\nbuild engine: phony\n')
        self.bench = build / 'core/rhino-bench'
        self.bench.write_text('#!/bin/sh\necho "$@"\n')
        self.bench.chmod(0o755)
        self.lock = open(build / '.launcher.lock', 'w')
        self.addCleanup(self.lock.close)

    def start(self, *words, **environment):
        process = subprocess.Popen([self.tree / 'rhino-bench', *words], text=True, env=dict(os.environ, **environment), stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        self.addCleanup(process.wait)
        self.addCleanup(process.stdout.close)
        self.addCleanup(process.stderr.close)
        self.addCleanup(process.kill)
        return process

    def assert_answers(self, *words):
        out, err = self.start(*words).communicate(timeout=60)
        self.assertEqual((out, err), (' '.join(words) + '\n', ''))

    def assert_waits(self, *words):
        process = self.start(*words)
        self.assertIn('another build runs', process.stderr.readline())
        self.assertIsNone(process.poll())
        return process

    def test_help_version_and_list_do_not_wait_for_a_build(self):
        fcntl.flock(self.lock, fcntl.LOCK_EX)
        for words in (['--help'], ['-h'], ['--version'], ['search', '--help'], ['list'], ['list', 'topologies']):
            self.assert_answers(*words)

    def test_all_else_waits_and_goes_on(self):
        fcntl.flock(self.lock, fcntl.LOCK_EX)
        waiting = self.assert_waits('x.yaml', '--dry-run')
        fcntl.flock(self.lock, fcntl.LOCK_UN)
        self.assertEqual(waiting.communicate(timeout=60)[0], 'x.yaml --dry-run\n')

    def test_of_many_ranks_one_builds_and_the_others_say_nothing(self):
        (self.tree / 'build/build.ninja').write_text('rule make\n  command = sleep 0.2; echo >> made; touch done\nbuild done: make\nbuild engine: phony done\n')
        fcntl.flock(self.lock, fcntl.LOCK_EX)
        ranks = [self.start('x.yaml', OMPI_COMM_WORLD_RANK=str(rank), OMPI_COMM_WORLD_SIZE='16') for rank in range(16)]
        self.assertIn('another build runs', ranks[0].stderr.readline())
        fcntl.flock(self.lock, fcntl.LOCK_UN)
        said = [rank.communicate(timeout=60) for rank in ranks]
        self.assertEqual({out for out, _ in said}, {'x.yaml\n'})
        self.assertEqual(len((self.tree / 'build/made').read_text()), 1, 'built once')
        self.assertLessEqual(sum('waiting for it' in err for _, err in said[1:]), 0)

    def test_what_says_which_rank_this_is(self):
        text = (SOURCE / 'rhino-bench').read_text()
        function = text[text.index('is_first() {'):text.index('# Runs the one command')]
        for variables, is_first in (('', True), ('RANK=3', True), ('RANK=3 WORLD_SIZE=4', False), ('RANK=0 WORLD_SIZE=4', True), ('PMIX_RANK=0', True), ('PMI_RANK=2', False),
                                    ('SLURM_PROCID=2', True), ('SLURM_PROCID=2 SLURM_STEP_NODELIST=n[1-3]', False),
                                    ('SLURM_PROCID=0 SLURM_STEP_NODELIST=n1 OMPI_COMM_WORLD_RANK=5', False), ('SLURM_PROCID=1 SLURM_STEP_NODELIST=n1 OMPI_COMM_WORLD_RANK=0', True),
                                    ('SLURM_PROCID=0 SLURM_STEP_NODELIST=n1 TORCHELASTIC_RUN_ID=x RANK=1 WORLD_SIZE=8', False)):
            done = subprocess.run(['env', '-i', *variables.split(), 'bash', '-euc', f'{function}\nif is_first; then echo first; fi'], text=True, capture_output=True)
            self.assertEqual((done.stdout, done.stderr), ('first\n' if is_first else '', ''), variables)

    def slow_build(self):
        (self.tree / 'build/build.ninja').write_text('rule make\n  command = sleep 0.5; echo >> made; touch done\nbuild done: make\nbuild engine: phony done\n')

    def distrust_locks(self):
        """As over a network: every lock is given to all who ask."""
        (self.tree / 'bin').mkdir()
        (self.tree / 'bin/flock').write_text('#!/bin/sh\nexit 0\n')
        (self.tree / 'bin/flock').chmod(0o755)
        return {'PATH': f'{self.tree}/bin:' + os.environ['PATH']}

    def assert_built_once(self):
        self.assertEqual(len((self.tree / 'build/made').read_text()), 1, 'built once')
        self.assertEqual([path.name for path in (self.tree / 'build').glob('.builder*')], [])

    def test_whatever_locks_do_the_first_rank_alone_builds_and_speaks(self):
        self.slow_build()
        untrusted = self.distrust_locks()
        ranks = [self.start('x.yaml', PMIX_RANK=str(rank), **untrusted) for rank in reversed(range(16))]
        said = [rank.communicate(timeout=60) for rank in ranks]
        self.assertEqual({out for out, _ in said}, {'x.yaml\n'})
        self.assertEqual({err for _, err in said[:-1]}, {''})
        self.assert_built_once()

    def test_hosts_that_share_a_checkout_build_it_once(self):
        self.slow_build()
        untrusted = self.distrust_locks()
        hosts = [self.start('x.yaml', **untrusted) for _ in range(8)]
        said = [host.communicate(timeout=60) for host in hosts]
        self.assertEqual({out for out, _ in said}, {'x.yaml\n'})
        self.assertTrue(any('another build runs, on ' in err for _, err in said))
        self.assert_built_once()

    def claim(self, host, boot, start, pid=None):
        names = os.readlink('/proc/self/ns/pid')
        (self.tree / 'build/.builder').write_text(f'{host} {boot} {names} {pid or os.getpid()} {start}\n')

    def test_a_builder_that_has_ended_and_that_nobody_waited_for_is_succeeded(self):
        host, boot = os.uname().nodename, pathlib.Path('/proc/sys/kernel/random/boot_id').read_text().strip()
        ended = subprocess.Popen(['true'])
        self.addCleanup(ended.wait)
        stat = pathlib.Path(f'/proc/{ended.pid}/stat')
        while (fields := stat.read_text().rpartition(')')[2].split())[0] != 'Z':
            time.sleep(0.01)
        self.claim(host, boot, fields[19], ended.pid)
        out, err = self.start('x.yaml').communicate(timeout=20)
        self.assertEqual((out, err), ('x.yaml\n', ''))

    def test_a_builder_that_died_is_succeeded_and_one_of_another_host_is_not(self):
        host, boot = os.uname().nodename, pathlib.Path('/proc/sys/kernel/random/boot_id').read_text().strip()
        start = pathlib.Path('/proc/self/stat').read_text().rpartition(')')[2].split()[19]
        for other in ((host, 'another-boot', start), (host, boot, '1')):
            self.claim(*other)
            out, err = self.start('x.yaml').communicate(timeout=60)
            self.assertEqual((out, err), ('x.yaml\n', ''))
        for other in (('elsewhere', 'another-boot', start), (host, boot, start)):
            self.claim(*other)
            waiting = self.start('x.yaml')
            self.assertIn(f'another build runs, on {other[0]}; waiting for it (where it is over, remove {self.tree}/build/.builder)', waiting.stderr.readline())
            (self.tree / 'build/.builder').unlink()
            self.assertEqual(waiting.communicate(timeout=60)[0], 'x.yaml\n')

    def test_a_rank_whose_host_lacks_the_build_or_cannot_run_it_says_so(self):
        self.slow_build()
        script = self.tree / 'rhino-bench'
        script.write_text(script.read_text().replace('patience=30', 'patience=1'))
        rank = self.start('x.yaml', PMIX_RANK='3')
        self.assertIn(f'{os.uname().nodename}: {self.tree}/build is not up to date', rank.communicate(timeout=60)[1])
        self.assertEqual(rank.returncode, 2)
        self.start('x.yaml').communicate(timeout=60)
        self.bench.write_text('#!/bin/sh\necho "error while loading shared libraries: libucp.so.0" >&2\nexit 127\n')
        rank = self.start('x.yaml', PMIX_RANK='3')
        self.assertEqual(rank.communicate(timeout=60)[1], f'rhino-bench: {os.uname().nodename}: what the first process runs does not run here: error while loading shared libraries: libucp.so.0\n')
        self.assertEqual(rank.returncode, 2)

    def test_a_program_that_is_being_linked_is_waited_for(self):
        fcntl.flock(self.lock, fcntl.LOCK_EX)
        self.bench.chmod(0o644)
        self.assert_waits('list')

    def test_list_builds_where_nobody_else_does(self):
        (self.tree / 'build/build.ninja').write_text('rule make\n  command = touch made\nbuild made: make\nbuild engine: phony made\n')
        self.assertEqual(self.start('list').communicate(timeout=60)[0], 'list\n')
        self.assertTrue((self.tree / 'build/made').exists())


class Installation(unittest.TestCase):
    """The launcher in a tree that is not configured yet, on a machine whose apt-get fails and which lacks what `lacks` names."""

    def run_launcher(self, lacks, *words):
        with tempfile.TemporaryDirectory(prefix='rhino_launcher_') as name:
            tree = pathlib.Path(name)
            shutil.copy(SOURCE / 'rhino-bench', tree)
            (tree / 'bin').mkdir()
            ninja = 'rule nothing\n  command = true\nbuild engine: phony\n'
            programs = {
                'apt-get': 'echo "no such package"; exit 100',
                'pkg-config': f'[ "$2" != {lacks} ]',
                'meson': f'mkdir -p "$2/core"; printf %s \'{ninja}\' > "$2/build.ninja"; printf \'#!/bin/sh\\necho "$@"\\n\' > "$2/core/rhino-bench"; chmod +x "$2/core/rhino-bench"',
            }
            for program, text in programs.items():
                (tree / 'bin' / program).write_text(f'#!/bin/bash\n{text}\n')
                (tree / 'bin' / program).chmod(0o755)
            # As root nobody is asked for a password.
            return subprocess.run([tree / 'rhino-bench', *words], text=True, capture_output=True, timeout=60, stdin=subprocess.DEVNULL,
                                  env=dict(os.environ, PATH=f'{tree}/bin:' + os.environ['PATH']))

    @unittest.skipIf(os.geteuid() != 0, 'without root it asks for sudo')
    def test_what_is_optional_does_not_stop_a_build(self):
        for words, reason in ((['list'], 'the installation failed: going on without'), (['list', '--no-install'], 'not installing (--no-install): going on without')):
            done = self.run_launcher('jemalloc', *words)
            self.assertEqual((done.returncode, done.stdout), (0, 'list\n'), done.stderr)
            self.assertIn('libjemalloc-dev', done.stderr)
            self.assertIn(reason, done.stderr)

    @unittest.skipIf(os.geteuid() != 0, 'without root it asks for sudo')
    def test_what_is_needed_does(self):
        for words, reason in ((['list'], 'the installation failed'), (['list', '--no-install'], 'not installing (--no-install)')):
            done = self.run_launcher('fmt', *words)
            self.assertEqual(done.returncode, 2, done.stderr)
            self.assertTrue(done.stderr.endswith(f'rhino-bench: {reason}\n'), done.stderr)


if __name__ == '__main__':
    unittest.main()
