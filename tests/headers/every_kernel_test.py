# SPDX-License-Identifier: Apache-2.0
"""All kernels of CPUs in one translation unit, for processors whose vectors have 16, 32 and 64 bytes: how wide they are on the machine
that builds, and which files a unity build puts together there, decides nothing."""
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

SOURCE = pathlib.Path(os.environ['RHINO_SOURCE'])
COMPILER = sys.argv.pop(1).split(';')
PROCESSOR = sys.argv.pop(1)
KERNELS, sys.argv[1:] = sys.argv[1:], []
INCLUDES = [SOURCE / 'core', SOURCE / 'core/api', pathlib.Path(os.environ['RHINO_BUILD']) / 'core/api']
VECTORS = {'x86-64': 16, 'x86-64-v3': 32, 'x86-64-v4': 64}  # bytes, by what -march calls them


class EveryKernel(unittest.TestCase):
    def compiles(self, options, num_bytes):
        with tempfile.TemporaryDirectory() as folder:
            unit = pathlib.Path(folder) / 'every_kernel.cpp'
            unit.write_text(''.join(f'#include "{kernel}"\n' for kernel in KERNELS) +
                            f'static_assert(rhino::runtime::kVectorBytes == {num_bytes});\n')
            result = subprocess.run([*COMPILER, '-std=c++20', '-fopenmp', '-fsyntax-only', '-Wall', '-Wextra', '-Wno-missing-field-initializers',
                                     '-Wno-psabi', *options, *(f'-I{folder}' for folder in INCLUDES), str(unit)],
                                    text=True, capture_output=True)
            self.assertEqual((result.returncode, result.stderr[:2000]), (0, ''))

    def test_of_any_vectors(self):
        self.assertGreater(len(KERNELS), 20)
        if PROCESSOR != 'x86_64':
            self.compiles([], 16)
            return
        for march, num_bytes in VECTORS.items():
            with self.subTest(march):
                self.compiles([f'-march={march}'], num_bytes)


if __name__ == '__main__':
    unittest.main()
