# SPDX-License-Identifier: Apache-2.0
"""Training steps and communications of several ranks on the cuda device, over the fakes of CUDA's libraries: a set of cells in which every two
values of two factors meet. `long` as argument: the whole set; else a dozen of it. RHINO_SEED draws another set. What has passed of the whole set stays in
build/long_covering.jsonl: the next call of the same build goes on from there; RHINO_ROWS=20 ends it after so many. `gpu`: the same on the GPUs of this
machine, with its own libraries; ranks share them where they are fewer."""
import collections
import concurrent.futures
import itertools
import json
import os
import pathlib
import random
import subprocess
import sys
import time
import unittest

from bench import BENCH, BenchTest

FAKES = pathlib.Path(BENCH).parents[1] / 'tests' / 'fake_cuda'
LONG = 'long' in sys.argv[1:]
GPU = 'gpu' in sys.argv[1:]
SEED = int(os.environ.get('RHINO_SEED', '1'))

MODELS = {
    'gpt': '{gpt: {preset: 1m, num_layers: 2, hidden: 16, num_heads: 2, vocabulary: 37, sequence: 8}}',
    'branching': '{branching: {width: 16, depth: 4}}',
    'moe': '{moe: {preset: tiny, hidden: 16, num_heads: 2, vocabulary: 37, sequence: 8, ffn: 32, group: 8}}',
    'u_transformer': '{u_transformer: {preset: tiny, image: 4, channels: 8, norm_groups: 4, levels: 2}}',
}
MESHES = {'1': 'stage: 1', '2 stages': 'stage: 2', '2 replicas': 'stage: 1, data: 2', '3 replicas': 'stage: 1, data: 3', '3 stages': 'stage: 3',
          '2 stages of 2': 'stage: 2, data: 2', '4 stages': 'stage: 4'}
FACTORS = {
    'order': ['early', 'late'] + [f'random {seed}' for seed in range(1, 11)],
    'mesh': list(MESHES),
    'backend': ['nccl', 'nccl_broadcast', 'ucx'],
    'schedule': ['1f1b', 'breadth_first', 'chimera', 'dualpipe', 'dualpipe_v', 'eager_1f1b', 'gpipe', 'hanayo', 'interleaved_1f1b', 'zb_h1', 'zb_v',
                 'zero_bubble'],
    'resharding': ['broadcast', 'global_allgather', 'local_allgather', 'send_recv', 'striped'],
    'model': list(MODELS),
    'graphs': ['off', 'on'],
}

if GPU:
    del FACTORS['order']


def is_possible(row):
    """Schedules in two directions want an even number of stages; a stage wants some part of the model."""
    two_ways = row.get('schedule') in ('chimera', 'dualpipe')
    return not (two_ways and row.get('mesh') in ('1', '2 replicas', '3 replicas', '3 stages'))


def pairs_of(row):
    return {frozenset(pair) for pair in itertools.combinations(row.items(), 2)}


def covering_rows(factors, seed):
    """Rows of one value per factor, so that every possible pair of values is in one: greedily, the best of some candidates at a time."""
    draw = random.Random(seed)
    missing = {pair for a, b in itertools.combinations(factors, 2) for x in factors[a] for y in factors[b]
               if is_possible(dict(((a, x), (b, y)))) for pair in [frozenset(((a, x), (b, y)))]}
    rows = []
    while missing:
        best, most = None, 0
        for _ in range(30):
            row = dict(draw.choice(sorted(map(sorted, missing))))
            for name in draw.sample(sorted(factors), len(factors)):
                if name in row:
                    continue
                values = [value for value in factors[name] if is_possible({**row, name: value})]
                row[name] = max(draw.sample(values, len(values)), key=lambda value: len(pairs_of({**row, name: value}) & missing))
            gained = len(pairs_of(row) & missing)
            if gained > most:
                best, most = row, gained
        rows.append(best)
        missing -= pairs_of(best)
    return rows


