#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""How near published steps can be told from their layouts at all: fits a formula to the rows themselves, which a prediction may not do.

    tests/benchmarks/published_fit.py ROWS.csv [--source WORD]

Rows as of published.py; SciPy is wanted. Each model has numbers of its own, per degree of tensor parallelism a time per layer and sample and one per layer
and micro-batch, and one each for logits, exchanges between stages, reductions within hosts and beyond them, and what a step takes once:

    (m + p - 1) (layers / p (a_t samples + b_t) + exchange) + m logits / t + reduction (d - 1) / d / (t p) + once

It is fitted to sizes, not to order, so it is no bound; but what it misses, knowing them, prices of kernels and links will hardly find. As in the table of rhino-bench, grids are those of five plans or more.
"""
import argparse
import collections
import csv
import math
import statistics

import numpy
from scipy.optimize import least_squares
from scipy.stats import kendalltau

Row = collections.namedtuple('Row', 'tensor stages replicas samples micro_batches layers gpus batch seconds')
NUM_COMMON = 5
NUM_STARTS = 6


def rows_of(path, word):
    """By model."""
    models = collections.defaultdict(list)
    with open(path, newline='', encoding='utf-8') as file:
        for row in csv.DictReader(file):
            if word not in row['source']:
                continue
            number = {key: int(row[key] or 1) for key in ('tp', 'pp', 'dp', 'micro_batch', 'layers', 'gpus', 'global_batch')}
            micro_batches = number['global_batch'] // (number['micro_batch'] * number['dp'])
            models[row['model']].append(Row(number['tp'], number['pp'], number['dp'], number['micro_batch'], micro_batches, number['layers'],
                                            number['gpus'], number['global_batch'], float(row['step_s'])))
    return models


def step_s(numbers, degrees, row):
    """Of natural logarithms of `numbers`: a_t, b_t, then the others."""
    place = degrees.index(row.tensor)
    sample_s, batch_s = numpy.exp([numbers[place], numbers[len(degrees) + place]])
    logits_s, exchange_s, near_s, far_s, once_s = numpy.exp(numbers[-NUM_COMMON:])
    passes_s = row.layers / row.stages * (sample_s * row.samples + batch_s) + (exchange_s * row.samples if row.stages > 1 else 0)
    is_far = row.tensor * row.replicas > 8
    reduced_s = (near_s + (far_s if is_far else 0)) * (row.replicas - 1) / row.replicas / (row.tensor * row.stages)
    return (row.micro_batches + row.stages - 1) * passes_s + row.micro_batches * row.samples * logits_s / row.tensor + reduced_s + once_s


def fitted(rows):
    """Steps of the best of a few fits, which begin apart, and how many numbers it has."""
    degrees = sorted({row.tensor for row in rows})
    typical = math.log(statistics.median(row.seconds * row.stages / ((row.micro_batches + row.stages - 1) * row.samples * row.layers) for row in rows))
    count = 2 * len(degrees) + NUM_COMMON
    chance = numpy.random.default_rng(0)
    best = None
    for start in range(NUM_STARTS):
        begin = typical + chance.normal(0, 0.7 if start else 0, count)
        fit = least_squares(lambda numbers: [math.log(step_s(numbers, degrees, row) / row.seconds) for row in rows], begin, loss='soft_l1', f_scale=0.05,
                            max_nfev=2000)
        best = fit if best is None or fit.cost < best.cost else best
    return [step_s(best.x, degrees, row) for row in rows], count


def is_found(grid):
    """Whether the quickest plan is among the first 5 %: of pairs (fitted, measured)."""
    best = min(grid, key=lambda pair: pair[1])
    return sum(pair[0] < best[0] for pair in grid) <= 0.05 * len(grid)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument('rows')
    parser.add_argument('--source', default='vTrain')
    arguments = parser.parse_args()
    found = num_grids = 0
    for model, rows in sorted(rows_of(arguments.rows, arguments.source).items()):
        steps, count = fitted(rows)
        errors = sorted(abs(step / row.seconds - 1) for step, row in zip(steps, rows))
        grids = collections.defaultdict(list)
        for step, row in zip(steps, rows):
            grids[row.gpus, row.batch].append((step, row.seconds))
        large = [grid for grid in grids.values() if len(grid) >= 5]
        own = sum(map(is_found, large))
        found, num_grids = found + own, num_grids + len(large)
        tau = kendalltau(steps, [row.seconds for row in rows])[0]
        print(f'{model:20} {len(rows):3} rows, {count:2} numbers: error {100 * statistics.median(errors):.0f} %, '
              f'{100 * errors[len(errors) * 9 // 10]:.0f} %, tau {tau:.2f}, best found in {own} of {len(large)}')
    print(f'best found in {found} of {num_grids}')


if __name__ == '__main__':
    main()
