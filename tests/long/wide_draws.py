# SPDX-License-Identifier: Apache-2.0
"""Cases of all that an experiment may ask a search, drawn by chance: classes of hosts, odd counts of devices, heads, samples and tokens, 16 bits, imported programs, every schedule that a
searcher accepts, pins and budgets; and tiny ones whose strategies workers run on this machine."""
import random

SCHEDULES = ['gpipe', 'breadth_first', '1f1b', 'eager_1f1b', 'interleaved_1f1b', 'hanayo', 'zb_h1', 'zb_v', 'dualpipe_v', 'zero_bubble', 'auto']
RESHARDINGS = ['send_recv', 'broadcast', 'striped', 'local_allgather', 'global_allgather']
IMPORTED = ['autoencoder', 'bert', 'convmixer', 'dropout_rbg', 'gpt', 'llama', 'lora', 'lstm', 'mamba', 'masked', 'mixer', 'mlp', 'moe', 'resnet', 'topk_autoencoder', 'unet', 'vit']
DEVICES_PER_HOST = {'p3_2xlarge': 1, 'p3_8xlarge': 4, 'p3_16xlarge': 8, 'p4d_24xlarge': 8, 'dgx_a100': 8, 'dgx_h100': 8, 'a100_eager': 8, 'h100_megatron': 8}

# Three devices, and two hosts of two of another kind.
UNLIKE = """\
name: unlike
source: made up
classes:
  - hosts: 1
    devices_per_host: 3
    device: {kind: modelled, name: large, memory_bytes: 80e9, memory_bytes_per_s: 3350e9, stream_bytes_per_s: 2.97e12, kernel_latency_s: 3e-6, peak_flops: {f32: 67e12, bf16: 989e12, f16: 989e12}}
    links: {intra_host: {bytes_per_s: 370e9, latency_s: 5e-6}, inter_host: {bytes_per_s: 48e9, latency_s: 15e-6}}
  - hosts: 2
    devices_per_host: 2
    device: {kind: modelled, name: small, memory_bytes: 40e9, memory_bytes_per_s: 1555e9, stream_bytes_per_s: 1.3e12, kernel_latency_s: 3e-6, peak_flops: {f32: 19.5e12, bf16: 312e12, f16: 312e12}}
    links: {intra_host: {bytes_per_s: 235e9, latency_s: 5e-6}, inter_host: {bytes_per_s: 12e9, latency_s: 15e-6}}
"""
# Of workers, which nothing that is measured outruns; what is cheap beside what differs.
WORKERS = """\
name: workers
source: made up
hosts: {hosts}
devices_per_host: {per_host}
device: {{kind: emulated, name: worker, memory_bytes: 1e12, memory_bytes_per_s: {stream}, kernel_latency_s: {latency}, peak_flops: {{f32: {flops}, bf16: {flops}, f16: {flops}}}}}
links: {{intra_host: {{bytes_per_s: {inside}, latency_s: {latency}}}, inter_host: {{bytes_per_s: {between}, latency_s: {latency}}}}}
"""


def topology(draw, source):
    """The text of a file, what of it is taken, and how many devices that is."""
    kind = draw.random()
    if kind < 0.1:
        return (source / 'topologies/mixed_p4d_p3.yaml').read_text(), {}, 24
    if kind < 0.2:
        return UNLIKE, {}, 7
    name = draw.choice([*DEVICES_PER_HOST])
    some = [(hosts, per_host) for hosts in range(1, 6) for per_host in range(1, DEVICES_PER_HOST[name] + 1) if 2 <= hosts * per_host <= 12]
    odd = [(hosts, per_host) for hosts, per_host in some if hosts * per_host in (3, 5, 6, 7, 12)]
    hosts, per_host = draw.choice(draw.choice([odd, some]))
    return (source / f'topologies/{name}.yaml').read_text(), {'hosts': hosts, 'devices_per_host': per_host}, hosts * per_host


def workers(draw):
    hosts, per_host = draw.choice([(1, 3), (1, 4), (1, 4), (1, 5), (1, 6), (1, 6), (2, 2), (2, 3), (3, 2)])
    rates = {'stream': draw.choice([1e13, 1e14]), 'flops': draw.choice([1e14, 1e15]), 'latency': draw.choice([0, 1e-9, 1e-8]), 'inside': draw.choice([1e12, 1e13]), 'between': draw.choice([1e11, 1e12])}
    return WORKERS.format(hosts=hosts, per_host=per_host, **rates), {}, hosts * per_host


