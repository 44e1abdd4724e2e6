# SPDX-License-Identifier: Apache-2.0
"""What the pages for readers say: files exist, and plugins are listed."""
import re
import unittest

from bench import SOURCE

PAGES = ['README.md', 'core/README.md', 'plugins/README.md', 'results/README.md']
LINK = re.compile(r'\]\(([^)#:]+)\)')


class Reading(unittest.TestCase):
    def test_links_lead_somewhere(self):
        for page in PAGES:
            for link in LINK.findall((SOURCE / page).read_text()):
                self.assertTrue((SOURCE / page).parent.joinpath(link).exists(), f'{page}: {link}')

    def test_every_plugin_is_listed(self):
        text = (SOURCE / 'README.md').read_text()
        shipped = text[text.index('Shipped:'):].split('\n\n')[0]
        for path in sorted((SOURCE / 'plugins').glob('*/*.cpp')):
            kind, name = path.parent.name, path.stem
            self.assertTrue(f'`{kind}/{name}`' in shipped or f'`{name}`' in shipped, f'{kind}/{name} is not in README.md')


if __name__ == '__main__':
    unittest.main()