def short_rows(seed):
    """A dozen: each schedule once, in three orders, of the model whose kernels g++ compiles in no time."""
    draw = random.Random(seed)
    factors = {**FACTORS, 'order': ['early', 'late', f'random {draw.randint(1, 10)}'], 'model': ['branching']}
    cycles = {name: itertools.cycle(draw.sample(values, len(values))) for name, values in factors.items()}
    rows = []
    for i, schedule in enumerate(factors['schedule']):
        row = {'schedule': schedule, 'backend': factors['backend'][(i + i // 3) % 3]}  # orders change as often: each meets each
        for name, values in factors.items():
            if name not in row:
                row[name] = next(value for value in itertools.islice(cycles[name], len(values)) if is_possible({**row, name: value}))
        rows.append(row)
    return rows


class Passed:
    """Rows that have passed, in a file that a build of its own and a seed of its own have begun."""
    def __init__(self):
        build = pathlib.Path(BENCH).parents[1]
        self.file = build / 'long_covering.jsonl'
        made = [(build / 'core' / name).stat().st_mtime_ns for name in ('rhino-bench', 'rhino-worker', 'rhino_runtime_cuda.so')]
        head = json.dumps([SEED, MODELS, made])
        lines = self.file.read_text().splitlines() if self.file.exists() else []
        if lines[:1] != [head]:
            lines = [head]
            self.file.write_text(head + '\n')
        self.rows = [json.loads(line) for line in lines[1:]]

    def add(self, row):
        self.rows.append(row)
        with self.file.open('a') as file:
            file.write(json.dumps(row) + '\n')


def ranks_of(mesh):
    return {'1': 1, '2 stages of 2': 4}.get(mesh) or int(mesh[0])


class CudaCovering(BenchTest):
    def setUp(self):
        super().setUp()
        # Hundreds of kernels of a few elements: what takes time is to compile them.
        if not GPU:
            os.environ.update(LD_LIBRARY_PATH=str(FAKES), FAKE_CUDA_CACHE=str(FAKES / 'kernels'), FAKE_NVRTC_LEVEL='1')
        fast = (self.folder / 'topologies/fast.yaml').read_text()
        for ranks in range(1, 5):
            self.write(f'topologies/fast{ranks}.yaml',
                       fast.replace('name: fast\n', f'name: fast{ranks}\n').replace('devices_per_host: 2', f'devices_per_host: {ranks}'))
        for name, mesh in MESHES.items():
            self.write(f'strategies/{name.replace(" ", "_")}.yaml', f'name: {name.replace(" ", "_")}\nmesh: {{{mesh}}}\n')

    def tearDown(self):
        for name in ([] if GPU else ['LD_LIBRARY_PATH']) + ['FAKE_CUDA_CACHE', 'FAKE_CUDA_ORDER', 'FAKE_CUDA_SEED', 'FAKE_CUDA_DEVICES', 'FAKE_NVRTC_LEVEL', 'RHINO_FAULTS']:
            os.environ.pop(name, None)
        super().tearDown()

    def experiment(self, cases):
        return '\n'.join(['name: cuda', 'cases:', *cases, 'measure: {min_warmup_steps: 1, rounds: 1, repetitions: 1, steps: 1}', ''])

    def case(self, row):
        count = {'3 stages': 6, '4 stages': 8}.get(row['mesh'], 4)  # schedules with a V want two a stage, others a multiple
        return (f'  - {{topology: fast{ranks_of(row["mesh"])}, device: {{cuda: {{graphs: {row.get("graphs", "off")}}}}}, backend: {row["backend"]}, model: {MODELS[row["model"]]}, '
                f'batch: {{global: {6 * count}, micro_batches: {count}}}, search: {{strategies/{row["mesh"].replace(" ", "_")}.yaml: {{}}}}, '
                f'schedule: schedule/{row["schedule"]}, resharding: resharding/{row["resharding"]}}}')

    def set_order(self, order):
        if GPU:
            return
        os.environ['FAKE_CUDA_ORDER'], _, seed = order.partition(' ')
        os.environ['FAKE_CUDA_SEED'] = seed or '1'

    def check(self, record, row):
        told = (row, record['message'])
        self.assertEqual((record['status'], record['check']['kind'], record['check'].get('num_wrong')), ('ok', 'numerics', 0), told)
        self.assertEqual(record['environment']['device'].startswith('fake'), not GPU, told)
        self.assertLess(record['check']['max_error'], record['check']['tolerance'], told)

    def test_training_steps_equal_the_single_device(self):
        rows = covering_rows(FACTORS, SEED) if LONG or GPU else short_rows(SEED)
        print(f'{len(rows)} rows, RHINO_SEED={SEED}:')
        if LONG:
            return self.pass_each(rows)
        if GPU:
            return self.pass_together(rows[:int(os.environ.get('RHINO_ROWS', str(len(rows))))])
        by_order = collections.defaultdict(list)
        for row in rows:
            by_order[row['order']].append(row)
        for number, of_order in enumerate(by_order.values()):
            self.check_rows(of_order, f'order{number}')

    def pass_each(self, rows):
        passed = Passed()
        left = [(number, row) for number, row in enumerate(rows) if row not in passed.rows]
        print(f'{len(rows) - len(left)} have passed before', flush=True)
        most = int(os.environ.get('RHINO_ROWS', str(len(left))))
        for number, row in left[:most]:
            self.check_rows([row], f'row{number}')
            passed.add(row)
        if most < len(left):
            self.skipTest(f'{len(left) - most} rows are left for other calls')

    def pass_together(self, rows):
        """Several at a time, on cores of their own: each is tried, whatever becomes of the others, and told as it ends, so that a machine that is taken away
        has shown something. RHINO_AT_ONCE: how many; ranks that share a GPU take turns there, and the more of them do the longer each waits for its peer.
        RHINO_SECONDS: none begins later than that. RHINO_FIRST=7,11: those before the others."""
        first = [int(number) for number in os.environ.get('RHINO_FIRST', '').split(',') if number]
        in_turn = first + [number for number in range(len(rows)) if number not in first]
        cores, begin = sorted(os.sched_getaffinity(0)), time.monotonic()
        last = begin + float(os.environ.get('RHINO_SECONDS', 'inf'))
        at_once = min(len(cores), int(os.environ.get('RHINO_AT_ONCE', max(1, len(cores) // 4))))
        slots = iter(range(at_once))
        with concurrent.futures.ThreadPoolExecutor(at_once, initializer=lambda: os.sched_setaffinity(0, cores[next(slots)::at_once])) as pool:
            cells = [pool.submit(lambda *cell: time.monotonic() < last and self.run_rows(*cell), [rows[number]], f'row{number}') for number in in_turn]
            for num_ended, cell in enumerate(concurrent.futures.as_completed(cells), 1):
                if cell.exception():
                    print(f'  {num_ended} of {len(rows)}: {cell.exception()}', flush=True)
                    continue
                for record, row in cell.result() or []:
                    told = ', '.join(row[name] for name in FACTORS)
                    print(f'  {num_ended} of {len(rows)} after {time.monotonic() - begin:.0f} s: {told}: {record["status"]} {record["message"]}', flush=True)
                    with self.subTest(row):
                        self.check(record, row)
        self.assertEqual([cell.exception() for cell in cells if cell.exception()], [])
        left = sum(not cell.result() for cell in cells)
        if left:
            self.skipTest(f'{left} rows are left for other calls')

    def check_rows(self, rows, name):
        for record, row in self.run_rows(rows, name):
            self.check(record, row)

    def run_rows(self, rows, name):
        """Rows of one order as one experiment: what became of each."""
        if not GPU:
            for row in rows:
                print('  ' + ', '.join(row[name] for name in FACTORS), flush=True)
        self.set_order(rows[0].get('order'))
        self.write(f'{name}.yaml', self.experiment(map(self.case, rows)))
        self.bench(f'{name}.yaml', '--out', name, timeout=3600)
        records = self.records(name)
        self.assertEqual(len(records), len(rows))
        return list(zip(sorted(records, key=lambda each: each['case']), rows))

    def test_communications_deliver_every_element(self):
        backends = '[' + ', '.join(FACTORS['backend']) + ']'
        resharding = '[' + ', '.join(f'resharding/{name}' for name in FACTORS['resharding']) + ']'
        reshards = ['{tensor: [6, 5, 4], dtype: s32, source: {devices: [0, 1], mesh: [1, 2], spec: [R, S1, R]}, target: {devices: [1, 2, 3], mesh: [1, 3], spec: [S1, R, R]}}',
                    '{tensor: [1500, 1000], source: {devices: [0], mesh: [1, 1], spec: [R, R]}, target: {devices: [1, 2, 3], mesh: [1, 3], spec: [R, R]}}',
                    '{tensor: [3, 8, 2, 8], dtype: bf16, source: {devices: [0, 1], mesh: [1, 2], spec: [R, R, R, S1]}, target: {devices: [2, 3], mesh: [1, 2], spec: [R, S1, R, R]}}']
        cases = [f'  - {{topology: fast4, device: cuda, backend: {backends}, reshard: {reshard}, resharding: {resharding}}}' for reshard in (reshards if LONG or GPU else reshards[:1])]
        for kind in ['all_reduce', 'all_gather', 'reduce_scatter', 'all_to_all']:
            cases.append(f'  - {{topology: fast4, device: cuda, backend: nccl, collective: {{kind: {kind}, bytes: [1200], dtype: f32, group: [0, 1, 3]}}}}')
        self.write('moves.yaml', self.experiment(cases))
        for order in FACTORS['order'][:4] if LONG else ['late']:  # which GPUs do not ask for
            self.set_order(order)
            run = 'moves_' + order.replace(' ', '_')
            self.bench('moves.yaml', '--out', run, timeout=600)
            records = self.records(run)
            self.assertGreaterEqual(len(records), 15)
            for record in records:
                self.assertEqual((record['status'], record['check']['kind'], record['check'].get('num_wrong')), ('ok', 'elements', 0),
                                 (order, record['label'], record['message']))
            for backend in FACTORS['backend']:  # none of them is taken for another that has the same plan
                self.assertTrue(any(record['independent']['backend'] == backend and not record['message'] for record in records), backend)

    @unittest.skipIf(GPU, 'on a GPU all rows are so')
    def test_ranks_that_share_a_gpu_are_checked_and_not_timed(self):
        row = {'mesh': '2 stages', 'backend': 'nccl', 'model': 'branching', 'schedule': '1f1b', 'resharding': 'send_recv'}
        self.set_order('late')
        os.environ['FAKE_CUDA_DEVICES'] = '1'
        self.write('shared.yaml', self.experiment([self.case(row)]))
        self.expect(0, 'shared.yaml', '--out', 'shared')
        record = self.records('shared')[0]
        self.check(record, row)
        self.assertEqual(record['environment']['shared_device'], 'true')
        group = '{kind: all_reduce, bytes: [1200], dtype: f32, group: [0, 1, 3]}'  # the last device lies beyond the GPUs
        self.write('few.yaml', self.experiment([f'  - {{topology: fast4, device: cuda, backend: nccl, collective: {group}}}']))
        self.expect(0, 'few.yaml', '--out', 'few')
        record = self.records('few')[0]
        self.assertEqual((record['status'], record['check']['num_wrong'], record['environment']['shared_device']), ('ok', 0, 'true'), record['message'])

    def test_a_dead_rank_ends_its_cell_by_name(self):
        row = {'mesh': '2 stages', 'backend': 'nccl', 'model': 'branching', 'schedule': '1f1b', 'resharding': 'send_recv'}
        self.set_order('late')
        self.write('dead.yaml', self.experiment([self.case(row)]))
        for notices in ('0', '1'):
            os.environ.update(RHINO_FAULTS='rank=1,step=2,instruction=3,kind=kill', FAKE_NCCL_NOTICES_DEATH=notices)
            self.expect(5, 'dead.yaml', '--out', 'dead' + notices)
            self.assertRegex(self.records('dead' + notices)[0]['message'], r'^rank 1 \(pid \d+\) was killed by signal 9 \(KILL\) in step 2 at instruction 3 ')
        os.environ.pop('FAKE_NCCL_NOTICES_DEATH')

    @unittest.skipIf(GPU, 'NCCL is of this machine')
    def test_without_nccl_the_cell_says_so(self):
        if subprocess.run('ldconfig -p | grep -q libnccl.so.2', shell=True).returncode == 0:
            self.skipTest('there is NCCL on this host')
        fakes = self.folder / 'some_fakes'
        fakes.mkdir()
        for library in ('libcuda.so.1', 'libnvrtc.so.12', 'libcublasLt.so.12'):
            (fakes / library).symlink_to(FAKES / library)
        os.environ['LD_LIBRARY_PATH'] = str(fakes)
        self.set_order('early')
        row = {'mesh': '2 stages', 'backend': 'nccl', 'model': 'branching', 'schedule': '1f1b', 'resharding': 'send_recv'}
        self.write('without.yaml', self.experiment([self.case(row)]))
        self.expect(5, 'without.yaml', '--out', 'without')
        self.assertRegex(self.records('without')[0]['message'], r'^rank \d \(pid \d+\) failed while preparing the plan: NCCL is not here: libnccl.so.2')


if __name__ == '__main__':
    unittest.main(argv=[sys.argv[0]])