def dtypes(draw):
    dtype = draw.choice(['f32', 'f32', 'bf16', 'f16'])
    if dtype == 'f32':
        return {}
    return {'dtype': dtype, **{what: dtype for what in ('parameters', 'gradients') if draw.random() < 0.3}}


def model(draw, source):
    """A model, the strategy that experts have for it, and what may be pinned."""
    more = dtypes(draw)
    heads = draw.choice([3, 4, 5, 6, 8, 12])
    sizes = {'num_layers': draw.choice([1, 2, 3, 5, 7]), 'hidden': heads * draw.choice([32, 64, 100]), 'num_heads': heads, 'vocabulary': draw.choice([1000, 1001, 32000, 50257]),
             'sequence': draw.choice([100, 128, 333, 512, 1000]), **more}
    kv_heads = draw.choice([count for count in range(1, heads + 1) if heads % count == 0])
    described = draw.choice([('gpt2', 'gpt_megatron', {}), ('bert-base-uncased', 'bert_megatron', {}), ('t5-base', 't5_megatron', {'num_layers': 3, 'num_decoder_layers': 2}),
                             ('llama-2-7b', 'llama_megatron', {'num_layers': 3}), ('mixtral-8x7b', 'mixtral_expert', {'num_layers': 2})])

    def preset(kind, *names, **options):
        return {kind: {'preset': draw.choice(names), **more, **options}}
    return draw.choice([
        ({'gpt': {**sizes, 'fused_qkv': draw.random() < 0.3}}, 'gpt_megatron', [{'match': 'wpe', 'split': []}, {'match': '*.mlp.up.weight', 'split': 'ffn'}]),
        (preset('gpt', '125m', '350m', '760m'), 'gpt_megatron', [{'match': '*.attn.qkv.weight', 'split': 'heads'}]),
        (preset('llama', 'tiny', 'tinyllama_1.1b'), 'llama_megatron', [{'match': '*.gate.weight', 'split': 'ffn'}]),
        ({'llama': {**sizes, 'num_kv_heads': kv_heads, 'ffn': draw.choice([500, 768, 1111])}}, 'llama_megatron', []),
        (preset('llama', 'tiny_mixtral'), 'mixtral_expert', []),
        (preset('bert', 'tiny', 'base'), 'bert_megatron', []),
        (preset('t5', 'tiny', 'small', 'base'), 't5_megatron', []),
        (preset('moe', 'tiny', '380m'), 'moe_expert', []),
        (preset('moe', 'tiny', experts=draw.choice([4, 6, 8])), 'moe_expert', []),
        (preset('vgg', 'tiny', '11', '16'), 'vgg_hidden', []),
        (preset('wide_resnet', 'tiny', '50', norm_batch=1), 'wide_resnet_bottleneck', []),
        (preset('u_transformer', 'tiny'), 'u_transformer_megatron', []),
        ({'mlp': {'inputs': draw.choice([784, 1000]), 'width': draw.choice([1024, 5000, 999]), 'depth': draw.choice([4, 9]), 'classes': 10, **more}}, None, []),
        ({'branching': {'width': draw.choice([64, 100, 512]), 'depth': draw.choice([3, 6]), **more}}, None, []),
        ({'hf_config': f'{source}/tests/data/hf/{described[0]}.json', 'sequence': draw.choice([128, 200, 512]), **more, **described[2]}, described[1], []),
        ({'hlo': f'{source}/tests/data/jax/{draw.choice(IMPORTED)}.hlo.txt'}, None, [])])


