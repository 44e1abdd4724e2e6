# SPDX-License-Identifier: Apache-2.0
"""Further training steps, written after the importer was frozen to see what it lacks: as export.py, whose words these are.

    pip install jax==0.10.2 && JAX_PLATFORMS=cpu python export_more.py"""
import jax
import jax.numpy as jnp
from jax import lax

from export import FOLDER, export, layer_norm, sgd, shapes

NHWC, NCHW = ('NHWC', 'HWIO', 'NHWC'), ('NCHW', 'OIHW', 'NCHW')


def mixer():
    """An MLP-Mixer, with gradients clipped by their norm, momentum and weight decay."""
    def loss(p, images, labels):
        batch = images.shape[0]
        x = images.reshape(batch, 4, 2, 4, 2, 3).transpose(0, 1, 3, 2, 4, 5).reshape(batch, 16, 12) @ p['stem']
        for one in p['layers']:
            y = jnp.swapaxes(layer_norm(x), 1, 2)
            x = x + jnp.swapaxes(jax.nn.gelu(y @ one['t1']) @ one['t2'], 1, 2)
            x = x + jax.nn.gelu(layer_norm(x) @ one['c1']) @ one['c2']
        logits = x.max(1) @ p['head']
        z = jax.nn.logsumexp(logits, -1)
        return jnp.mean(z - logits[jnp.arange(batch), labels]) + 1e-3 * jnp.mean(z**2)

    def step(p, m, images, labels):
        value, g = jax.value_and_grad(loss)(p, images, labels)
        norm = jnp.sqrt(sum(jnp.sum(x * x) for x in jax.tree.leaves(g)))
        g = jax.tree.map(lambda x: x * jnp.minimum(1.0, 1 / (norm + 1e-6)), g)
        m = jax.tree.map(lambda a, b: 0.9 * a + b, m, g)
        return jax.tree.map(lambda a, b: a - 0.05 * b - 1e-4 * a, p, m), m, value
    one = shapes(t1=(16, 8), t2=(8, 16), c1=(8, 32), c2=(32, 8))
    p = {**shapes(stem=(12, 8), head=(8, 10)), 'layers': [one] * 2}
    return step, (p, p, jnp.zeros((4, 8, 8, 3)), jnp.zeros(4, jnp.int32))


def gru():
    """A GRU both ways over sequences of several lengths; the loss is divided by how many words there are."""
    def loss(p, x, lengths):
        def cell(w):
            def run(h, now):
                x, live = now
                r, z = jnp.split(jax.nn.sigmoid(x @ w['wx'] + h @ w['wh']), 2, -1)
                n = jnp.tanh(x @ w['nx'] + r * (h @ w['nh']))
                h = jnp.where(live[:, None], (1 - z) * n + z * h, h)
                return h, h
            return run
        live = jnp.arange(x.shape[1])[:, None] < (lengths + 2)[None]
        xs, zero = jnp.swapaxes(x, 0, 1), jnp.zeros((x.shape[0], 8))
        _, forth = lax.scan(cell(p['f']), zero, (xs, live))
        _, back = lax.scan(cell(p['b']), zero, (xs, live), reverse=True)
        out = jnp.concatenate([forth[:-1], back[1:]], -1) @ p['w']
        mask = live[:-1].astype(jnp.float32)
        return jnp.sum(jnp.abs(out - xs[1:])**1.5 * mask[..., None]) / jnp.sum(mask)
    one = shapes(wx=(6, 16), wh=(8, 16), nx=(6, 8), nh=(8, 8))
    return sgd(loss), ({'f': one, 'b': one, **shapes(w=(16, 6))}, jnp.zeros((4, 5, 6)), jnp.zeros(4, jnp.int32))


def wgan():
    """A critic's step with gradient penalty, whose gradients are of gradients, and RMSProp; images are resized."""
    def conv(x, kernel, stride):
        return lax.conv_general_dilated(x, kernel, (stride, stride), 'SAME', dimension_numbers=NHWC)

    def critic(p, x):
        h = jax.nn.leaky_relu(conv(x, p['c1'], 2), 0.2)
        return (jax.nn.softplus(conv(h, p['c2'], 2)).reshape(x.shape[0], -1) @ p['w'])[:, 0]

    def generator(p, z):
        h = jax.nn.elu(z @ p['w']).reshape(-1, 2, 2, 4)
        return jnp.tanh(conv(jax.image.resize(h, (h.shape[0], 8, 8, 4), 'bilinear'), p['c'], 1))

    def loss(p, real, z):
        fake = lax.stop_gradient(generator(p['g'], z))
        share = jnp.linspace(0.1, 0.9, real.shape[0])[:, None, None, None]
        mixed = share * real + (1 - share) * fake
        slopes = jax.vmap(jax.grad(lambda x: critic(p['d'], x[None])[0]))(mixed)
        penalty = jnp.mean((jnp.sqrt(jnp.sum(slopes**2, (1, 2, 3)) + 1e-6) - 1)**2)
        return jnp.mean(critic(p['d'], fake) - critic(p['d'], real)) + 10 * penalty

    def step(p, s, real, z):
        value, g = jax.value_and_grad(loss)(p, real, z)
        s = jax.tree.map(lambda a, b: 0.99 * a + 0.01 * b * b, s, g)
        return jax.tree.map(lambda a, b, c: a - 0.01 * b * lax.rsqrt(c + 1e-8), p, g, s), s, value
    p = {'g': shapes(w=(5, 16), c=(3, 3, 4, 3)), 'd': shapes(c1=(3, 3, 3, 4), c2=(3, 3, 4, 8), w=(32, 1))}
    return step, (p, p, jnp.zeros((4, 8, 8, 3)), jnp.zeros((4, 5)))


