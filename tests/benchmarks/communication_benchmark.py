# SPDX-License-Identifier: Apache-2.0
"""Cells of communication.yaml beside the copy bound, which is measured in turns with them.

The bound of a transfer of S bytes is the time in which one core's memcpy moves S bytes once, after the check of what came
before and a sleep; that of an all_reduce among n ranks is the time for the 2 (n - 1) / n x S bytes that each rank must take from the
others, on both cores at once, back to back: for two, S again.
Staged bytes, which must be 0, are those that went between ranks otherwise than in place.
"""
import json
import os
import pathlib
import subprocess
import sys
import tempfile

BENCH, BOUND = os.environ['RHINO_BENCH'], os.environ['RHINO_COPY_BOUND']
CELLS = pathlib.Path(__file__).with_name('communication.yaml')
ROUNDS = 3


def size_of(record):
    return int(record['communication']['bytes'])


def run_cells(folder, number):
    out = pathlib.Path(folder) / str(number)
    subprocess.run([BENCH, str(CELLS), '--out', str(out)], check=True, stdout=subprocess.DEVNULL)
    return [json.loads(line) for line in (out / 'records.jsonl').read_text().splitlines()]


def copy_bounds(sizes):
    lines = subprocess.run([BOUND, *map(str, sizes)], check=True, text=True, capture_output=True).stdout
    rows = (line.split() for line in lines.splitlines())
    return {int(size): {'collective': float(both), 'reshard': float(alone)} for size, both, alone in rows}


def main():
    cells, bounds = {}, {}
    with tempfile.TemporaryDirectory() as folder:
        for number in range(ROUNDS):
            for record in run_cells(folder, number):
                cells.setdefault(record['label'], []).append(record)
            sizes = sorted({size_of(records[0]) for records in cells.values()})
            for size, by_kind in copy_bounds(sizes).items():
                for kind, seconds in by_kind.items():
                    bounds[size, kind] = min(bounds.get((size, kind), seconds), seconds)
    print(f'{"cell":<40} {"best us":>10} {"median us":>10} {"copy bound us":>14} {"reached":>8} {"staged":>7}')
    for label, records in cells.items():
        if any(record['status'] != 'ok' for record in records):
            sys.exit(f'{label}: {records[-1]["status"]}: {records[-1]["message"]}')
        best, median = (min(record['summary'][key] for record in records) for key in ('min_s', 'median_s'))
        bound = bounds[size_of(records[0]), records[0]['communication']['kind']]
        staged = sum(device['staged_bytes'] for record in records for device in record['breakdown'])
        print(f'{label.split("/")[0]:<40} {best * 1e6:>10.2f} {median * 1e6:>10.2f} {bound * 1e6:>14.2f} {bound / best:>8.0%} {staged:>7.0f}')


if __name__ == '__main__':
    main()
