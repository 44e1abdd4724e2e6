# SPDX-License-Identifier: Apache-2.0
"""Steps that JAX exported, on one core of the cpu device and compiled by JAX for the same core, in turns.

    program_benchmark.py [NAME ...] [--kernels]      # RHINO_JAX_PYTHON: a python with jax==0.10.2, e.g. of a virtual environment

Both compile the same StableHLO text, begin with the same inputs and update states in place; times are medians of CPU time per step.
JAX's has in it what calling a program takes it, which is in the first line. Steps are those of tests/data/jax, and larger ones
that program_exports.py writes."""
import argparse
import os
import pathlib
import re
import statistics
import subprocess
import sys
import tempfile

FOLDER = pathlib.Path(__file__).parent
FIXTURES = FOLDER.parent / 'data' / 'jax'
PYTHON = os.environ.get('RHINO_JAX_PYTHON', sys.executable)
ENVIRONMENT = dict(os.environ, JAX_PLATFORMS='cpu', OMP_NUM_THREADS='1',
                   XLA_FLAGS='--xla_cpu_multi_thread_eigen=false intra_op_parallelism_threads=1')
ROUNDS, ROUND_S = 7, 0.15


def serve_with_jax(path):
    """As program_benchmark.cpp serves: reads a number of steps, answers the CPU time of one."""
    import time

    import jax.extend.backend
    import ml_dtypes
    import numpy as np
    from jax._src.lib import xla_client
    backend = jax.extend.backend.get_backend('cpu')
    text = path.read_text()
    device = backend.local_devices()[:1]
    program = backend.compile_and_load(text, xla_client.DeviceList(tuple(device)), xla_client.CompileOptions())
    head = text[text.index('@main('):]
    arguments = re.findall(r'%arg(\d+): tensor<([^>]*)>( \{[^}]*\})?', head[:head.index(') -> ')])
    inputs, replaced = [], {}
    for number, shape, attributes in arguments:
        *dims, dtype = shape.split('x')
        dims, k = [int(d) for d in dims], int(number)
        i = np.arange(int(np.prod(dims)), dtype=np.int64)
        real = dtype.startswith('f') or dtype == 'bf16'
        values = (((7919 * i + 104729 * k) % 1000) / 1000 + 0.0625) / 4 if real else (7 * i + k) % 4
        kind = {'f32': np.float32, 'f64': np.float64, 'bf16': ml_dtypes.bfloat16, 'i32': np.int32, 'ui32': np.uint32, 'i1': bool}[dtype]
        inputs.append(jax.device_put(values.reshape(dims).astype(kind)))
        alias = re.search(r'tf.aliasing_output = (\d+)', attributes)
        if alias:
            replaced[k] = int(alias[1])

    def step():
        outputs = program.execute_sharded(inputs).disassemble_into_single_device_arrays()
        for argument, output in replaced.items():
            inputs[argument] = outputs[output][0]
        return outputs[0][0]

    step().block_until_ready()
    for line in sys.stdin:
        start = time.process_time()
        for _ in range(int(line)):
            last = step()
        last.block_until_ready()
        print((time.process_time() - start) / int(line), flush=True)


class Side:
    """A process that runs steps on the core when it is told to."""

    def __init__(self, command, core):
        self.process = subprocess.Popen(['taskset', '-c', str(core), *map(str, command)], env=ENVIRONMENT, text=True,
                                        stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self.samples, self.steps = [], 1

    def round(self):
        print(self.steps, file=self.process.stdin, flush=True)
        self.samples.append(float(self.process.stdout.readline()))
        self.steps = max(1, min(2000, int(ROUND_S / max(self.samples[-1], 1e-6))))

    def finish(self):
        self.process.stdin.close()
        said = self.process.stdout.read()
        self.process.wait()
        return said.rstrip()

    def median(self):
        return statistics.median(self.samples[2:])


def compare(path, core, kernels):
    ours = Side([os.environ['RHINO_PROGRAM_BENCHMARK'], path, *(['--kernels'] if kernels else [])], core)
    theirs = Side([PYTHON, __file__, '--jax', path], core)
    for _ in range(ROUNDS + 2):
        ours.round()
        theirs.round()
    shares, _ = ours.finish(), theirs.finish()
    return ours.median(), theirs.median(), shares


NOTHING = """module @nothing {
  func.func public @main(%arg0: tensor<f32> {tf.aliasing_output = 0 : i32}) -> (tensor<f32>) {
    return %arg0 : tensor<f32>
  }
}
"""


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('names', nargs='*')
    parser.add_argument('--kernels', action='store_true', help='the time of every kernel')
    parser.add_argument('--core', type=int, default=max(os.sched_getaffinity(0)))
    parser.add_argument('--jax', type=pathlib.Path, help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.jax:
        return serve_with_jax(arguments.jax)
    version = subprocess.run([PYTHON, '-c', 'import jax; print(jax.__version__)'], text=True, capture_output=True)
    if version.returncode != 0:
        print(f'skipped: {PYTHON} has no jax (pip install jax==0.10.2; RHINO_JAX_PYTHON names another python)')
        return 77
    with tempfile.TemporaryDirectory() as folder:
        large = [name.removeprefix('large_') for name in arguments.names if name.startswith('large_')]
        if large or not arguments.names:
            subprocess.run([PYTHON, FOLDER / 'program_exports.py', folder, *large], check=True, env=ENVIRONMENT)
        nothing = pathlib.Path(folder) / 'nothing.txt'
        nothing.write_text(NOTHING)
        theirs = Side([PYTHON, __file__, '--jax', nothing], arguments.core)
        for _ in range(ROUNDS):
            theirs.round()
        theirs.finish()
        print(f'jax {version.stdout.strip()}, whose calls take {theirs.median() * 1e6:.0f} us; CPU time of a step')
        print(f'{"step":<20} {"us":>10} {"jax us":>10} {"of jax":>7}  of it')
        for path in [*sorted(FIXTURES.glob('*.mlir')), *sorted(pathlib.Path(folder).glob('*.mlir'))]:
            if path.stem == 'random' or arguments.names and path.stem not in arguments.names:
                continue
            ours, jax_s, shares = compare(path, arguments.core, arguments.kernels)
            print(f'{path.stem:<20} {ours * 1e6:>10.1f} {jax_s * 1e6:>10.1f} {ours / jax_s:>7.2f}  {shares}', flush=True)
    return 0


if __name__ == '__main__':
    sys.exit(main())
