# SPDX-License-Identifier: Apache-2.0
"""All headers of core/ and plugins/common/ in one translation unit, in the order of their paths and the other way round: no two
give one name two meanings, and each brings what it needs."""
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

SOURCE = pathlib.Path(os.environ['RHINO_SOURCE'])
COMPILER = sys.argv.pop(1).split(';')


INCLUDES = [SOURCE / 'core' / 'api', SOURCE / 'core', SOURCE / 'plugins']
GENERATED = pathlib.Path(os.environ['RHINO_BUILD']) / 'core' / 'api'  # the ABI tag


def headers():
    found = sorted(path for folder in INCLUDES[1:] for path in folder.rglob('*.hpp'))
    return [str(path.relative_to(next(folder for folder in INCLUDES if folder in path.parents))) for path in found]


class EveryHeader(unittest.TestCase):
    def compiles(self, names):
        with tempfile.TemporaryDirectory() as folder:
            unit = pathlib.Path(folder) / 'every_header.cpp'
            unit.write_text(''.join(f'#include "{name}"\n' for name in names))
            includes = [f'-I{folder}' for folder in (*INCLUDES, GENERATED)]
            result = subprocess.run([*COMPILER, '-std=c++20', '-fopenmp', '-fsyntax-only', '-Wall', '-Wextra',
                                     '-Wno-missing-field-initializers', *includes, str(unit)],
                                    text=True, capture_output=True)
            self.assertEqual((result.returncode, result.stderr[:2000]), (0, ''))

    def test_in_order(self):
        self.assertGreater(len(headers()), 100)
        self.compiles(headers())

    def test_in_reverse(self):
        self.compiles(headers()[::-1])


if __name__ == '__main__':
    unittest.main()
