# SPDX-License-Identifier: Apache-2.0
"""What meson tells the tests."""
import os
import sys


def setting(name):
    value = os.environ.get(name)
    if value is None:
        sys.exit(f'{name} is not set: run this as `meson test -C build --suite long`, or `rhino-bench test --suite long`, which set it')
    return value
