# SPDX-License-Identifier: Apache-2.0
"""Exports training steps as HLO and StableHLO text, with what JAX computes of them beside.

    pip install jax==0.10.2 && JAX_PLATFORMS=cpu python export.py

NAME.hlo.txt, NAME.mlir and NAME.results: a line per output, `L2-norm sum` and four elements: the first,
the last, and two between, a third of all apart. Inputs are a counter: element i of input k is
(((7919 i + 104729 k) mod 1000) / 1000 + 1/16) / 4 where it is floating-point, (7 i + k) mod 4 otherwise."""
import pathlib

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax

import steps
from steps import conv, sgd, shapes

FOLDER = pathlib.Path(__file__).parent


def lstm():
    return steps.lstm(4, 6, 8, 16, 4)


def unet():
    return steps.unet(4, 8, 4)


def moe_sort():
    return steps.moe_sort(16, 8, 4, 16)


def mlp():
    def loss(p, x, y):
        out = jnp.tanh(x @ p['w1'] + p['b1']) @ p['w2'] + p['b2']
        return -jnp.mean(jnp.take_along_axis(jax.nn.log_softmax(out), y[:, None], 1))
    return sgd(loss), (shapes(w1=(8, 16), b1=(16,), w2=(16, 4), b2=(4,)), jnp.zeros((32, 8)), jnp.zeros(32, jnp.int32))