def autoencoder():
    """A variational one: transposed convolutions, and normal noise of keys."""
    def loss(p, x, words):
        def conv(x, kernel):
            return lax.conv_general_dilated(x, kernel, (2, 2), ((1, 1), (1, 1)), dimension_numbers=NCHW)

        def transposed(x, kernel):
            return lax.conv_transpose(x, kernel, (2, 2), 'SAME', dimension_numbers=NCHW, transpose_kernel=True)
        h = jax.nn.hard_swish(conv(jax.nn.swish(conv(x, p['e1'])), p['e2']))
        mean, log_variance = jnp.split(h.reshape(x.shape[0], -1) @ p['w'], 2, -1)
        noise = jax.random.normal(jax.random.wrap_key_data(words, impl='threefry2x32'), mean.shape)
        h = jax.nn.relu6((mean + jnp.exp(0.5 * log_variance) * noise) @ p['v']).reshape(-1, 8, 2, 2)
        y = jax.nn.sigmoid(transposed(jax.nn.selu(transposed(h, p['d1'])), p['d2']))
        of_image = -jnp.mean(jnp.sum(x * jnp.log(y + 1e-7) + (1 - x) * jnp.log1p(-y + 1e-7), (1, 2, 3)))
        return of_image - 0.5 * jnp.mean(jnp.sum(1 + log_variance - mean**2 - jnp.exp(log_variance), -1))
    p = shapes(e1=(4, 3, 4, 4), e2=(8, 4, 4, 4), w=(32, 12), v=(6, 32), d1=(8, 4, 4, 4), d2=(4, 3, 4, 4))
    return sgd(loss), (p, jnp.zeros((4, 3, 8, 8)), jnp.zeros(2, jnp.uint32))


def s4():
    """Diagonal state spaces by scans in a checkpointed scan, complex numbers as pairs, and sums, sorts, top-k of what comes out."""
    def loss(p, x, y):
        step = jax.nn.softplus(p['dt'])
        size = jnp.exp(-jnp.exp(p['a']) * step)
        re, im = size * jnp.cos(p['w'] * step), size * jnp.sin(p['w'] * step)
        u = x @ p['in']

        def run(state, now):
            a, b = state
            a, b = re * a - im * b + now[..., None], re * b + im * a
            return (a, b), jnp.sum(a * p['c'] - b * p['d'], -1)
        zero = jnp.zeros((x.shape[0], 4, 3))
        parts = jnp.swapaxes(u, 0, 1).reshape(2, 3, x.shape[0], 4)
        _, out = lax.scan(jax.checkpoint(lambda state, part: lax.scan(run, state, part)), (zero, zero), parts)
        out = jnp.swapaxes(out.reshape(6, x.shape[0], 4), 0, 1)
        out = out * jax.nn.sigmoid(jnp.roll(out, 1, 1)) + jnp.cumsum(u, 1)[:, ::-1]
        top, _ = lax.top_k(out, 2)
        middle = jnp.sort(out, -1)[..., 1]
        error = jnp.where(y > 0.1, jnp.abs(top.sum(-1) - y), jnp.square(middle - y))
        return jnp.mean(jnp.clip(error, 0, 3)) + jnp.var(out) * 0.1
    p = shapes(**{'in': (5, 4)}, dt=(4, 3), a=(4, 3), w=(4, 3), c=(4, 3), d=(4, 3))
    return sgd(loss), (p, jnp.zeros((4, 6, 5)), jnp.zeros((4, 6)))


def masked():
    """Words of which some are padding: the loss is divided by how many are not. Gradients are clipped by their norm; momentum."""
    def loss(p, words, labels):
        x = p['wte'][words]
        for one in p['layers']:
            x = x + jax.nn.gelu(layer_norm(x) @ one['up'] + one['bias']) @ one['down']
        logits = layer_norm(x) @ p['wte'].T
        live = labels % 4 > 0
        picked = jnp.take_along_axis(logits, labels[..., None], -1)[..., 0]
        z = jax.nn.logsumexp(logits, -1)
        return jnp.sum(jnp.where(live, z - picked + 1e-2 * z**2, 0)) / jnp.maximum(jnp.sum(live), 1)

    def step(p, m, words, labels):
        value, g = jax.value_and_grad(loss)(p, words, labels)
        norm = jnp.sqrt(sum(jnp.sum(x * x) for x in jax.tree.leaves(g)))
        g = jax.tree.map(lambda x: x * jnp.minimum(1.0, 0.5 / (norm + 1e-6)), g)
        m = jax.tree.map(lambda a, b: 0.9 * a + b, m, g)
        return jax.tree.map(lambda a, b: a - 0.05 * b, p, m), m, value
    one = shapes(up=(16, 32), bias=(32,), down=(32, 16))
    p = {**shapes(wte=(24, 16)), 'layers': [one] * 2}
    words = jnp.zeros((8, 6), jnp.int32)
    return step, (p, p, words, words)


if __name__ == '__main__':
    for make in (mixer, gru, wgan, autoencoder, s4, masked):
        export(make, FOLDER)
