# SPDX-License-Identifier: Apache-2.0
"""What the pages for readers say: files exist, nouns stand in the files named, plugins are listed, and the walk of a tensor is what
the engine does."""
import re
import unittest

from bench import SOURCE, BenchTest

PAGES = ['README.md', 'core/README.md', 'core/plan/README.md', 'plugins/README.md', 'results/README.md']
LINK = re.compile(r'\]\(([^)#:]+)\)')

# The cell of the walk in core/README.md.
WALK = """\
name: walk
cases:
  - topology: p3_8xlarge_x2
    model: {gpt: {preset: 15m}}
    batch: {global: 8, micro_batches: 4}
    backend: simulate
    search: {strategies/gpt_megatron.yaml: {stage: 2, data: 1, tensor: 2}}
"""


def section(page, title):
    text = (SOURCE / page).read_text()
    return re.split(r'^#+ ', text.split(title, 1)[1], maxsplit=1, flags=re.MULTILINE)[0]


def is_defined(noun, path):
    return re.search(rf'\b(struct|class|using|enum class) {noun}\b', path.read_text()) is not None


class Reading(unittest.TestCase):
    def test_links_lead_somewhere(self):
        for page in PAGES:
            for link in LINK.findall((SOURCE / page).read_text()):
                self.assertTrue((SOURCE / page).parent.joinpath(link).exists(), f'{page}: {link}')

    def test_a_tensor_takes_at_most_eight_nouns(self):
        nouns = re.findall(r'^\| (\d+) \| an? .*?`(\w+)` \| \[.*?\]\((.*?)\) \|', section('core/README.md', '### One tensor'), re.MULTILINE)
        self.assertEqual([int(number) for number, _, _ in nouns], list(range(1, len(nouns) + 1)))
        self.assertGreater(len(nouns), 5)
        self.assertLessEqual(len(nouns), 8)
        for _, noun, link in nouns:
            if noun == 'ShardingSpec':  # a member of every Strategy
                link = 'api/rhino/sharding.hpp'
            self.assertTrue(is_defined(noun, SOURCE / 'core' / link), f'{noun} is not defined in {link}')

    def test_the_nouns_of_plan_stand_in_their_files(self):
        rows = re.findall(r'^\| `(\w+)` \| (\w+\.hpp) \|', section('core/plan/README.md', '## Beside'), re.MULTILINE)
        self.assertGreater(len(rows), 5)
        for noun, file in rows:
            self.assertTrue(is_defined(noun, SOURCE / 'core/plan' / file), f'{noun} is not defined in {file}')

    def test_every_plugin_is_listed(self):
        text = (SOURCE / 'README.md').read_text()
        shipped = text[text.index('Shipped:'):].split('\n\n')[0]
        for path in sorted((SOURCE / 'plugins').glob('*/*.cpp')):
            kind, name = path.parent.name, path.stem
            self.assertTrue(f'`{kind}/{name}`' in shipped or f'`{name}`' in shipped, f'{kind}/{name} is not in README.md')


class Walk(BenchTest):
    def test_the_embedding_table_crosses_as_the_page_says(self):
        self.write('walk.yaml', WALK)
        self.expect(0, 'walk.yaml', '--out', 'run')
        plan, = (self.folder / 'run' / 'plans').glob('*.json')
        text = self.expect(0, 'explain', str(plan)).out
        self.assertRegex(text, r'prologue, role 0 to 1: 1 parts in 2 messages, 12\.00 MiB, 1 times')
        self.assertRegex(text, r'role 0: devices 0-1 ')
        self.assertRegex(text, r'role 1: devices 2-3 ')


if __name__ == '__main__':
    unittest.main()