def gpt():
    layers, hidden, heads, vocabulary, sequence, batch = 2, 32, 4, 64, 16, 8

    def norm(x, scale):
        mean = x.mean(-1, keepdims=True)
        return (x - mean) * lax.rsqrt(((x - mean) ** 2).mean(-1, keepdims=True) + 1e-5) * scale

    def layer(x, p):
        q, k, v = jnp.moveaxis(jnp.einsum('bsh,hcad->bscad', norm(x, p['scale1']), p['qkv']), 2, 0)
        scores = jnp.einsum('bsad,btad->bast', q, k) / np.sqrt(hidden // heads)
        mask = jnp.tril(jnp.ones((sequence, sequence), bool))
        x += jnp.einsum('bast,btad,adh->bsh', jax.nn.softmax(jnp.where(mask, scores, -1e9)), v, p['out'])
        return x + jax.nn.gelu(norm(x, p['scale2']) @ p['up']) @ p['down']

    def loss(p, tokens, labels):
        x = p['wte'][tokens] + p['wpe']
        for one in p['layers']:
            x = layer(x, one)
        logits = x @ p['wte'].T
        picked = jnp.take_along_axis(logits, labels[..., None], -1)[..., 0]
        return jnp.mean(jax.nn.logsumexp(logits, -1) - picked)

    def step(p, m, v, count, tokens, labels):
        value, g = jax.value_and_grad(loss)(p, tokens, labels)
        count += 1
        m = jax.tree.map(lambda a, b: 0.9 * a + 0.1 * b, m, g)
        v = jax.tree.map(lambda a, b: 0.99 * a + 0.01 * b * b, v, g)
        rate = 1e-3 * jnp.sqrt(1 - 0.99 ** count) / (1 - 0.9 ** count)
        p = jax.tree.map(lambda a, b, c: a - rate * b / (jnp.sqrt(c) + 1e-8), p, m, v)
        return p, m, v, count, value

    one = shapes(qkv=(hidden, 3, heads, hidden // heads), out=(heads, hidden // heads, hidden), up=(hidden, 4 * hidden),
                 down=(4 * hidden, hidden), scale1=(hidden,), scale2=(hidden,))
    p = {'wte': jnp.zeros((vocabulary, hidden)), 'wpe': jnp.zeros((sequence, hidden)), 'layers': [one] * layers}
    tokens = jnp.zeros((batch, sequence), jnp.int32)
    return step, (p, p, p, jnp.float32(0), tokens, tokens)


def resnet():
    def block(x, kernel, scale, offset):
        x = conv(x, kernel)
        return jax.nn.relu((x - x.mean((0, 1, 2))) * lax.rsqrt(x.var((0, 1, 2)) + 1e-5) * scale + offset)

    def loss(p, x, y):
        x = block(x, p['c0'], p['g0'], p['b0'])
        x = lax.reduce_window(x, -jnp.inf, lax.max, (1, 2, 2, 1), (1, 2, 2, 1), 'SAME')
        x = (x + block(x, p['c1'], p['g1'], p['b1'])).mean((1, 2))
        return -jnp.mean(jnp.sum(jax.nn.log_softmax(x @ p['w']) * jax.nn.one_hot(y, 10), -1))
    return sgd(loss), (shapes(c0=(3, 3, 3, 8), g0=(8,), b0=(8,), c1=(3, 3, 8, 8), g1=(8,), b1=(8,), w=(8, 10)),
                       jnp.zeros((4, 8, 8, 3)), jnp.zeros(4, jnp.int32))


def moe():
    def loss(p, x, y):
        gates = jax.nn.softmax(x @ p['router'])
        chosen = jax.nn.one_hot(jnp.argmax(gates, -1), 4)
        place = (jnp.cumsum(chosen, 0) * chosen - 1).max(-1).astype(jnp.int32)
        dispatch = jax.nn.one_hot(place, 8)[:, None] * chosen[..., None]
        inside = jax.nn.relu(jnp.einsum('ech,ehf->ecf', jnp.einsum('tec,th->ech', dispatch, x), p['up']))
        out = jnp.einsum('tec,ech->th', dispatch, jnp.einsum('ecf,efh->ech', inside, p['down']))
        return jnp.mean((out * jnp.max(gates, -1, keepdims=True) - y) ** 2)
    return sgd(loss), (shapes(router=(8, 4), up=(4, 8, 16), down=(4, 16, 8)), jnp.zeros((16, 8)), jnp.zeros((16, 8)))


def attention(x, qkv, out, mask=None):
    q, k, v = jnp.moveaxis(jnp.einsum('bsh,hcad->bscad', x, qkv), 2, 0)
    scores = jnp.einsum('bsad,btad->bast', q, k) / np.sqrt(q.shape[-1])
    if mask is not None:
        scores = jnp.where(mask, scores, -1e9)
    return jnp.einsum('bast,btad,adh->bsh', jax.nn.softmax(scores), v, out)


def layer_norm(x):
    return (x - x.mean(-1, keepdims=True)) * lax.rsqrt(x.var(-1, keepdims=True) + 1e-5)


def bert():
    def loss(p, tokens, segments, labels):
        x = layer_norm(p['wte'][tokens] + p['wse'][segments] + p['wpe'])
        for one in p['layers']:
            x = layer_norm(x + attention(x, one['qkv'], one['out'], (tokens != 0)[:, None, None]))
            x = layer_norm(x + jax.nn.gelu(x @ one['up'], approximate=False) @ one['down'])
        logits = x @ p['wte'].T
        asked = labels > 0
        losses = jax.nn.logsumexp(logits, -1) - jnp.take_along_axis(logits, labels[..., None], -1)[..., 0]
        return jnp.sum(jnp.where(asked, losses, 0)) / jnp.maximum(jnp.sum(asked), 1)
    one = shapes(qkv=(16, 3, 2, 8), out=(2, 8, 16), up=(16, 32), down=(32, 16))
    p = {**shapes(wte=(32, 16), wse=(4, 16), wpe=(8, 16)), 'layers': [one] * 2}
    words = jnp.zeros((4, 8), jnp.int32)
    return sgd(loss), (p, words, words, words)


def vit():
    def one_loss(p, image, label):
        patches = image.reshape(2, 4, 2, 4, 3).transpose(0, 2, 1, 3, 4).reshape(4, 48)
        x = jnp.concatenate([p['cls'], patches @ p['patch']]) + p['wpe']
        x += attention(layer_norm(x)[None], p['qkv'], p['out'])[0]
        x += jax.nn.gelu(layer_norm(x) @ p['up']) @ p['down']
        return jax.nn.logsumexp(x[0] @ p['head']) - (x[0] @ p['head'])[label]

    def loss(p, images, labels):
        return jnp.mean(jax.vmap(one_loss, (None, 0, 0))(p, images, labels))
    return sgd(loss), (shapes(cls=(1, 16), patch=(48, 16), wpe=(5, 16), qkv=(16, 3, 2, 8), out=(2, 8, 16), up=(16, 32),
                              down=(32, 16), head=(16, 10)), jnp.zeros((4, 8, 8, 3)), jnp.zeros(4, jnp.int32))


def gpt_scan():
    def loss(p, tokens, labels):
        @jax.checkpoint
        def layer(x, one):
            x += attention(layer_norm(x), one['qkv'], one['out'], jnp.tril(jnp.ones((8, 8), bool)))
            return x + jax.nn.gelu(layer_norm(x) @ one['up']) @ one['down'], None
        x, _ = lax.scan(layer, p['wte'][tokens] + p['wpe'], p['layers'])
        logits = x @ p['wte'].T
        return jnp.mean(jax.nn.logsumexp(logits, -1) - jnp.take_along_axis(logits, labels[..., None], -1)[..., 0])
    layers = shapes(qkv=(3, 16, 3, 2, 8), out=(3, 2, 8, 16), up=(3, 16, 32), down=(3, 32, 16))
    words = jnp.zeros((4, 8), jnp.int32)
    return sgd(loss), ({**shapes(wte=(32, 16), wpe=(8, 16)), 'layers': layers}, words, words)


def convnext():
    def block(x, p):
        y = layer_norm(conv(x, p['depthwise'], groups=x.shape[-1])) * p['scale'] + p['offset']
        return x + p['layer_scale'] * (jax.nn.gelu(y @ p['up'] + p['b_up'], approximate=False) @ p['down'] + p['b_down'])

    def loss(p, x, y):
        x = layer_norm(conv(x, p['stem'], 4, padding='VALID'))
        x = block(x, p['block1'])
        x = block(conv(layer_norm(x), p['reduce'], 2, padding='VALID'), p['block2'])
        logits = layer_norm(x.mean((1, 2))) @ p['head']
        return -jnp.mean(jnp.sum(jax.nn.log_softmax(logits) * (0.9 * jax.nn.one_hot(y, 10) + 0.01), -1))

    def block_of(width):
        return shapes(depthwise=(7, 7, 1, width), scale=(width,), offset=(width,), up=(width, 4 * width), b_up=(4 * width,),
                      down=(4 * width, width), b_down=(width,), layer_scale=(width,))
    p = {**shapes(stem=(4, 4, 3, 8), reduce=(2, 2, 8, 16), head=(16, 10)), 'block1': block_of(8), 'block2': block_of(16)}
    return sgd(loss), (p, jnp.zeros((4, 16, 16, 3)), jnp.zeros(4, jnp.int32))


def diffusion():
    """A denoising U-Net: group norm, embedded times, attention where it is narrowest, nearest upsampling."""
    def group_norm(x, groups=2):
        y = x.reshape(*x.shape[:3], groups, -1)
        y = (y - y.mean((1, 2, 4), keepdims=True)) * lax.rsqrt(y.var((1, 2, 4), keepdims=True) + 1e-5)
        return y.reshape(x.shape)

    def block(x, time, p):
        y = conv(jax.nn.silu(group_norm(x)), p['c1']) + (time @ p['time'])[:, None, None]
        return conv(x, p['skip']) + conv(jax.nn.silu(group_norm(y)), p['c2'])

    def attend(x, p):
        flat = group_norm(x).reshape(x.shape[0], -1, x.shape[-1])
        return x + attention(flat, p['qkv'], p['out']).reshape(x.shape)

    def loss(p, image, noise, times):
        kept = jnp.cumprod(1 - jnp.linspace(1e-4, 0.02, 8))[times][:, None, None, None]
        angles = times[:, None] * jnp.exp(-np.log(1e4) * jnp.arange(4) / 4)
        time = jax.nn.silu(jnp.concatenate([jnp.sin(angles), jnp.cos(angles)], -1) @ p['embed'])
        wide = block(conv(jnp.sqrt(kept) * image + jnp.sqrt(1 - kept) * noise, p['in']), time, p['first'])
        deep = attend(block(conv(wide, p['down'], 2), time, p['middle']), p)
        up = jnp.repeat(jnp.repeat(deep, 2, 1), 2, 2)
        out = conv(jax.nn.silu(group_norm(block(jnp.concatenate([wide, up], -1), time, p['last']))), p['out_conv'])
        return jnp.mean((out - noise) ** 2)

    def block_of(inputs, outputs):
        return shapes(c1=(3, 3, inputs, outputs), c2=(3, 3, outputs, outputs), time=(16, outputs), skip=(1, 1, inputs, outputs))
    p = {**shapes(embed=(8, 16), **{'in': (3, 3, 3, 4)}, down=(3, 3, 4, 8), qkv=(8, 3, 2, 4), out=(2, 4, 8), out_conv=(3, 3, 4, 3)),
         'first': block_of(4, 4), 'middle': block_of(8, 8), 'last': block_of(12, 4)}
    return sgd(loss), (p, jnp.zeros((4, 8, 8, 3)), jnp.zeros((4, 8, 8, 3)), jnp.zeros(4, jnp.int32))


def mamba():
    """Selective state spaces by an associative scan, behind a causal depthwise convolution."""
    hidden, inner, state, rank = 8, 16, 4, 2

    def block(x, p):
        x, gate = jnp.split(layer_norm(x) @ p['in'], 2, -1)
        x = lax.conv_general_dilated(x, p['conv'], (1,), [(3, 0)], dimension_numbers=('NWC', 'WIO', 'NWC'), feature_group_count=inner)
        x = jax.nn.silu(x + p['b_conv'])
        low, b, c = jnp.split(x @ p['select'], [rank, rank + state], -1)
        delta = jax.nn.softplus(low @ p['delta'] + p['b_delta'])
        decay = jnp.exp(-delta[..., None] * jnp.exp(p['log_a']))
        first = (delta * x)[..., None] * b[:, :, None]
        _, states = lax.associative_scan(lambda l, r: (l[0] * r[0], r[0] * l[1] + r[1]), (decay, first), axis=1)
        return (jnp.einsum('bsin,bsn->bsi', states, c) + p['d'] * x) * jax.nn.silu(gate) @ p['out']

    def loss(p, tokens, labels):
        x = p['wte'][tokens]
        for one in p['layers']:
            x += block(x, one)
        logits = layer_norm(x) @ p['wte'].T
        return jnp.mean(jax.nn.logsumexp(logits, -1) - jnp.take_along_axis(logits, labels[..., None], -1)[..., 0])
    one = shapes(**{'in': (hidden, 2 * inner)}, conv=(4, 1, inner), b_conv=(inner,), select=(inner, rank + 2 * state),
                 delta=(rank, inner), b_delta=(inner,), log_a=(inner, state), d=(inner,), out=(inner, hidden))
    words = jnp.zeros((4, 8), jnp.int32)
    return sgd(loss), ({**shapes(wte=(32, hidden)), 'layers': [one] * 2}, words, words)


def llama():
    """In bf16 with RoPE, grouped queries and SwiGLU; norms, softmax and loss in f32, as are sums of updates."""
    hidden, heads, groups, depth = 16, 4, 2, 4

    def norm(x, scale):
        wide = x.astype(jnp.float32)
        return (wide * lax.rsqrt((wide ** 2).mean(-1, keepdims=True) + 1e-5)).astype(x.dtype) * scale

    def rotate(x):
        angles = jnp.arange(x.shape[1])[:, None] * jnp.exp(-np.log(1e4) * jnp.arange(depth // 2) / (depth // 2))
        sin, cos = (f(angles)[:, None].astype(x.dtype) for f in (jnp.sin, jnp.cos))
        a, b = jnp.split(x, 2, -1)
        return jnp.concatenate([a * cos - b * sin, b * cos + a * sin], -1)

    def layer(x, p):
        y = norm(x, p['scale1'])
        q = rotate(jnp.einsum('bsh,had->bsad', y, p['q'])).reshape(*x.shape[:2], groups, heads // groups, depth)
        k, v = rotate(jnp.einsum('bsh,hgd->bsgd', y, p['k'])), jnp.einsum('bsh,hgd->bsgd', y, p['v'])
        scores = jnp.einsum('bsgad,btgd->bgast', q, k, preferred_element_type=jnp.float32) / np.sqrt(depth)
        mask = jnp.tril(jnp.ones((x.shape[1],) * 2, bool))
        weights = jax.nn.softmax(jnp.where(mask, scores, -1e9)).astype(x.dtype)
        x += jnp.einsum('bsgad,gadh->bsh', jnp.einsum('bgast,btgd->bsgad', weights, v), p['o'])
        y = norm(x, p['scale2'])
        return x + (jax.nn.silu(y @ p['gate']) * (y @ p['up'])) @ p['down']

    def loss(p, tokens, labels):
        x = p['wte'][tokens]
        for one in p['layers']:
            x = layer(x, one)
        logits = jnp.einsum('bsh,hv->bsv', norm(x, p['scale']), p['head'], preferred_element_type=jnp.float32)
        return jnp.mean(jax.nn.logsumexp(logits, -1) - jnp.take_along_axis(logits, labels[..., None], -1)[..., 0])

    def step(p, tokens, labels):
        value, gradients = jax.value_and_grad(loss)(p, tokens, labels)
        return jax.tree.map(lambda a, g: (a.astype(jnp.float32) - 0.1 * g.astype(jnp.float32)).astype(a.dtype), p, gradients), value

    one = shapes(q=(hidden, heads, depth), k=(hidden, groups, depth), v=(hidden, groups, depth),
                 o=(groups, heads // groups, depth, hidden), gate=(hidden, 32), up=(hidden, 32), down=(32, hidden),
                 scale1=(hidden,), scale2=(hidden,))
    p = {**shapes(wte=(32, hidden), head=(hidden, 32), scale=(hidden,)), 'layers': [one] * 2}
    words = jnp.zeros((4, 8), jnp.int32)
    return step, (jax.tree.map(lambda a: a.astype(jnp.bfloat16), p), words, words)


def dropout_of(kind):
    """Of keys of a kind, made from a word of the batch's counter."""
    def loss(p, x, y, words):
        key = jax.random.wrap_key_data(words, impl=kind)
        x = jnp.tanh(x @ p['w1'])
        x = jnp.where(jax.random.bernoulli(key, 0.75, x.shape), x / 0.75, 0)
        return jnp.mean((x @ p['w2'] - y) ** 2)
    return sgd(loss), (shapes(w1=(8, 16), w2=(16, 4)), jnp.zeros((8, 8)), jnp.zeros((8, 4)),
                       jnp.zeros(2 if kind == 'threefry2x32' else 4, jnp.uint32))


def dropout():
    return dropout_of('threefry2x32')


def dropout_rbg():
    return dropout_of('rbg')


def random():
    """Bits of all generators and shapes, odd ones too; no training step."""
    def bits(words, more):
        outputs = []
        for algorithm in (lax.RandomAlgorithm.RNG_DEFAULT, lax.RandomAlgorithm.RNG_PHILOX, lax.RandomAlgorithm.RNG_THREE_FRY):
            for shape in ((3, 5), (4, 6), (7,), (2, 3, 4)):
                state, values = lax.rng_bit_generator(words * jnp.uint32(0x9E3779B9), shape, algorithm=algorithm)
                words = state ^ more
                outputs += [state, values]
        shifts = [lax.shift_right_logical(words, more), lax.shift_left(words, more),
                  lax.shift_right_arithmetic(words.astype(jnp.int32), more.astype(jnp.int32))]
        return outputs + shifts + [words * words, words // (more + 3), lax.bitcast_convert_type(words >> 2, jnp.float32)]
    return bits, (jnp.zeros(4, jnp.uint32), jnp.zeros(4, jnp.uint32))


def counter(k, like):
    i = np.arange(like.size, dtype=np.int64)
    floating = (((7919 * i + 104729 * k) % 1000) / 1000 + 0.0625) / 4
    floats = jnp.issubdtype(like.dtype, jnp.floating)
    values = floating if floats else (7 * i + k) % 4
    return values.reshape(like.shape).astype(np.float32 if floats else np.int64).astype(like.dtype)



def results_line(array):
    flat = np.asarray(array, np.float64).ravel()
    numbers = [np.linalg.norm(flat), flat.sum(), *(flat[i * (flat.size - 1) // 3] for i in range(4))]
    return ' '.join(f'{number:.9g}' for number in numbers) + '\n'


def export(make, folder):
    """`make` gives a function and its arguments: parameters and states, which are donated, and a batch of two or three."""
    function, arguments = make()
    name = make.__name__
    donated = () if name == 'random' else tuple(k for k, tree in enumerate(arguments) if isinstance(tree, dict) or k == 3 and name == 'gpt')
    lowered = jax.jit(function, donate_argnums=donated).lower(*arguments)
    (folder / f'{name}.hlo.txt').write_text(lowered.compiler_ir('hlo').as_hlo_text())
    (folder / f'{name}.mlir').write_text(lowered.as_text())
    leaves, tree = jax.tree.flatten(arguments)
    outputs = jax.tree.leaves(jax.jit(function)(*jax.tree.unflatten(tree, [counter(k, l) for k, l in enumerate(leaves)])))
    (folder / f'{name}.results').write_text(''.join(map(results_line, outputs)))


if __name__ == '__main__':
    for make in (mlp, gpt, lstm, resnet, moe, bert, vit, unet, moe_sort, gpt_scan, convnext, diffusion, mamba, llama,
                 dropout, dropout_rbg, random):
        export(make, FOLDER)
