# SPDX-License-Identifier: Apache-2.0
"""Each wait, turn, group and barrier of the cuda device is left out once, in a build made for that: some test has to fail, each time.
RHINO_MUTATIONS names those to try, separated by spaces; else all."""
import os
import pathlib
import re
import shutil
import sys

sys.path.insert(0, str(pathlib.Path(os.environ['RHINO_SOURCE']) / 'tests/cli'))
import subprocess
import unittest

import cuda_covering_test as covering
from bench import BENCH

MODULE, DEVICE_TEST, ATTENTION_TEST = pathlib.Path(sys.argv[1]), sys.argv[2], sys.argv[3]
# What is left out: the events between streams, those in front of a communication and behind it alone, those of a graph that a communication waits for, waits of the host, the common order of
# communications, NCCL's groups, the polling of a call in progress; alignment before wide accesses, of what a program is given; that products are rounded before they are added; the stream that cuDNN is told; barriers of kernels; which tile, and which row of it, a lane reads for tensor cores; barriers and waits of copies around tiles of attention's streams;
# that these are shown to products of four warps, and where they lie for them.
IN_CELLS = ['event', 'after', 'done', 'captured', 'turn', 'group', 'progress', 'fmad']
IN_KERNELS = ['host', 'alignment', 'bases', 'fmad', 'stream:cudnn', 'barrier:0', 'barrier:1', 'barrier:2', 'barrier:3', 'barrier:4']
# (Of a stream's lanes the numbers left out declare them.)
IN_ATTENTION = ([f'fragment:{number}' for number in range(7)] + ['fragment:pair'] + [f'stream:lane:{number}' for number in (0, 1, 2, 4, 5, 7, 8)] +
                ['stream:pair'] + [f'stream:barrier:{number}' for number in range(3)] + [f'stream:copies:{number}' for number in range(2)] +
                ['stream:shown', 'group:unit', 'group:panel', 'group:row'])
ROWS = [{'mesh': mesh, 'backend': 'nccl', 'model': 'branching', 'schedule': schedule, 'resharding': resharding, 'graphs': graphs}
        for mesh, schedule, resharding, graphs in [('2 stages', 'zero_bubble', 'send_recv', 'off'), ('2 stages of 2', 'dualpipe', 'broadcast', 'on'),
                                           ('2 replicas', '1f1b', 'send_recv', 'on'), ('4 stages', 'hanayo', 'broadcast', 'off')]]
ORDERS = ['late', 'random 1', 'random 2']


class CudaMutations(covering.CudaCovering):
    @classmethod
    def setUpClass(cls):
        build = pathlib.Path(os.environ['RHINO_BUILD'])
        targets = [pathlib.Path(path).relative_to(build) for path in (MODULE, DEVICE_TEST, ATTENTION_TEST)]
        subprocess.run(['ninja', '-C', build, '--quiet', *targets], check=True)

    def setUp(self):
        super().setUp()
        os.environ.update(FAKE_CUDA_STUCK_S='20', FAKE_NCCL_STUCK_MS='2000')
        self.mutable = self.folder / 'build/core'
        self.mutable.mkdir(parents=True)
        for file in ('rhino-bench', 'rhino-worker'):
            shutil.copy(pathlib.Path(BENCH).parent / file, self.mutable / file)
        shutil.copy(MODULE, self.mutable / 'rhino_runtime_cuda.so')
        (self.folder / 'build/plugins').symlink_to(pathlib.Path(BENCH).parents[1] / 'plugins')

    def tearDown(self):
        for name in ('RHINO_MUTATION', 'FAKE_CUDA_STUCK_S', 'FAKE_NCCL_STUCK_MS', 'FAKE_CUDA_CHECKED'):
            os.environ.pop(name, None)
        super().tearDown()

    def cells_fail(self, mutation, order):
        """The first cell that is not as it should be, in words; none: nothing."""
        self.set_order(order)
        os.environ['RHINO_MUTATION'] = mutation
        run = re.sub(r'\W', '_', f'{mutation}_{order}')
        self.write('mutated.yaml', self.experiment(map(self.case, ROWS)))
        environment = dict(os.environ, XDG_CACHE_HOME=str(self.folder / 'cache'))
        subprocess.run([self.mutable / 'rhino-bench', 'mutated.yaml', '--out', run], cwd=self.folder, env=environment, capture_output=True, timeout=1800)
        records = self.records(run)
        self.assertEqual(len(records), len(ROWS))
        wrong = [record for record in records if record['status'] != 'ok']
        return f"{wrong[0]['status']}: {wrong[0]['message']}" if wrong else ''

    def kernels_fail(self, mutation, test=DEVICE_TEST):
        environment = dict(os.environ, RHINO_MUTATION=mutation, FAKE_CUDA_CHECKED='1')
        result = subprocess.run([test], env=environment, text=True, capture_output=True, timeout=1800)
        told = re.search(r'fake[ _]\w*: .*', result.stderr + result.stdout)
        return '' if result.returncode == 0 else told.group(0) if told else f'exit code {result.returncode}'

    def test_cells_pass_where_nothing_is_left_out(self):
        self.assertEqual(self.cells_fail('', 'late'), '')
        self.assertEqual(self.kernels_fail(''), '')
        self.assertEqual(self.kernels_fail('', ATTENTION_TEST), '')

    def test_each_mutation_is_found(self):
        missed = []
        chosen = os.environ.get('RHINO_MUTATIONS', '').split() or IN_CELLS + IN_KERNELS + IN_ATTENTION
        self.assertEqual(set(chosen) - set(IN_CELLS + IN_KERNELS + IN_ATTENTION), set())
        for mutation in filter(chosen.__contains__, IN_CELLS):
            found = next(filter(None, (self.cells_fail(mutation, order) for order in ORDERS)), '')
            print(f'{mutation}: {found or "MISSED"}', flush=True)
            missed += [] if found else [mutation]
        for mutation in filter(chosen.__contains__, IN_KERNELS + IN_ATTENTION):
            found = self.kernels_fail(mutation, ATTENTION_TEST if mutation in IN_ATTENTION else DEVICE_TEST)
            print(f'{mutation}: {found or "MISSED"}', flush=True)
            missed += [] if found else [mutation]
        self.assertEqual(missed, [])

    def test_the_first_run_finds_what_is_wrong_with_attention(self):
        # Heads are 64 and 128 deep: what is left out here is of products of four warps alone, and every other line is well.
        for mutation, code in (('', 0), ('group:row', 7)):
            environment = dict(os.environ, RHINO_MUTATION=mutation, FAKE_CUDA_CHECKED='1', FAKE_CUDA_DEVICES='1', XDG_CACHE_HOME=str(self.folder / 'cache'))
            result = subprocess.run([self.mutable / 'rhino-bench', 'doctor', '--gpu'], cwd=self.folder, env=environment, text=True, capture_output=True, timeout=1800)
            self.assertEqual(result.returncode, code, result.stdout)
            bad = re.findall('^(?:wrong|fail) +(.*?)  ', result.stdout, re.M)
            self.assertEqual(set(bad), {'attention of bf16', 'attention of f16'} if mutation else set(), result.stdout)
            self.assertRegex(result.stdout, 'attention of bf16 +%d of 4 equal' % (0 if mutation else 4))


def load_tests(loader, tests, pattern):
    suite = unittest.TestSuite()
    for name in ('test_cells_pass_where_nothing_is_left_out', 'test_the_first_run_finds_what_is_wrong_with_attention', 'test_each_mutation_is_found'):
        suite.addTest(CudaMutations(name))
    return suite


if __name__ == '__main__':
    unittest.main(argv=[sys.argv[0]])
