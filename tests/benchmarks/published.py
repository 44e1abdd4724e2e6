#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Simulates training steps that others measured, and compares.

    tests/benchmarks/published.py ROWS.csv --binary build/core/rhino-bench --plugins build/plugins --out FOLDER [--source WORD] [--every N]

ROWS.csv has a measured step per line: model, layers, hidden, heads, vocab, sequence, global_batch, micro_batch, gpus, gpu, dtype, tp, pp,
vp, dp, cp, ep, recompute, step_s, tflops_per_gpu, source. What a layout leaves open, or rhino-bench cannot say yet, is counted by its reason.
Per source and model the table prints the rows, the median ratio of simulated to measured, the median and the 90th percentile of |ratio - 1|,
Kendall's tau of the steps, and the least seconds that any row spends per layer and micro-batch, measured and simulated: where the first does
not fall with the work and the second does, hosts issue kernels more slowly than devices run them, which the model lacks. No number of a
topology may be changed after a look at this table.
"""
import argparse
import collections
import csv
import json
import pathlib
import subprocess
import sys

TOPOLOGIES = {'A100': 'dgx_a100', 'a100_80gb': 'dgx_a100', 'a100_40gb': 'p4d_24xlarge', 'H100': 'dgx_h100', 'h100_80gb': 'dgx_h100',
              'B200': 'dgx_b200'}
# Where a source says nothing: Megatron-LM's GPT-2 vocabulary, padded as it pads.
VOCABULARY = 51200
MEGATRON = pathlib.Path(__file__).parents[2] / 'strategies/gpt_megatron.yaml'
LAYERS = 'recompute: [{from: [embedding, "h?.out", "h??.out"], to: ["h?.out", "h??.out"]}]\n'


def whole(row, key):
    return int(row[key] or 1)


def why_not(row):
    """Why a row cannot be simulated; empty: it can."""
    if row['gpu'] not in TOPOLOGIES:
        return f"no topology of {row['gpu']}"
    if not row['model'].lower().startswith('gpt'):
        return 'not a GPT of dense layers'
    if not row['step_s']:
        return 'no step time'
    if not all(row[key] for key in ('layers', 'hidden', 'heads', 'sequence', 'global_batch', 'micro_batch', 'tp', 'pp', 'dp')):
        return 'its layout is not told'
    if any(whole(row, key) > 1 for key in ('vp', 'cp', 'ep')):
        return 'interleaved, context or expert parallel'
    if row['dtype'] not in ('', 'bf16', 'f16'):
        return f"dtype {row['dtype']}"
    if whole(row, 'tp') * whole(row, 'pp') * whole(row, 'dp') != whole(row, 'gpus'):
        return 'tp x pp x dp are not its GPUs'
    if whole(row, 'global_batch') % (whole(row, 'dp') * whole(row, 'micro_batch')):
        return 'batches do not divide'
    return ''


def case(row, strategies):
    vocabulary = whole(row, 'vocab') if row['vocab'] else VOCABULARY
    micro_batches = whole(row, 'global_batch') // (whole(row, 'dp') * whole(row, 'micro_batch'))
    model = {'num_layers': whole(row, 'layers'), 'hidden': whole(row, 'hidden'), 'num_heads': whole(row, 'heads'), 'vocabulary': vocabulary,
             'sequence': whole(row, 'sequence'), 'dtype': 'bf16'}
    strategy = {'stage': whole(row, 'pp'), 'data': whole(row, 'dp'), 'tensor': whole(row, 'tp')}
    return {'topology': {TOPOLOGIES[row['gpu']]: {'hosts': (whole(row, 'gpus') + 7) // 8}}, 'model': {'gpt': model},
            'batch': {'global': whole(row, 'global_batch'), 'micro_batches': micro_batches},
            'search': {str(strategies / ('layers.yaml' if row['recompute'] == 'full' else 'none.yaml')): strategy}, 'backend': 'simulate',
            'check': 'none'}


def simulate(arguments, name, rows):
    """Per row the step time, or None with the reason."""
    folder = arguments.out / name
    folder.mkdir(parents=True, exist_ok=True)
    for recompute, text in (('none', ''), ('layers', LAYERS)):
        (folder / f'{recompute}.yaml').write_text(MEGATRON.read_text() + text)
    cases = [json.dumps(case(row, folder.resolve())) for row in rows]
    distinct = sorted(set(cases), key=cases.index)
    experiment = {'name': name, 'question': 'Are published steps predicted?', 'cases': [json.loads(text) for text in distinct]}
    (folder / 'experiment.yaml').write_text(json.dumps(experiment))  # JSON is YAML
    subprocess.run([arguments.binary, str(folder / 'experiment.yaml'), '--plugin-dir', arguments.plugins, '--out', str(folder / 'run')],
                   stdout=subprocess.DEVNULL, check=False)
    records = [json.loads(line) for line in (folder / 'run' / 'records.jsonl').read_text().splitlines()]
    by_case = {distinct[record['case']]: (record['summary']['median_s'] if record['status'] == 'ok' else None,
                                          record['message'] or record['status']) for record in records}
    return [by_case.get(text, (None, 'no record')) for text in cases]


def kendall(pairs):
    """Tau-a of (measured, simulated)."""
    agree = sum((a[0] - b[0]) * (a[1] - b[1]) > 0 for i, a in enumerate(pairs) for b in pairs[:i])
    disagree = sum((a[0] - b[0]) * (a[1] - b[1]) < 0 for i, a in enumerate(pairs) for b in pairs[:i])
    return (agree - disagree) / (len(pairs) * (len(pairs) - 1) / 2) if len(pairs) > 1 else float('nan')


def quantile(values, share):
    values = sorted(values)
    return values[min(len(values) - 1, int(share * len(values)))]


def passes(row):
    """Of a layer, one micro-batch each, that the slowest stage is busy or waits in a step."""
    micro_batches = whole(row, 'global_batch') // (whole(row, 'dp') * whole(row, 'micro_batch'))
    return whole(row, 'layers') / whole(row, 'pp') * (micro_batches + whole(row, 'pp') - 1)


def report(name, steps):
    """`steps`: rows with their simulated seconds."""
    pairs = [(float(row['step_s']), step_s) for row, step_s in steps]
    ratios = [simulated / measured for measured, simulated in pairs]
    errors = [abs(ratio - 1) for ratio in ratios]
    least = [1e3 * min(seconds[i] / passes(row) for seconds, (row, _) in zip(pairs, steps)) for i in (0, 1)]
    print(f'{name:<48} {len(pairs):>5} {quantile(ratios, 0.5):>8.3f} {quantile(errors, 0.5):>8.1%} {quantile(errors, 0.9):>8.1%} '
          f'{kendall(pairs):>7.2f} {least[0]:>9.2f} {least[1]:>9.2f}')


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('rows', type=pathlib.Path)
    parser.add_argument('--binary', required=True)
    parser.add_argument('--plugins', required=True)
    parser.add_argument('--out', type=pathlib.Path, required=True)
    parser.add_argument('--source', default='', help='only rows whose source holds this')
    parser.add_argument('--every', type=int, default=1, help='every so many rows of a model')
    arguments = parser.parse_args()
    groups, refused = collections.defaultdict(list), collections.Counter()
    for row in csv.DictReader(arguments.rows.open()):
        if arguments.source not in row['source']:
            continue
        reason = why_not(row)
        if reason:
            refused[row['source'].split()[0], reason] += 1
        else:
            groups[row['source'].split()[0], row['model']].append(row)
    print(f"{'source, model':<48} {'rows':>5} {'ratio':>8} {'|error|':>8} {'p90':>8} {'tau':>7} {'ms/layer':>9} {'simulated':>9}")
    by_source = collections.defaultdict(list)
    arguments.out.mkdir(parents=True, exist_ok=True)
    with (arguments.out / 'ratios.csv').open('w') as ratios:
        for (source, model), rows in sorted(groups.items()):
            rows = rows[::arguments.every]
            steps = []
            name = f'{source}-{model}'.replace('/', '_').replace('@', '_')
            for row, (step_s, reason) in zip(rows, simulate(arguments, name, rows), strict=True):
                if not step_s:
                    refused[source, reason] += 1
                    continue
                steps.append((row, step_s))
                layout = [row[key] for key in ('model', 'gpus', 'tp', 'pp', 'dp', 'global_batch', 'micro_batch', 'recompute', 'step_s')]
                print(*layout, step_s, f"{step_s / float(row['step_s']):.3f}", source, sep=',', file=ratios)
            if steps:
                report(f'{source} {model}', steps)
                by_source[source] += steps
    for source, steps in by_source.items():
        report(source, steps)
    for (source, reason), count in sorted(refused.items()):
        print(f'left out: {count:>4} of {source}: {reason[:120]}')
    return 0


if __name__ == '__main__':
    sys.exit(main())
