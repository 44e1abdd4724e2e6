# SPDX-License-Identifier: Apache-2.0
"""Training steps of kinds that the importer was not made for, as export.py, whose words these are.

    pip install jax==0.10.2 && JAX_PLATFORMS=cpu python export_frozen.py"""
import jax
import jax.numpy as jnp
from jax import lax

from export import FOLDER, attention, export, layer_norm, sgd, shapes


def convmixer():
    """Depthwise and pointwise convolutions, normalised by the batch, with AdamW and a cosine schedule of the step count."""
    def normal(x, scale, offset):
        mean, var = x.mean((0, 1, 2)), x.var((0, 1, 2))
        return (x - mean) / jnp.sqrt(var + 1e-5) * scale + offset

    def conv(x, w, **how):
        return lax.conv_general_dilated(x, w, dimension_numbers=('NHWC', 'HWIO', 'NHWC'), **how)

    def loss(p, images, labels):
        x = normal(jax.nn.gelu(conv(images, p['patch'], window_strides=(2, 2), padding='VALID')), p['s'], p['o'])
        for one in p['layers']:
            y = jax.nn.gelu(conv(x, one['depth'], window_strides=(1, 1), padding='SAME', feature_group_count=8))
            x = x + normal(y, one['s1'], one['o1'])
            x = normal(jax.nn.gelu(conv(x, one['point'], window_strides=(1, 1), padding='VALID')), one['s2'], one['o2'])
        target = 0.9 * jax.nn.one_hot(labels, 10) + 0.01
        return -jnp.mean(jnp.sum(target * jax.nn.log_softmax(x.mean((1, 2)) @ p['head']), -1))

    def step(p, m, v, count, images, labels):
        value, g = jax.value_and_grad(loss)(p, images, labels)
        at = count['n'] + 1
        m = jax.tree.map(lambda a, b: 0.9 * a + 0.1 * b, m, g)
        v = jax.tree.map(lambda a, b: 0.99 * a + 0.01 * b * b, v, g)
        rate = 0.005 * (1 + jnp.cos(at / 100 * jnp.pi))
        unbiased = jnp.sqrt(1 - 0.99**at) / (1 - 0.9**at)
        p = jax.tree.map(lambda a, b, c: a * (1 - 0.01 * rate) - rate * unbiased * b / (jnp.sqrt(c) + 1e-4), p, m, v)
        return p, m, v, {'n': at}, value
    one = shapes(depth=(5, 5, 1, 8), s1=(8,), o1=(8,), point=(1, 1, 8, 8), s2=(8,), o2=(8,))
    p = {**shapes(patch=(2, 2, 3, 8), s=(8,), o=(8,), head=(8, 10)), 'layers': [one] * 2}
    return step, (p, p, p, shapes(n=()), jnp.zeros((4, 12, 12, 3)), jnp.zeros(4, jnp.int32))


def rwkv():
    """Time mixing as RWKV-4 has it: a scan with a running maximum; tokens are shifted, channels mixed by squared ReLU."""
    def loss(p, tokens, labels):
        x = p['wte'][tokens]
        for one in p['layers']:
            y = layer_norm(x)
            past = jnp.pad(y, ((0, 0), (1, 0), (0, 0)))[:, :-1]
            mix = [y * one['mix'][i] + past * (1 - one['mix'][i]) for i in range(3)]
            k, v, r = mix[0] @ one['k'], mix[1] @ one['v'], jax.nn.sigmoid(mix[2] @ one['r'])
            zero = jnp.zeros_like(k[:, 0])

            def run(state, now):
                a, b, top = state
                k, v = now
                most = jnp.maximum(top, one['bonus'] + k)
                e1, e2 = jnp.exp(top - most), jnp.exp(one['bonus'] + k - most)
                out = (e1 * a + e2 * v) / (e1 * b + e2)
                slow = top - jnp.exp(one['decay'])
                most = jnp.maximum(slow, k)
                e1, e2 = jnp.exp(slow - most), jnp.exp(k - most)
                return (e1 * a + e2 * v, e1 * b + e2, most), out
            _, out = lax.scan(run, (zero, zero, zero - 1e30), (jnp.swapaxes(k, 0, 1), jnp.swapaxes(v, 0, 1)))
            x = x + (r * jnp.swapaxes(out, 0, 1)) @ one['o']
            x = x + jnp.square(jax.nn.relu(layer_norm(x) @ one['up'])) @ one['down']
        logits = layer_norm(x) @ p['head']
        return jnp.mean(jax.nn.logsumexp(logits, -1) - jnp.take_along_axis(logits, labels[..., None], -1)[..., 0])
    one = shapes(mix=(3, 8), k=(8, 8), v=(8, 8), r=(8, 8), o=(8, 8), bonus=(8,), decay=(8,), up=(8, 16), down=(16, 8))
    words = jnp.zeros((4, 6), jnp.int32)
    return sgd(loss), ({**shapes(wte=(32, 8), head=(8, 32)), 'layers': [one] * 2}, words, words)


