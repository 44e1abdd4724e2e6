# SPDX-License-Identifier: Apache-2.0
"""Runs a test on this machine's GPUs, with its own libraries: on_gpu.py PROGRAM ARGUMENTS... Skipped, and said to be, where there are none."""
import json
import os
import pathlib
import subprocess
import sys

worker = pathlib.Path(os.environ['RHINO_BENCH']).with_name('rhino-worker')
found = json.loads(subprocess.run([worker, 'gpus'], stdout=subprocess.PIPE, check=True).stdout)
if not found['gpus']:
    print('skipped: ' + (found['missing'] or 'there is no GPU'))
    sys.exit(77)
print(', '.join(gpu['name'] for gpu in found['gpus']), flush=True)
sys.exit(subprocess.run(sys.argv[1:]).returncode)
