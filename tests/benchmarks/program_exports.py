# SPDX-License-Identifier: Apache-2.0
"""Training steps of a size at which kernels count, exported by JAX as StableHLO text: program_exports.py FOLDER [NAME ...]"""
import pathlib
import sys

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax

sys.path.append(str(pathlib.Path(__file__).parents[1] / 'data' / 'jax'))
import steps
from steps import conv, shapes

RATE = 0.001


def sgd(loss):
    return steps.sgd(loss, RATE)


def gpt(dtype=jnp.float32):
    layers, hidden, heads, vocabulary, sequence, batch = 6, 256, 8, 2048, 128, 4

    def norm(x, scale):
        x = x.astype(jnp.float32)
        mean = x.mean(-1, keepdims=True)
        return ((x - mean) * lax.rsqrt(((x - mean) ** 2).mean(-1, keepdims=True) + 1e-5)).astype(dtype) * scale

    def layer(x, p):
        q, k, v = jnp.moveaxis(jnp.einsum('bsh,hcad->bscad', norm(x, p['scale1']), p['qkv']), 2, 0)
        scores = jnp.einsum('bsad,btad->bast', q, k) / np.sqrt(hidden // heads).astype(dtype)
        scores = jnp.where(jnp.tril(jnp.ones((sequence, sequence), bool)), scores, -1e9)
        x += jnp.einsum('bast,btad,adh->bsh', jax.nn.softmax(scores), v, p['out'])
        return x + jax.nn.gelu(norm(x, p['scale2']) @ p['up']) @ p['down']

    def loss(p, tokens, labels):
        x = p['wte'][tokens] + p['wpe']
        for one in p['layers']:
            x = layer(x, one)
        logits = (x @ p['wte'].T).astype(jnp.float32)
        return jnp.mean(jax.nn.logsumexp(logits, -1) - jnp.take_along_axis(logits, labels[..., None], -1)[..., 0])
    one = shapes(qkv=(hidden, 3, heads, hidden // heads), out=(heads, hidden // heads, hidden), up=(hidden, 4 * hidden),
                down=(4 * hidden, hidden), scale1=(hidden,), scale2=(hidden,))
    p = {**shapes(wte=(vocabulary, hidden), wpe=(sequence, hidden)), 'layers': [one] * layers}
    words = jnp.zeros((batch, sequence), jnp.int32)
    return sgd(loss), (jax.tree.map(lambda x: x.astype(dtype), p), words, words)


def gpt_bf16():
    return gpt(jnp.bfloat16)


def resnet(dtype=jnp.float32):
    widths, batch = (32, 64, 128), 4

    def block(x, p, stride=1):
        x = conv(x, p['kernel'], stride)
        real = x.astype(jnp.float32)
        x = ((real - real.mean((0, 1, 2))) * lax.rsqrt(real.var((0, 1, 2)) + 1e-5)).astype(dtype)
        return jax.nn.relu(x * p['scale'] + p['offset'])

    def loss(p, x, y):
        x = block(x, p['stem'])
        x = lax.reduce_window(x, np.array(-np.inf, dtype), lax.max, (1, 3, 3, 1), (1, 2, 2, 1), 'SAME')
        for stage, (first, second) in enumerate(p['stages']):
            x = block(x, first, 2 if stage else 1)
            x = x + block(x, second)
        x = lax.reduce_window(x, np.array(0, dtype), lax.add, (1, 2, 2, 1), (1, 2, 2, 1), 'SAME') / 4
        x = x.astype(jnp.float32).mean((1, 2))
        return -jnp.mean(jnp.sum(jax.nn.log_softmax(x @ p['w']) * jax.nn.one_hot(y, 10), -1))

    def kernel(inside, outside):
        return shapes(kernel=(3, 3, inside, outside), scale=(outside,), offset=(outside,))
    stages = [(kernel(widths[max(i - 1, 0)], w), kernel(w, w)) for i, w in enumerate(widths)]
    p = jax.tree.map(lambda x: x.astype(dtype), {'stem': kernel(3, widths[0]), 'stages': stages})
    return sgd(loss), ({**p, **shapes(w=(widths[-1], 10))}, jnp.zeros((batch, 64, 64, 3), dtype), jnp.zeros(batch, jnp.int32))


def resnet_bf16():
    return resnet(jnp.bfloat16)


def convnext():
    def loss(p, x, y):
        x = conv(x, p['stem'], 4)
        for one in p['blocks']:
            inside = conv(x, one['depthwise'], groups=64)
            inside = (inside - inside.mean(-1, keepdims=True)) * lax.rsqrt(inside.var(-1, keepdims=True) + 1e-6)
            x = x + jax.nn.gelu(inside @ one['up']) @ one['down']
        return jnp.mean((x.mean((1, 2)) @ p['w'] - y) ** 2)
    one = shapes(depthwise=(7, 7, 1, 64), up=(64, 256), down=(256, 64))
    p = {**shapes(stem=(4, 4, 3, 64), w=(64, 10)), 'blocks': [one] * 3}
    return sgd(loss), (p, jnp.zeros((4, 64, 64, 3)), jnp.zeros((4, 10)))


def unet():
    return steps.unet(4, 64, 32, RATE)


def lstm():
    return steps.lstm(8, 128, 64, 128, 16, RATE)


def moe_sort():
    return steps.moe_sort(1024, 128, 8, 512, RATE)


def mamba():
    """An associative scan: a recurrence h = a h + b in logarithmically many rounds."""
    batch, length, hidden, states = 4, 128, 64, 8

    def loss(p, x, y):
        inside = x @ p['in']
        rate = jax.nn.softplus(inside @ p['rate'])
        decay = jnp.exp(-rate[..., None] * jnp.exp(p['decay']))
        add = (rate * inside)[..., None] * (inside @ p['b'])[:, :, None]
        _, h = lax.associative_scan(lambda l, r: (l[0] * r[0], r[0] * l[1] + r[1]), (decay, add), axis=1)
        out = jnp.einsum('blhn,bln->blh', h, inside @ p['c'])
        return jnp.mean((out @ p['out'] - y) ** 2)
    p = shapes(**{'in': (hidden, hidden), 'rate': (hidden, hidden), 'decay': (hidden, states), 'b': (hidden, states),
                 'c': (hidden, states), 'out': (hidden, hidden)})
    return sgd(loss), (p, jnp.zeros((batch, length, hidden)), jnp.zeros((batch, length, hidden)))


def top_k():
    """Experts' choice by top-k, looked up and added back by gathers and scatters."""
    def loss(p, x, y):
        gates = jax.nn.softmax(x @ p['router'])
        weights, chosen = lax.top_k(gates.T, 256)
        inside = x[chosen]
        out = jnp.einsum('ecf,efh->ech', jax.nn.relu(jnp.einsum('ech,ehf->ecf', inside, p['up'])), p['down'])
        back = jnp.zeros_like(x).at[chosen].add(out * weights[..., None])
        return jnp.mean((back + jnp.cumsum(x, 0) - y) ** 2)
    p = shapes(router=(128, 8), up=(8, 128, 256), down=(8, 256, 128))
    return sgd(loss), (p, jnp.zeros((1024, 128)), jnp.zeros((1024, 128)))


STEPS = (gpt, gpt_bf16, resnet, resnet_bf16, convnext, unet, lstm, moe_sort, mamba, top_k)

if __name__ == '__main__':
    for make in STEPS:
        if len(sys.argv) > 2 and make.__name__ not in sys.argv[2:]:
            continue
        function, arguments = make()
        text = jax.jit(function, donate_argnums=0).lower(*arguments).as_text()
        (pathlib.Path(sys.argv[1]) / f'large_{make.__name__}.mlir').write_text(text)
