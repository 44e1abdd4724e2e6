# SPDX-License-Identifier: Apache-2.0
"""What exports of training steps share, whatever their sizes."""
import jax
import jax.numpy as jnp
from jax import lax


def sgd(loss, rate=0.1):
    """A step that updates parameters in their own type."""
    def step(parameters, *batch):
        value, gradients = jax.value_and_grad(loss)(parameters, *batch)
        return jax.tree.map(lambda p, g: p - (rate * g).astype(p.dtype), parameters, gradients), value
    return step


def shapes(**dims):
    return {name: jnp.zeros(shape) for name, shape in dims.items()}


def conv(x, kernel, stride=1, groups=1, padding='SAME'):
    return lax.conv_general_dilated(x, kernel, (stride, stride), padding, dimension_numbers=('NHWC', 'HWIO', 'NHWC'),
                                    feature_group_count=groups)


def lstm(batch, length, inputs, hidden, outputs, rate=0.1):
    def loss(p, x, y):
        def cell(carry, now):
            h, s = carry
            i, f, o, u = jnp.split(now @ p['wx'] + h @ p['wh'] + p['b'], 4, -1)
            s = jax.nn.sigmoid(f) * s + jax.nn.sigmoid(i) * jnp.tanh(u)
            h = jax.nn.sigmoid(o) * jnp.tanh(s)
            return (h, s), h
        zero = jnp.zeros((x.shape[0], hidden))
        _, states = lax.scan(cell, (zero, zero), jnp.swapaxes(x, 0, 1))
        return jnp.mean((jnp.swapaxes(states, 0, 1) @ p['w'] - y) ** 2)
    p = shapes(wx=(inputs, 4 * hidden), wh=(hidden, 4 * hidden), b=(4 * hidden,), w=(hidden, outputs))
    return sgd(loss, rate), (p, jnp.zeros((batch, length, inputs)), jnp.zeros((batch, length, outputs)))


def unet(batch, side, width, rate=0.1):
    def loss(p, x, y):
        wide = jax.nn.relu(conv(x, p['in']))
        deep = jax.nn.relu(conv(jax.nn.relu(conv(wide, p['down'], 2)), p['middle']))
        up = lax.conv_transpose(deep, p['up'], (2, 2), 'SAME', dimension_numbers=('NHWC', 'HWIO', 'NHWC'))
        return jnp.mean((conv(jnp.concatenate([wide, up], -1), p['out']) - y) ** 2)
    p = shapes(**{'in': (3, 3, 3, width), 'down': (3, 3, width, 2 * width), 'middle': (3, 3, 2 * width, 2 * width),
                  'up': (2, 2, 2 * width, width), 'out': (3, 3, 2 * width, 3)})
    return sgd(loss, rate), (p, jnp.zeros((batch, side, side, 3)), jnp.zeros((batch, side, side, 3)))


def moe_sort(tokens, hidden, experts, ffn, rate=0.1):
    """Tokens sorted by their expert, as many for each."""
    def loss(p, x, y):
        gates = jax.nn.softmax(x @ p['router'])
        order = jnp.argsort(jnp.argmax(gates, -1))
        inside = x[order].reshape(experts, tokens // experts, hidden)
        out = jnp.einsum('ecf,efh->ech', jax.nn.relu(jnp.einsum('ech,ehf->ecf', inside, p['up'])), p['down'])
        back = jnp.zeros_like(x).at[order].set(out.reshape(tokens, hidden))
        return jnp.mean((back * gates.max(-1, keepdims=True) - y) ** 2)
    p = shapes(router=(hidden, experts), up=(experts, hidden, ffn), down=(experts, ffn, hidden))
    return sgd(loss, rate), (p, jnp.zeros((tokens, hidden)), jnp.zeros((tokens, hidden)))
