#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Packs what this build needs to be tried on the GPUs of a host that has neither Debian's packages nor a compiler.

    tests/gpu/pack.py [build/gpu.tar.xz]

There, with CUDA's own libraries where the loader finds them: `tar xJf gpu.tar.xz && rhino-gpu/tests/gpu/run.py` (run.py says more).
Programs are stripped; libraries are packed but for those of glibc and g++, which every host has."""
import pathlib
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile

SOURCE = pathlib.Path(__file__).resolve().parents[2]
BUILD = SOURCE / 'build'
FOLDER = 'rhino-gpu'
PROGRAMS = ['core/rhino-bench', 'core/rhino-worker', 'core/rhino_runtime_cuda.so', 'tests/fake_cuda/cuda_attention_test',
            'tests/fake_cuda/cuda_convolutions_test', 'tests/fake_cuda/cuda_device_test', 'tests/fake_cuda/cuda_models_test']
NOT_BY_DEFAULT = ['tests/cuda_kernels/time_kernels']
DATA = ['experiments', 'strategies', 'topologies', 'tests/cli', 'tests/gpu', 'tests/benchmarks']
# Of the host there: what its own CUDA libraries were built with may be newer than what is here.
NOT_PACKED = re.compile(r'/(ld-linux|lib(c|m|dl|rt|pthread|stdc\+\+|gcc_s)\.so)')


def build(targets):
    """Up to date, as what is measured is what was built."""
    subprocess.run(['ninja', '-C', BUILD, *targets], check=True, stdout=subprocess.DEVNULL)


def libraries_of(files):
    found = set()
    for file in files:
        for line in subprocess.run(['ldd', file], stdout=subprocess.PIPE, text=True, check=True).stdout.splitlines():
            if 'not found' in line:
                sys.exit(f'pack.py: {file}: {line.strip()}')
            path = re.search(r'=> (/\S+)', line)
            if path and not NOT_PACKED.search(path[1]) and not path[1].startswith(str(BUILD)):
                found.add(path[1])
    return sorted(found)


def main():
    target = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else BUILD / 'gpu.tar.xz')
    plugins = sorted(BUILD.glob('plugins/*.so'))
    programs = [BUILD / name for name in PROGRAMS + NOT_BY_DEFAULT] + plugins
    build([str(file.relative_to(BUILD)) for file in programs])
    transports = sorted(file for file in pathlib.Path('/usr/lib/x86_64-linux-gnu/ucx').glob('*.so.0'))
    with tempfile.TemporaryDirectory(prefix='rhino_gpu_') as name:
        root = pathlib.Path(name) / FOLDER
        for file in programs:
            copy = root / file.relative_to(SOURCE)
            copy.parent.mkdir(parents=True, exist_ok=True)
            subprocess.run(['strip', '-o', copy, file], check=True)
        (root / 'lib/ucx').mkdir(parents=True)
        for path in libraries_of(programs + transports):
            shutil.copy(path, root / 'lib')
        for path in transports:
            shutil.copy(path, root / 'lib/ucx')
        for folder in DATA:
            shutil.copytree(SOURCE / folder, root / folder, ignore=shutil.ignore_patterns('__pycache__', 'records.jsonl'))
        with tarfile.open(target, 'w:xz') as archive:
            archive.add(root, FOLDER)
    print(f'{target}: {target.stat().st_size / 2**20:.1f} MiB')


if __name__ == '__main__':
    main()
