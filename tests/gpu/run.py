#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What a GPU is to show of this build, stage by stage, each within its seconds: in a source tree that is built, or where pack.py's archive was unpacked.

    tests/gpu/run.py [--out FOLDER] [STAGE[=SECONDS]...]

Without stages all of them, in the order of what says most first. Each stage leaves FOLDER/STAGE.log; the last lines of the output are one per stage:
its exit code (124: its time was up, and what it had shown is in its log) and seconds. Exit code: 0 if all stages ended so, else 1."""
import argparse
import json
import os
import pathlib
import shutil
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
BENCH = ROOT / 'build/core/rhino-bench'
TESTS = ROOT / 'build/tests/fake_cuda'
PYTHON = sys.executable

TIMING = """\
name: timing
question: What does a step of gpt 1.3b take on one GPU, and what do graphs change?
cases:
  - topology: {local: {devices: 1}}
    device: [cuda, {cuda: {graphs: on}}]
    model: {gpt: {preset: 1.3b, dtype: bf16}}
    batch: {global: 16, micro_batches: [2]}
    check: none
    search: strategies/single_device.yaml
measure: {rounds: 3, max_rounds: 5, min_warmup_steps: 2, steps: 3}
"""


def program_test(name):
    return [TESTS / f'cuda_{name}_test', '~[fake]', '--durations', 'yes']


# Of each stage: its command, and after how many seconds it is ended.
STAGES = {
    'doctor': ([BENCH, 'doctor', '--gpu'], 150),
    'covering': ([PYTHON, ROOT / 'tests/cli/cuda_covering_test.py', 'gpu'], 240),
    'timing': ([BENCH, 'timing.yaml', '--out', 'timing'], 120),
    'torch': ([PYTHON, ROOT / 'tests/benchmarks/gpt_torch.py', '1.3b', '--batch', '16', '--micro-batches', '2'], 90),
    'kernels': ([ROOT / 'build/tests/cuda_kernels/time_kernels', ROOT / 'topologies/dgx_h100.yaml', 'gpt', '1.3b', '8'], 90),
    'device': (program_test('device'), 120),
    'attention': (program_test('attention'), 120),
    'models': (program_test('models'), 180),
    'convolutions': (program_test('convolutions'), 60),
    'single': ([BENCH, ROOT / 'experiments/gpu_single.yaml', '--out', 'single'], 300),
    'sanitizer': (['compute-sanitizer', '--error-exitcode', '9', TESTS / 'cuda_device_test', '~[fake]'], 300),
}


def environment(out):
    env = dict(os.environ)
    own = [str(ROOT / name) for name in ('build/plugins', 'lib') if (ROOT / name).exists()]
    env['LD_LIBRARY_PATH'] = ':'.join(own + [env[name] for name in ('LD_LIBRARY_PATH',) if env.get(name)])
    if (ROOT / 'lib/ucx').exists():
        env['UCX_MODULE_DIR'] = str(ROOT / 'lib/ucx')
    return env | {'RHINO_BENCH': str(BENCH), 'RHINO_SOURCE': str(ROOT), 'RHINO_FAULTY_PLUGINS': '', 'RHINO_ALL_MODELS': '1',
                  'PYTHONPATH': str(ROOT / 'tests/cli'), 'PYTHONUNBUFFERED': '1', 'XDG_CACHE_HOME': str(out / 'cache')}


def run(stage, seconds, out, env):
    """Its exit code and what it took."""
    begin = time.monotonic()
    command = [str(word) for word in STAGES[stage][0]]
    env = env | {'RHINO_SECONDS': str(0.7 * seconds)}  # of the covering set: none of its rows begins later
    with open(out / f'{stage}.log', 'w', encoding='utf-8') as log:
        log.write(' '.join(command) + '\n')
        log.flush()
        if not shutil.which(command[0]):
            log.write('is not here\n')
            return 127, 0
        process = subprocess.Popen(command, cwd=out / 'work', env=env, stdout=log, stderr=subprocess.STDOUT, start_new_session=True)
        try:
            code = process.wait(seconds)
        except subprocess.TimeoutExpired:
            code = 124
        finally:
            try:
                os.killpg(process.pid, 9)
            except ProcessLookupError:
                pass
            process.wait()
    return code, time.monotonic() - begin


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--out', type=pathlib.Path, default=pathlib.Path('gpu_run'))
    parser.add_argument('stages', nargs='*', metavar='STAGE[=SECONDS]', help=', '.join(f'{name}={most}' for name, (_, most) in STAGES.items()))
    arguments = parser.parse_args()
    asked = [word.partition('=') for word in arguments.stages or STAGES]
    for name, _, seconds in asked:
        if name not in STAGES or not (seconds or '1').isdigit():
            parser.error(f"there is no stage '{name}={seconds}'; stages: {', '.join(STAGES)}")
    out = arguments.out.resolve()
    work = out / 'work'
    work.mkdir(parents=True, exist_ok=True)
    for folder in ('strategies', 'topologies', 'experiments'):
        (work / folder).exists() or (work / folder).symlink_to(ROOT / folder)
    (work / 'timing.yaml').write_text(TIMING)
    env = environment(out)
    gpus = subprocess.run([ROOT / 'build/core/rhino-worker', 'gpus'], env=env, stdout=subprocess.PIPE, check=True).stdout
    found = json.loads(gpus)
    if not found['gpus']:
        print('run.py: ' + (found['missing'] or 'there is no GPU'), file=sys.stderr)
        return 5
    print(', '.join(gpu['name'] for gpu in found['gpus']), flush=True)
    told = []
    for name, _, seconds in asked:
        code, took_s = run(name, int(seconds or STAGES[name][1]), out, env)
        told.append((name, code, took_s))
        print(f'--- {name}: rc {code}, {took_s:.0f} s', flush=True)
        print(''.join((out / f'{name}.log').read_text(errors='replace').splitlines(True)[-25:]), flush=True)
    for name, code, took_s in told:
        print(f'{name:<13}rc {code:>4} {took_s:6.0f} s')
    return int(any(code for _, code, _ in told))


if __name__ == '__main__':
    sys.exit(main())
