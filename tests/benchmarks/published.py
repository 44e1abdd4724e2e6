#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes the experiment that simulates training steps that others measured; rhino-bench runs it and compares.

    tests/benchmarks/published.py ROWS.csv [--source WORD] [--grids N | --every N] > steps.yaml

ROWS.csv has a measured step per line: model, layers, hidden, heads, vocab, sequence, global_batch, micro_batch, gpus, gpu, dtype, tp, pp,
vp, dp, cp, ep, recompute, step_s, tflops_per_gpu, source. What a layout leaves open, or rhino-bench cannot say yet, is counted on standard
error by its reason. A case is a grid: one model on so many GPUs at one batch. No number of a topology may be changed after a look at
what comes out.
"""
import argparse
import collections
import csv
import sys

# The clusters of sources that say more than which GPU it was; else that of NVIDIA or AWS.
TOPOLOGIES = {'A100': 'dgx_a100', 'a100_80gb': 'dgx_a100', 'a100_40gb': 'p4d_24xlarge', 'H100': 'dgx_h100', 'h100_80gb': 'dgx_h100',
              'B200': 'dgx_b200'}
CLUSTERS = {('VIA-Research/vTrain', 'A100'): 'a100_eager', ('mosaicml/llm-foundry', 'a100_80gb'): 'a100_fsdp',
            ('mosaicml/llm-foundry', 'a100_40gb'): 'a100_40gb_fsdp', ('mosaicml/llm-foundry', 'h100_80gb'): 'h100_fsdp',
            ('eth-easl/sailor', 'GH200-96'): 'gh200_eager'}
DEVICES_PER_HOST = {'gh200_eager': 4}  # else 8
# Megatron-LM's own: sequences split beside tensors, optimizer states over replicas (its distributed optimizer), gradients in f32,
# attention by Transformer Engine. Their scripts and configurations recompute nothing.
MEGATRON = {'MooreThreads/SimuMax': 'b200_megatron', 'NVIDIA/dgxc-benchmarking': 'h100_megatron'}
# Heads of keys and values, and the feed-forward's width, of models that are Llamas but for what takes no time: Nemotron-4 has one product up where
# a gated feed-forward has two, so two thirds of its 4 x hidden are as much. SimuMax's script has 16 of such heads in its 405b.
LLAMAS = {('llama3', 4096): (8, 14336), ('llama3', 8192): (8, 28672), ('llama3', 16384): (8, 53248), ('nemotron4', 6144): (8, 16384)}
OWN_KV_HEADS = {('MooreThreads/SimuMax', 16384): 16}
# NeMo 2's recipes reduce gradients in 16 bits (grad_reduce_in_fp32: false); NeMo 1's configuration of the pages before kept Megatron-LM's f32.
GRADIENTS = {'NVIDIA/dgxc-benchmarking@85380ff': 'bf16'}
# PyTorch's fully sharded data parallelism, as its rows say; gradients are summed in the dtype of the model (its mixed precision PURE).
ZERO = {'FULL_SHARD': 3, 'SHARD_GRAD_OP': 2}
# GPTs but for biases, learned positions and another activation, which take no time.
LIKE_GPT = ('gpt', 'mpt-', 'opt-')
# Of Megatron-DeepSpeed's pipeline engine: as many layers in each stage (partition_method type:transformer of gpt_model.py), gradients reduced
# behind the last backward pass, and exchanges between stages that both ends wait for, each tensor-parallel device sending its part, which
# the receivers gather (send, recv and PartitionedTensor of runtime/pipe).
# Sailor's fork of it has as many modules in each stage instead (partition_method uniform of opt_model.py and gpt_neo_model.py), and its script
# (Megatron-DeepSpeed/run.sh) recomputes nothing.
DEEPSPEED = {'VIA-Research/vTrain': 'strategies/gpt_megatron_deepspeed.yaml', 'eth-easl/sailor': 'strategies/gpt_megatron_deepspeed_uniform.yaml'}
# Layers of vTrain's time all-reduce where they stand: a backward pass makes both gradients of a linear layer, then calls one that blocks
# (megatron/mpu/layers.py at 1619965 and before; Megatron's own later overlaps it, and so may Sailor's fork).
BLOCKS = {'VIA-Research/vTrain': 'transfers: block, collectives: block', 'eth-easl/sailor': 'transfers: block'}
DEEPSPEED_CASE = '    schedule: {{schedule/1f1b: {{}}, {}}}\n    resharding: resharding/local_allgather\n'
# Where a source says nothing, as Megatron-DeepSpeed does: f16, gradients too, f32 masters, a dynamic loss scale. Sailor's script turns neither
# fp16 nor bf16 on, and the memory that its rows tell is that of f32 (16 bytes a parameter, activations of 4).
PRECISION = {'dtype': 'f16', 'gradients': 'f16'}
OWN_PRECISION = {'eth-easl/sailor': {'dtype': 'f32'}}
OPTIMIZER = '    optimizer: {adam: {loss_scale: dynamic}}\n'
# Where a source says nothing: Megatron-LM's GPT-2 vocabulary, padded as it pads.
VOCABULARY = 51200
# Sailor's GPT-Neo has no words at its end: the loss is of the 2560 features themselves (gpt_neo_model.py: GPTNeoModelPipe ends with a norm).
OWN_VOCABULARY = {('eth-easl/sailor', 'gpt-neo-2.7b'): 2560}
SEQUENCE = {'gpt': 'strategies/gpt_megatron_sequence.yaml', 'llama': 'strategies/llama_megatron_sequence.yaml'}
# Context parallelism. SimuMax ran Megatron-LM's by all-to-all. NVIDIA's passes keys and values from member to member beside attention, causal rows
# dealt out evenly: arithmetic is the same, and what is exchanged here is more and not hidden.
CONTEXT = 'strategies/llama_megatron_context.yaml'
STRATEGIES = {'full': 'strategies/gpt_megatron_recompute.yaml', 'none': 'strategies/gpt_megatron.yaml', '': 'strategies/gpt_megatron.yaml'}


def whole(row, key):
    return int(row[key] or 1)


def source(row):
    return row['source'].split()[0]


def project(row):
    return source(row).split('@')[0]


def is_deepspeed(row):
    return project(row) in DEEPSPEED


def is_megatron(row):
    return project(row) in MEGATRON


def llama(row):
    """Its heads of keys and values, and its feed-forward; None: it is none."""
    family = next((name for name, _ in LLAMAS if row['model'].lower().startswith(name)), '')
    found = LLAMAS.get((family, int(row['hidden'] or 0)))
    return found and (OWN_KV_HEADS.get((project(row), int(row['hidden'])), found[0]), found[1])


def topology(row):
    """None: there is none."""
    if row['gpu'] in ('H100', 'B200') and is_megatron(row):
        return MEGATRON[project(row)]
    return CLUSTERS.get((project(row), row['gpu']), TOPOLOGIES.get(row['gpu']))


def why_not(row):
    """Why a row cannot be simulated; empty: it can."""
    if '+' in row['gpu']:
        return 'unlike GPUs, and not told which holds what'
    if not topology(row):
        return f"no topology of {row['gpu']}"
    if not row['model'].lower().startswith(LIKE_GPT) and not llama(row):
        return 'neither a GPT nor a Llama of dense layers'
    if not row['step_s']:
        return 'no step time'
    if not all(row[key] for key in ('layers', 'hidden', 'heads', 'sequence', 'global_batch', 'micro_batch', 'tp', 'pp', 'dp')):
        return 'its layout is not told'
    if whole(row, 'ep') > 1:
        return 'expert parallel'
    if whole(row, 'cp') > 1 and not (is_megatron(row) and llama(row)):
        return 'context parallel'
    if whole(row, 'cp') > 1 and llama(row)[0] % (whole(row, 'tp') * whole(row, 'cp')):
        return 'more tensor and context parallel members than heads of keys'
    if is_megatron(row) and whole(row, 'pp') > 1 and not row['vp']:
        return 'its layout is not told'
    if row['dtype'] not in ('', 'bf16'):
        return f"dtype {row['dtype']}"
    if row['recompute'] not in STRATEGIES:
        return f"recompute {row['recompute']}"
    if whole(row, 'tp') * whole(row, 'pp') * whole(row, 'dp') * whole(row, 'cp') != whole(row, 'gpus'):
        return 'tp x pp x dp x cp are not its GPUs'
    if whole(row, 'global_batch') % (whole(row, 'dp') * whole(row, 'micro_batch')):
        return 'batches do not divide'
    return ''


def micro_batches(row):
    return whole(row, 'global_batch') // (whole(row, 'dp') * whole(row, 'micro_batch'))


def zero(row):
    """What a row says of it, as an option of its strategy."""
    return next((f', zero: {stage}' for word, stage in ZERO.items() if f'FSDP {word}' in row['source']), '')


def strategy(row):
    if is_megatron(row):
        return CONTEXT if whole(row, 'cp') > 1 else SEQUENCE['llama' if llama(row) else 'gpt']
    # What vTrain's recomputes is written there; a row that does not is any Megatron's.
    is_own = is_deepspeed(row) and (row['recompute'] == 'full' or project(row) in OWN_PRECISION)
    return DEEPSPEED[project(row)] if is_own else STRATEGIES[row['recompute']]


def search(row):
    context = f", context: {row['cp']}" if whole(row, 'cp') > 1 else ''
    options = (', zero: 1' if whole(row, 'dp') > 1 else '') if is_megatron(row) else zero(row)
    return f"{{{strategy(row)}: {{stage: {row['pp']}, data: {row['dp']}{context}, tensor: {row['tp']}, micro_batches: {micro_batches(row)}{options}}}}}"


def grid(row):
    """What all rows of a case have in common, as its YAML."""
    gpus = whole(row, 'gpus')  # a plan needs not use all of a host
    family = 'llama' if llama(row) else 'gpt'
    vocabulary = OWN_VOCABULARY.get((project(row), row['model']), int(row['vocab'] or VOCABULARY))
    model = {'num_layers': whole(row, 'layers'), 'hidden': whole(row, 'hidden'), 'num_heads': whole(row, 'heads'),
             'vocabulary': vocabulary, 'sequence': whole(row, 'sequence')}
    if llama(row):
        model['num_kv_heads'], model['ffn'] = llama(row)
    model |= {'dtype': row['dtype']} if row['dtype'] else OWN_PRECISION.get(project(row), PRECISION)
    model |= {'gradients': row['dtype']} if zero(row) else {}
    model |= {'gradients': GRADIENTS[source(row)]} if source(row) in GRADIENTS else {}
    per_host = DEVICES_PER_HOST.get(topology(row), 8)
    case = f"    schedule: {{schedule/interleaved_1f1b: {{chunks: {row['vp']}}}}}\n" if whole(row, 'vp') > 1 else ''
    return (f"  - topology: {{{topology(row)}: {{hosts: {(gpus + per_host - 1) // per_host}}}}}\n"
            f"    model: {{{family}: {{{', '.join(f'{key}: {value}' for key, value in model.items())}}}}}\n"
            f"{OPTIMIZER if model['dtype'] == 'f16' else ''}{DEEPSPEED_CASE.format(BLOCKS[project(row)]) if is_deepspeed(row) else case}", whole(row, 'global_batch'), source(row), gpus)


def write(cases):
    for (head, batch, name, _), rows in cases:
        counts = sorted({micro_batches(row) for row in rows.values()})
        print(f'{head}    batch: {{global: {batch}, micro_batches: {counts}}}')
        print(f'    published:\n      source: {name}\n      steps:')
        for choice, row in rows.items():
            print(f"        - {{step_s: {float(row['step_s']):g}, search: {choice}}}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('rows')
    parser.add_argument('--source', default='', help='only rows whose source holds this')
    parser.add_argument('--every', type=int, default=1, help='every so many rows of a model')
    parser.add_argument('--grids', type=int, default=0, help='of each model only so many grids, those of most rows, the first of equals')
    arguments = parser.parse_args()
    models, refused = collections.defaultdict(list), collections.Counter()
    with open(arguments.rows, encoding='utf-8') as file:
        for row in csv.DictReader(file):
            if arguments.source not in row['source']:
                continue
            reason = why_not(row)
            if reason:
                refused[source(row), reason] += 1
            else:
                models[source(row), row['model']].append(row)
    print('name: published\nquestion: Are the steps predicted that others measured?\n'
          'matrix: {backend: simulate, check: none}\nmeasure: {steps: 1}\ncases:')
    for rows in models.values():
        grids = collections.defaultdict(dict)
        for row in rows[::arguments.every]:
            if grids[grid(row)].setdefault(search(row), row) is not row:
                refused[source(row), 'measured once more'] += 1
        cases = sorted(grids.items(), key=lambda case: -len(case[1]))
        write(cases[:arguments.grids or None])
    for (name, reason), count in sorted(refused.items()):
        print(f'left out: {count:>4} of {name}: {reason}', file=sys.stderr)
    return 0


if __name__ == '__main__':
    sys.exit(main())
