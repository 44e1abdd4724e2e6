# SPDX-License-Identifier: Apache-2.0
"""A training step of the model `gpt` in PyTorch on one GPU, for comparison: as plain users write it (autocast to bf16, f32 weights, fused AdamW, attention by
PyTorch's own kernels), and with its blocks compiled. Prints a JSON line each.

    python3 tests/benchmarks/gpt_torch.py 1.3b --batch 16 --micro-batches 2
"""
import argparse
import json
import statistics
import time

import torch
from torch import nn
from torch.nn import functional as F

# As core/models/gpt_presets.cpp has them: layers, hidden, heads, vocabulary, sequence.
PRESETS = {'125m': (12, 768, 12, 51200, 1024), '350m': (24, 1024, 16, 51200, 1024), '760m': (24, 1536, 16, 51200, 1024),
           '1.3b': (24, 2048, 32, 51200, 1024), '2.6b': (32, 2560, 32, 51200, 1024)}


class Block(nn.Module):
    def __init__(self, hidden, heads):
        super().__init__()
        self.heads = heads
        self.ln1, self.ln2 = nn.LayerNorm(hidden), nn.LayerNorm(hidden)
        self.qkv, self.out = nn.Linear(hidden, 3 * hidden), nn.Linear(hidden, hidden)
        self.up, self.down = nn.Linear(hidden, 4 * hidden), nn.Linear(4 * hidden, hidden)

    def forward(self, x):
        batch, sequence, hidden = x.shape
        qkv = self.qkv(self.ln1(x)).view(batch, sequence, 3, self.heads, hidden // self.heads)
        query, key, value = qkv.permute(2, 0, 3, 1, 4)
        mixed = F.scaled_dot_product_attention(query, key, value, is_causal=True)
        x = x + self.out(mixed.transpose(1, 2).reshape(batch, sequence, hidden))
        return x + self.down(F.gelu(self.up(self.ln2(x)), approximate='tanh'))


class Gpt(nn.Module):
    def __init__(self, layers, hidden, heads, vocabulary, sequence):
        super().__init__()
        self.wte, self.wpe = nn.Embedding(vocabulary, hidden), nn.Embedding(sequence, hidden)
        self.blocks = nn.ModuleList(Block(hidden, heads) for _ in range(layers))
        self.ln = nn.LayerNorm(hidden)
        for parameter in self.parameters():
            if parameter.dim() > 1:
                nn.init.normal_(parameter, std=0.02)

    def forward(self, tokens, labels):
        x = self.wte(tokens) + self.wpe.weight
        for block in self.blocks:
            x = block(x)
        return F.cross_entropy(F.linear(self.ln(x), self.wte.weight).flatten(0, 1), labels.flatten())


def time_steps(model, sizes, arguments):
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-4, fused=True)
    tokens, labels = (torch.randint(sizes[3], (arguments.micro_batches, arguments.batch // arguments.micro_batches, sizes[4]), device='cuda') for _ in range(2))

    def step():
        for i in range(arguments.micro_batches):
            with torch.autocast('cuda', torch.bfloat16):
                loss = model(tokens[i], labels[i]) / arguments.micro_batches
            loss.backward()
        optimizer.step()
        optimizer.zero_grad(set_to_none=False)

    for _ in range(3):
        step()
    seconds = []
    for _ in range(arguments.steps):
        torch.cuda.synchronize()
        begin = time.perf_counter()
        step()
        torch.cuda.synchronize()
        seconds.append(time.perf_counter() - begin)
    return statistics.median(seconds)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('preset', choices=PRESETS)
    parser.add_argument('--batch', type=int, default=16)
    parser.add_argument('--micro-batches', type=int, default=2)
    parser.add_argument('--steps', type=int, default=8)
    parser.add_argument('--ways', default='plain,compiled')
    arguments = parser.parse_args()
    sizes = PRESETS[arguments.preset]
    torch.manual_seed(0)
    torch.set_float32_matmul_precision('high')
    with torch.device('cuda'):
        model = Gpt(*sizes)
    for way in arguments.ways.split(','):
        if way == 'compiled':
            for block in model.blocks:
                block.compile()
        begin = time.perf_counter()
        seconds = time_steps(model, sizes, arguments)
        print(json.dumps({'model': 'gpt ' + arguments.preset, 'way': way, 'batch': arguments.batch, 'micro_batches': arguments.micro_batches,
                          'step_s': round(seconds, 5), 'tokens_per_s': round(arguments.batch * sizes[4] / seconds), 'took_s': round(time.perf_counter() - begin, 1),
                          'memory_gb': round(torch.cuda.max_memory_allocated() / 1e9, 1), 'torch': torch.__version__, 'gpu': torch.cuda.get_device_name()}), flush=True)


if __name__ == '__main__':
    main()
