# SPDX-License-Identifier: Apache-2.0
"""The launcher beside a build that holds its lock: a copy of it, in a tree where everything is built but echoes its words."""
import fcntl
import os
import pathlib
import shutil
import subprocess
import tempfile
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