def tiny_model(draw, source):
    more = dtypes(draw)
    heads = draw.choice([2, 3, 4, 5, 6, 12])
    sequence = draw.choice([6, 8, 10, 12, 15, 16])
    sizes = {'num_layers': draw.choice([1, 2, 3]), 'hidden': heads * draw.choice([4, 6, 8]), 'num_heads': heads, 'vocabulary': draw.choice([24, 30, 48, 101]), 'sequence': sequence, **more}
    kv_heads = draw.choice([count for count in range(1, heads + 1) if heads % count == 0])
    ffn, experts = draw.choice([12, 20, 36, 45]), draw.choice([2, 3, 4, 6])
    return draw.choice([
        {'gpt': {**sizes, 'fused_qkv': draw.random() < 0.4}},
        {'llama': {**sizes, 'num_kv_heads': kv_heads, 'ffn': ffn, 'tied': draw.random() < 0.5}},
        {'llama': {**sizes, 'num_kv_heads': kv_heads, 'ffn': ffn, 'experts': experts, 'group': sequence}},
        {'bert': {'preset': 'tiny', **sizes}},
        {'t5': {'preset': 'tiny', **sizes, 'num_decoder_layers': draw.choice([1, 2]), 'head_dim': 4, 'ffn': ffn, 'target_sequence': draw.choice([5, 8]), 'gated': draw.random() < 0.5}},
        {'moe': {'preset': 'tiny', **sizes, 'num_layers': 2, 'ffn': ffn, 'experts': experts, 'group': sequence}},
        {draw.choice(['vgg', 'u_transformer']): {'preset': 'tiny', **more}},
        {'wide_resnet': {'preset': 'tiny', 'norm_batch': 1, **more}},
        {'mlp': {'inputs': draw.choice([12, 20]), 'width': draw.choice([24, 35, 48]), 'depth': draw.choice([2, 4]), 'classes': 10, **more}},
        {'branching': {'width': draw.choice([12, 30, 64]), 'depth': draw.choice([3, 4, 6]), **more}},
        {'random': {'seed': draw.randrange(100000), 'num_ops': draw.choice([8, 14, 20, 30])}},
        {'hf_config': f'{source}/tests/data/hf/gpt2.json', 'sequence': 12, 'num_layers': 2, 'hidden': 24, 'num_heads': 6, 'vocabulary': 50, **more},
        {'hlo': f'{source}/tests/data/jax/{draw.choice(IMPORTED)}.hlo.txt'}])


def optimizer(draw, dtype):
    kind, options = draw.choice([('adam', {}), ('adam', {}), ('sgd', {'momentum': 0.9}), ('sgd', {})])
    scales = dtype == 'f16' or (dtype == 'bf16' and draw.random() < 0.2)
    return {kind: {**options, 'loss_scale': draw.choice(['dynamic', 1024])} if scales else options}


def schedule(draw):
    name = draw.choice(SCHEDULES)
    options = draw.choice([{}, {'placement': draw.choice(['v', 'interleaved']), 'chunks': 2}]) if name == 'auto' else {}
    return {f'schedule/{name}': options, **draw.choice([{}, {}, {}, {'transfers': 'block'}])}


def batch(draw, is_imported, samples):
    if is_imported:  # it has its samples
        return {'micro_batches': draw.choice([1, 1, 'any'])}
    counts = draw.choice([[1, 2], [1, 2, 4], [2, 4, 8], [1, 3]])
    return {'global': samples, 'micro_batches': draw.choice(['any', [count for count in counts if samples % count == 0] or [1]])}


class Draw:
    """A case: its topology (`text`, `taken`, `num_devices`), what it says beside that (`case`), and who is asked."""

    def __init__(self, seed, source, is_tiny=False):
        draw = random.Random(f'{"tiny" if is_tiny else "wide"} {seed}')
        self.text, self.taken, self.num_devices = workers(draw) if is_tiny else topology(draw, source)
        a_model, expert, pins = (tiny_model(draw, source), None, []) if is_tiny else model(draw, source)
        samples = draw.choice([self.num_devices, 2 * self.num_devices, 6, 8, 10, 12, 24] if is_tiny else [draw.choice([1, 2, 3, 4, 6]) * self.num_devices] * 3 + [draw.choice([5, 7, 9, 10, 15, 18, 30])])
        sizes = next(iter(a_model.values()))
        dtype = (sizes if isinstance(sizes, dict) else a_model).get('dtype', 'f32')
        self.case = {'model': a_model, 'batch': batch(draw, 'hlo' in a_model, samples), 'optimizer': optimizer(draw, dtype), 'schedule': schedule(draw),
                     'resharding': f'resharding/{draw.choice(RESHARDINGS)}'}
        self.memory = draw.choice([None, 0.3, 0.45, 0.6, 0.8, 0.95, 1.1, 1.2])  # of what data parallelism keeps
        self.pinned = {'pin': pins} if pins and draw.random() < 0.3 else {}
        self.budget = {} if is_tiny else draw.choice([{}] * 6 + [{'budget': {'evaluations': draw.choice([1, 3, 10])}}, {'budget': {'cpu_s': draw.choice([1, 4])}}])
        self.expert = expert if self.num_devices % 2 == 0 and self.data_parts() == self.num_devices else None

    def data_parts(self):
        """The most devices that the batch divides over."""
        samples, counts = self.case['batch'].get('global', 2), self.case['batch']['micro_batches']
        least = min(counts) if isinstance(counts, list) else 1
        return max(count for count in range(1, self.num_devices + 1) if self.num_devices % count == 0 and samples % (count * least) == 0)