def perceiver():
    """Latents that look at inputs, all layers with the same weights by a scan with remat; Huber loss of a regression."""
    def loss(p, x, y):
        x = x @ p['embed'] + p['place']
        z = jnp.broadcast_to(p['latents'], (x.shape[0], *p['latents'].shape))

        @jax.checkpoint
        def layer(z, rate):
            q = jnp.einsum('bnd,dah->bnah', layer_norm(z), p['q'])
            k, v = jnp.moveaxis(jnp.einsum('btd,dcah->btcah', layer_norm(x), p['kv']), 2, 0)
            weights = jax.nn.softmax(jnp.einsum('bnah,btah->bant', q, k) / jnp.sqrt(4.0))
            z = z + rate * jnp.einsum('bant,btah,ahd->bnd', weights, v, p['cross'])
            return z + attention(layer_norm(z), p['qkv'], p['out']), jnp.mean(weights)
        z, _ = lax.scan(layer, z, jnp.array([1.0, 0.5, 0.25]))
        off = jnp.abs(z.mean(1) @ p['head'] - y)
        return jnp.mean(jnp.where(off < 1, 0.5 * off**2, off - 0.5))
    p = shapes(embed=(6, 8), place=(10, 8), latents=(5, 8), q=(8, 2, 4), kv=(8, 2, 2, 4), cross=(2, 4, 8), qkv=(8, 3, 2, 4), out=(2, 4, 8), head=(8, 3))
    return sgd(loss), (p, jnp.zeros((4, 10, 6)), jnp.zeros((4, 3)))


def topk_autoencoder():
    """A sparse autoencoder that keeps the three largest of its features and has no bias but one; dead ones count in a state."""
    def loss(p, x):
        h = jax.nn.relu((x - p['bias']) @ p['encode'])
        most, where = lax.top_k(h, 3)
        kept = jnp.zeros_like(h).at[jnp.arange(x.shape[0])[:, None], where].set(most)
        out = kept @ p['decode'] + p['bias']
        return jnp.mean(jnp.sum((out - x)**2, -1)), jnp.sum(kept > 0, 0)

    def step(p, seen, x):
        (value, alive), g = jax.value_and_grad(loss, has_aux=True)(p, x)
        p = jax.tree.map(lambda a, b: a - 0.05 * b, p, g)
        p['decode'] = p['decode'] / jnp.maximum(jnp.linalg.norm(p['decode'], axis=-1, keepdims=True), 1e-6)
        return p, {'idle': jnp.where(alive > 0, 0, seen['idle'] + 1)}, value
    return step, (shapes(bias=(8,), encode=(8, 24), decode=(24, 8)), {'idle': jnp.zeros(24, jnp.int32)}, jnp.zeros((8, 8)))


def lora():
    """A GPT whose weights stay and whose low-rank additions train; they alone are donated."""
    def forward(base, p, tokens):
        x = base['wte'][tokens] + base['wpe']
        mask = jnp.tril(jnp.ones((tokens.shape[1],) * 2, bool))
        for w, a in zip(base['layers'], p['layers']):
            qkv = w['qkv'] + jnp.einsum('hr,rcad->hcad', a['a'], a['b']) * 2.0
            x = x + attention(layer_norm(x), qkv, w['out'], mask)
            y = layer_norm(x)
            x = x + jax.nn.silu(y @ w['up'] + y @ a['ua'] @ a['ub']) @ w['down']
        return layer_norm(x) @ base['wte'].T

    def loss(p, base, tokens, labels):
        logits = forward(base, p, tokens)
        picked = jnp.sum(logits * jax.nn.one_hot(labels, logits.shape[-1]), -1)
        return jnp.mean(jax.nn.logsumexp(logits, -1) - picked)

    def step(p, m, base, tokens, labels):
        value, g = jax.value_and_grad(loss)(p, base, tokens, labels)
        m = jax.tree.map(lambda a, b: 0.95 * a + 0.05 * b, m, g)
        return jax.tree.map(lambda a, b: a - 0.01 * jnp.sign(b), p, m), m, value
    w, a = shapes(qkv=(16, 3, 2, 8), out=(2, 8, 16), up=(16, 32), down=(32, 16)), shapes(a=(16, 2), b=(2, 3, 2, 8), ua=(16, 2), ub=(2, 32))
    p, words = {'layers': [a] * 2}, jnp.zeros((4, 8), jnp.int32)
    return step, (p, p, {**shapes(wte=(32, 16), wpe=(8, 16)), 'layers': [w] * 2}, words, words)


if __name__ == '__main__':
    for make in (convmixer, rwkv, perceiver, topk_autoencoder, lora):
        export(make, FOLDER)
