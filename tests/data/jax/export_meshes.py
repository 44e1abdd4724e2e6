# SPDX-License-Identifier: Apache-2.0
"""Training steps as they are left where a mesh was at hand, with metrics beside the loss: as export.py, whose words these are.

    pip install jax==0.10.2 && JAX_PLATFORMS=cpu python export_meshes.py"""
import functools
import os

os.environ['XLA_FLAGS'] = '--xla_force_host_platform_device_count=2'

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax
from jax.sharding import Mesh, NamedSharding, PartitionSpec

from export import FOLDER, export, layer_norm, shapes

MESH = Mesh(np.array(jax.devices()), ('data',))


def metrics():
    """Sharding constraints, a checkpoint's policy that rounds what it keeps, donated buffers of which nobody says where they go, and
    of eight scalars one that is the loss: the others are its parts, what is no derivative, and norms of parameters and gradients."""
    def over_data(x):
        return lax.with_sharding_constraint(x, NamedSharding(MESH, PartitionSpec('data')))

    def loss(p, words, labels):
        @functools.partial(jax.checkpoint, policy=jax.checkpoint_policies.dots_saveable)
        def block(x, one):
            return over_data(x + jax.nn.gelu(layer_norm(x) @ one['up'].astype(x.dtype)) @ one['down'].astype(x.dtype)), None
        x, _ = lax.scan(block, over_data(p['wte'][words].astype(jnp.bfloat16)), p['layers'])
        logits = x.astype(jnp.float32) @ p['head']
        z = jax.nn.logsumexp(logits, -1)
        ce = jnp.mean(z - jnp.take_along_axis(logits, labels[..., None], -1)[..., 0])
        z_loss = 1e-2 * jnp.mean(z**2)
        return ce + z_loss, (ce, z_loss, jnp.mean(jnp.argmax(logits, -1) == labels))

    def norm(tree):
        return jnp.sqrt(sum(jnp.sum(x * x) for x in jax.tree.leaves(tree)))

    def step(p, m, words, labels):
        (value, (ce, z_loss, accuracy)), g = jax.value_and_grad(loss, has_aux=True)(p, words, labels)
        m = jax.tree.map(lambda a, b: 0.9 * a + b, m, g)
        new = jax.tree.map(lambda a, b: a - 0.05 * b, p, m)
        return accuracy, ce, norm(g), norm(p), norm(new), jnp.exp(value), value, z_loss, m, new
    p = {**shapes(wte=(16, 8), head=(8, 16)), 'layers': shapes(up=(2, 8, 16), down=(2, 16, 8))}
    words = jnp.zeros((4, 6), jnp.int32)
    return step, (p, p, words, words)


if __name__ == '__main__':
    export(metrics, FOLDER)
