# SPDX-License-Identifier: Apache-2.0
"""The unit suite once more, built at -O0, each file alone, with the assertions of the standard library. What hides otherwise shows: a type that
two libraries define differently, an index that is out of range."""
import json
import pathlib
import subprocess
import unittest

from settings import setting

SOURCE = setting('RHINO_SOURCE')
BUILD = pathlib.Path(setting('RHINO_BUILD')) / 'unoptimised'
OPTIONS = ['-Dunity=off', '-Doptimization=0', '-Ddebug=false', '-Dcpp_args=-D_GLIBCXX_ASSERTIONS']


def meson(*arguments):
    return subprocess.run(['meson', *map(str, arguments)], text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)


class Unoptimised(unittest.TestCase):
    def test_the_unit_suite_passes(self):
        done = meson('setup', BUILD, SOURCE, *OPTIONS) if not (BUILD / 'build.ninja').exists() else meson('configure', BUILD, *OPTIONS)
        self.assertEqual(done.returncode, 0, done.stdout)
        log = BUILD / 'meson-logs' / 'testlog.json'
        log.unlink(missing_ok=True)
        done = meson('test', '-C', BUILD, '--suite', 'unit', '--timeout-multiplier', '20', '--print-errorlogs')
        self.assertEqual(done.returncode, 0, done.stdout[-20000:])
        results = [json.loads(line)['result'] for line in log.read_text().splitlines()]
        self.assertGreater(len(results), 15)
        self.assertEqual(set(results), {'OK'})


if __name__ == '__main__':
    unittest.main()
