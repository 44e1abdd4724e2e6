# SPDX-License-Identifier: Apache-2.0
"""Whether search/rhino answers, and with no longer a step than search/grid, data parallelism and an expert's strategy, models on clusters that nobody chose: all drawn by chance.
RHINO_SEED=1 is the first draw, RHINO_CASES=60 how many there are. Level 3 takes no longer than level 2; where a rival has a plan that fits, both levels have one. A step that is longer
than a rival's by less than RHINO_NEAR (0.01) is told and lost by nobody: tables, which both go by, do not know what overlaps.

Of the seeds from RHINO_SEED on RHINO_WIDE=30 draws are wider (wide_draws.py): memory is scarce beside what data parallelism keeps. Of RHINO_RUNS=30 tiny ones workers run what is found, on 3 to
6 devices of this machine, and have the numbers of one device."""
import json
import os
import pathlib
import random
import re
import subprocess
import tempfile
import unittest

from settings import setting
from wide_draws import Draw

BENCH = setting('RHINO_BENCH')
SOURCE = pathlib.Path(setting('RHINO_SOURCE'))
FIRST = int(os.environ.get('RHINO_SEED', '1'))
COUNT = int(os.environ.get('RHINO_CASES', '60'))
WIDE = int(os.environ.get('RHINO_WIDE', '30'))
RUNS = int(os.environ.get('RHINO_RUNS', '30'))
NEAR = float(os.environ.get('RHINO_NEAR', '0.01'))
MOST_S = 300  # of a search: beyond that it is lost

# Two classes of hosts, the second with half the devices and half the memory of the first.
MIXED = """\
name: mixed
source: made up
classes:
  - hosts: 1
    devices_per_host: 4
    interfaces_per_host: 2
    device: {kind: modelled, name: large, memory_bytes: 80e9, memory_bytes_per_s: 3350e9, stream_bytes_per_s: 2.97e12, kernel_latency_s: 3e-6, peak_flops: {f32: 67e12, bf16: 989e12}, sustained_flops: {bf16: 688e12}}
    links: {intra_host: {bytes_per_s: 370e9, latency_s: 5e-6}, inter_host: {bytes_per_s: 48e9, latency_s: 15e-6}}
  - hosts: 2
    devices_per_host: 2
    device: {kind: modelled, name: small, memory_bytes: 40e9, memory_bytes_per_s: 1555e9, stream_bytes_per_s: 1.3e12, kernel_latency_s: 3e-6, peak_flops: {f32: 19.5e12, bf16: 312e12}, sustained_flops: {bf16: 250e12}}
    links: {intra_host: {bytes_per_s: 235e9, latency_s: 5e-6}, inter_host: {bytes_per_s: 12e9, latency_s: 15e-6}}
"""
DEVICES_PER_HOST = {'p3_2xlarge': 1, 'p3_8xlarge': 4, 'p3_16xlarge': 8, 'p4d_24xlarge': 8, 'dgx_a100': 8, 'dgx_h100': 8, 'dgx_b200': 8}


