# SPDX-License-Identifier: Apache-2.0
"""A layer whose states decay by what parameters alone tell, scanned in parallel: as selective state space models have it.

    pip install jax==0.10.2 && JAX_PLATFORMS=cpu python export_scan.py"""
import jax
import jax.numpy as jnp
from jax import lax

WIDTH, STATES, WORDS = 4, 2, 8
PARAMETERS = {'a': jnp.zeros((WIDTH, STATES)), 'dt': jnp.zeros(WIDTH), 'head': jnp.zeros((WIDTH, WORDS)), 'o': jnp.zeros((WIDTH, WIDTH)),
              'wte': jnp.zeros((WORDS, WIDTH))}


def loss(p, tokens):
    x = p['wte'][tokens[:, :-1]]
    decay = jnp.exp(-jnp.exp(p['a']) * jax.nn.softplus(p['dt'])[:, None])
    into = x[..., None] * jnp.ones((WIDTH, STATES))
    _, states = lax.associative_scan(lambda l, r: (l[0] * r[0], r[0] * l[1] + r[1]), (jnp.broadcast_to(decay, into.shape), into), axis=1)
    out = jax.nn.log_softmax((x + states.sum(-1) @ p['o']) @ p['head'])
    return -jnp.mean(jnp.take_along_axis(out, tokens[:, 1:, None], -1))


def step(p, tokens):
    value, gradients = jax.value_and_grad(loss)(p, tokens)
    return jax.tree.map(lambda a, b: a - 0.1 * b, p, gradients), value


if __name__ == '__main__':
    lowered = jax.jit(step, donate_argnums=0).lower(PARAMETERS, jnp.zeros((4, 3), jnp.int32))
    with open('decay_scan.hlo.txt', 'w') as file:
        file.write(lowered.compiler_ir('hlo').as_hlo_text())
