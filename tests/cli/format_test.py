# SPDX-License-Identifier: Apache-2.0
"""Every source file is as clang-format 14 (Debian 12's) leaves it. Other versions break lines elsewhere: without that one, skipped."""
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

from bench import SOURCE

VERSION = '14'


def formatter():
    """The path of clang-format 14, else why it cannot be used."""
    path = shutil.which(f'clang-format-{VERSION}') or shutil.which('clang-format')
    if path is None:
        return None, 'clang-format is not there (Debian package clang-format)'
    text = subprocess.run([path, '--version'], text=True, capture_output=True).stdout
    found = re.search(r'version (\d+)', text)
    if found is None or found.group(1) != VERSION:
        return None, f'it takes clang-format {VERSION}, and {path} is {text.strip()}'
    return path, ''


def unformatted(files):
    """The complaints about these files, empty where there are none."""
    result = subprocess.run([FORMATTER, '--dry-run', '-Werror', f'--style=file:{SOURCE / ".clang-format"}', *map(str, files)],
                            text=True, capture_output=True)
    return result.stderr if result.returncode else ''


class Format(unittest.TestCase):
    def test_the_tree_is_formatted(self):
        files = sorted(path for folder in ('core', 'plugins', 'tests') for suffix in ('hpp', 'cpp', 'cu')
                       for path in (SOURCE / folder).rglob(f'*.{suffix}'))
        self.assertGreater(len(files), 300)
        complaints = unformatted(files)
        wrong = sorted(set(re.findall(r'^(\S+?):\d+:', complaints, re.MULTILINE)))
        self.assertEqual((wrong, complaints[:1000]), ([], ''))

    def test_a_file_that_is_not_is_found(self):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / 'wrong.cpp'
            path.write_text('int  two( ){return 2;}\n')
            self.assertIn('wrong.cpp', unformatted([path]))


if __name__ == '__main__':
    FORMATTER, reason = formatter()
    if FORMATTER is None:
        print(f'skipped: {reason}')
        sys.exit(77)
    unittest.main()