def drawn_topology(draw, folder):
    """A topology, and its devices."""
    name = draw.choice([*DEVICES_PER_HOST, 'mixed'])
    if name == 'mixed':
        return f'{folder}/mixed.yaml', 8
    per_host = DEVICES_PER_HOST[name]
    hosts = draw.choice([1, 2, 3] if per_host < 8 else [1, 1, 2])
    some = draw.choice([per_host, per_host, max(1, per_host // 2), min(per_host, 3)])
    return {name: {'hosts': hosts, 'devices_per_host': some}}, hosts * some


def drawn_model(draw):
    """A model, and the strategy that experts have for it."""
    def preset(kind, *names, **more):
        return {kind: {'preset': draw.choice(names), **more}}
    sizes = {'num_layers': draw.choice([2, 3, 5]), 'hidden': draw.choice([256, 768, 1536]), 'num_heads': draw.choice([4, 8]), 'vocabulary': draw.choice([1000, 32000, 50257]),
             'sequence': draw.choice([128, 512, 1000])}
    return draw.choice([
        (preset('gpt', '125m', '350m', '760m', '1.3b', dtype=draw.choice(['f32', 'bf16'])), 'gpt_megatron'),
        ({'gpt': sizes}, 'gpt_megatron'),
        (preset('llama', 'tiny', 'tinyllama_1.1b'), 'llama_megatron'),
        (preset('llama', 'tiny_mixtral'), 'mixtral_expert'),
        (preset('bert', 'tiny', 'base'), 'bert_megatron'),
        (preset('t5', 'tiny', 'small', 'base'), 't5_megatron'),
        (preset('moe', 'tiny', '380m'), 'moe_expert'),
        (preset('vgg', 'tiny', '11', '19'), 'vgg_hidden'),
        (preset('wide_resnet', 'tiny', '250m', norm_batch=1), 'wide_resnet_bottleneck'),
        (preset('u_transformer', 'tiny'), 'u_transformer_megatron'),
        ({'u_transformer': {'preset': '470m', 'levels': 2}}, 'u_transformer_megatron'),
        ({'mlp': {'inputs': draw.choice([784, 1000]), 'width': draw.choice([1024, 5000]), 'depth': draw.choice([4, 9]), 'classes': 10}}, None)])


def drawn_experiment(seed, folder):
    draw = random.Random(seed)
    topology, num_devices = drawn_topology(draw, folder)
    model, expert = drawn_model(draw)
    samples = draw.choice([1, 2, 3, 4, 8])
    counts = draw.choice(['any', [count for count in draw.choice([[1, 2], [1, 2, 4], [2, 4, 8]]) if samples % count == 0] or [1]])
    searches = [{'search/rhino': {}}, {'search/rhino': {'level': 2}}, 'search/grid', 'strategies/data_parallel.yaml']
    if expert:
        searches.append(f'strategies/{expert}.yaml')
    case = {'topology': topology, 'model': model, 'batch': {'global': samples * num_devices, 'micro_batches': counts}, 'search': searches}
    schedule = draw.choice(['schedule/1f1b', 'schedule/1f1b', 'schedule/zb_h1', 'schedule/auto'])
    # JSON is YAML.
    return {'name': f'drawn_{seed}', 'cases': [case], 'matrix': {'backend': 'simulate', 'schedule': schedule}, 'planning_deadline_s': MOST_S}


def step_s(record):
    return record['summary']['median_s'] if record['status'] == 'ok' else float('inf')


def text_of(record):
    search = record['independent']['search'].removeprefix('search/').removeprefix('strategies/')
    result = f'{step_s(record):.4g} s' if record['status'] == 'ok' else f"{record['status']}: {record['message']}"
    return f"{search} {result} ({record['search'].get('seconds', 0):.0f} s)"


def run(folder, experiment, name='run'):
    pathlib.Path(folder, 'case.yaml').write_text(json.dumps(experiment))
    done = subprocess.run([BENCH, f'{folder}/case.yaml', '--out', f'{folder}/{name}'], cwd=SOURCE, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
    if done.returncode not in (0, 5, 7):  # 5: some strategy does not fit; 7: records say what is wrong
        raise RuntimeError(done.stdout)
    return [json.loads(line) for line in pathlib.Path(folder, name, 'records.jsonl').read_text().splitlines()]


def wide_experiment(drawn, folder, searches, memory_bytes=None, **more):
    """Of a draw, each of whose devices has so much memory."""
    text = drawn.text if memory_bytes is None else re.sub(r'memory_bytes: [0-9.e+]+', f'memory_bytes: {memory_bytes:.6g}', drawn.text)
    pathlib.Path(folder, 'drawn.yaml').write_text(text)
    topology = {f'{folder}/drawn.yaml': drawn.taken} if drawn.taken else f'{folder}/drawn.yaml'
    return {'name': 'drawn', 'cases': [{'topology': topology, **drawn.case, 'search': searches, **more}], 'planning_deadline_s': MOST_S,
            'measure': {'min_warmup_steps': 1, 'rounds': 1, 'repetitions': 1, 'steps': 1}}


def memory_of(drawn, folder):
    """Of each device, bytes: a share of what data parallelism keeps there."""
    if drawn.memory is None:
        return None
    kept, = run(folder, wide_experiment(drawn, folder, [{'strategies/data_parallel.yaml': {'data': drawn.data_parts()}}], 1e15, backend='simulate'), 'probe')
    return drawn.memory * kept['memory']['predicted_peak_bytes'] if kept['status'] == 'ok' else None  # its schedule may want other stages


class DrawnCases(unittest.TestCase):
    def check_found(self, found, rivals, title):
        """`found`: at level 3 and at level 2."""
        whole, segments = found
        best = min(rivals, key=step_s)
        print(title, flush=True)
        for record in found:
            self.assertIn(record['status'], ('ok', 'infeasible'), title)
        if best['status'] == 'ok':
            self.assertLessEqual(step_s(whole), step_s(best) * (1 + NEAR), title)
            self.assertEqual(segments['status'], 'ok', title)
        self.assertLessEqual(step_s(whole), step_s(segments) * (1 + 1e-9), title)

    def each(self, count, check):
        for seed in range(FIRST, FIRST + count):
            with tempfile.TemporaryDirectory(prefix='rhino_drawn_') as folder, self.subTest(seed=seed):
                check(seed, folder)

    def test_of_each_the_search_has_the_quickest_step(self):
        def check(seed, folder):
            pathlib.Path(folder, 'mixed.yaml').write_text(MIXED)
            records = run(folder, drawn_experiment(seed, folder))
            title = f"{seed}: {records[0]['label'].split('/rhino')[0]}, batch {records[0]['global_batch']}: " + ', '.join(map(text_of, records))
            self.check_found(records[:2], records[2:], title)
        self.each(COUNT, check)

    def test_where_memory_binds_what_promised_less_is_looked_at(self):
        """A draw that was lost: all that seemed quick has no room, and what has it was never looked at."""
        with tempfile.TemporaryDirectory(prefix='rhino_drawn_') as folder:
            device = re.sub(r'memory_bytes: [0-9.e+]+', 'memory_bytes: 13.34e6', (SOURCE / 'topologies/p3_8xlarge.yaml').read_text(), count=1)
            pathlib.Path(folder, 'scarce.yaml').write_text(device)
            case = {'topology': {f'{folder}/scarce.yaml': {'hosts': 2, 'devices_per_host': 2}},
                    'model': {'gpt': {'num_layers': 1, 'hidden': 256, 'num_heads': 4, 'vocabulary': 1001, 'sequence': 128}}, 'optimizer': {'sgd': {'momentum': 0.9}},
                    'batch': {'global': 12, 'micro_batches': 'any'}, 'search': [{'search/rhino': {}}, {'search/rhino': {'level': 2}}, 'search/grid']}
            records = run(folder, {'name': 'scarce', 'cases': [case], 'matrix': {'backend': 'simulate', 'schedule': 'schedule/zero_bubble', 'resharding': 'resharding/local_allgather'},
                                   'planning_deadline_s': MOST_S})
            self.assertEqual(records[2]['status'], 'ok')
            self.check_found(records[:2], records[2:], ', '.join(map(text_of, records)))
            self.assertLessEqual(step_s(records[1]), step_s(records[2]) * (1 + NEAR))

    def test_of_wider_draws_too(self):
        def check(seed, folder):
            drawn = Draw(seed, SOURCE)
            memory_bytes = memory_of(drawn, folder)
            searches = [{'search/rhino': {}, **drawn.pinned, **drawn.budget}, {'search/rhino': {'level': 2}, **drawn.pinned, **drawn.budget}, {'search/grid': {}, **drawn.pinned, **drawn.budget}]
            if not drawn.pinned:
                searches += [{'strategies/data_parallel.yaml': {'data': drawn.data_parts()}}, *([f'strategies/{drawn.expert}.yaml'] if drawn.expert else [])]
            records = run(folder, wide_experiment(drawn, folder, searches, memory_bytes, backend='simulate'))
            title = f'{seed}: {drawn.case} {drawn.taken} of {drawn.num_devices} {memory_bytes} B {drawn.pinned} {drawn.budget}: ' + ', '.join(map(text_of, records))
            found = records[:2]
            if drawn.budget:  # what little work finds may be anything that fits
                print(title, flush=True)
            else:
                self.check_found(found, records[2:], title)
            for record in found:
                self.assertIn(record['status'], ('ok', 'infeasible'), title)
                self.assertLessEqual(record['memory']['predicted_peak_bytes'], memory_bytes or float('inf'), title)
        self.each(WIDE, check)

    def test_workers_run_what_is_found_of_tiny_ones(self):
        def check(seed, folder):
            drawn = Draw(seed, SOURCE, is_tiny=True)
            memory_bytes = memory_of(drawn, folder)
            records = run(folder, wide_experiment(drawn, folder, [{'search/rhino': {}}, {'search/rhino': {'level': 2}}, 'search/grid'], memory_bytes))
            title = f'{seed}: {drawn.case} on {drawn.num_devices}, {memory_bytes} B: ' + ', '.join(map(text_of, records))
            print(title, flush=True)
            for record in records:
                self.assertIn(record['status'], ('ok', 'infeasible'), title)
                if record['status'] == 'ok':
                    self.assertEqual((record['check']['kind'], record['check']['num_wrong']), ('numerics', 0), title)
        self.each(RUNS, check)


if __name__ == '__main__':
    unittest.main()
