# SPDX-License-Identifier: Apache-2.0
"""The house: an include goes to a lower floor or stays in its folder; the controller links no device and no transport."""
import json
import pathlib
import re
import subprocess
import unittest

from bench import BENCH, SOURCE

# core/README.md, "The house". A file of core/ belongs to the room of its first folder.
FLOORS = {
    'rhino': 1,
    'codec': 2, 'ir': 2, 'plugin': 2,
    'topology': 3, 'models': 3, 'sharding': 3,
    'launch': 4, 'lower': 4,
    'cost': 5, 'plan': 5,
    'simulate': 6, 'runtime': 6,
    'evaluate': 7, 'check': 7, 'config': 7, 'store': 7,
    'planning': 8, 'calibrate': 8, 'report': 8, 'conformance': 8,
    'measure': 9,
    'commands': 10, 'main.cpp': 11,
}
NAMESPACE = re.compile(r'^namespace (rhino[\w:]*) \{\n(.*)', re.MULTILINE)
FORWARD = re.compile(r'(class|struct) \w+;$')  # a room names another's class without its header
TYPE = re.compile(r'(?:struct|class|enum class|enum) (\w+)(?: final)?(?: : [^;{]*)? *\{')
INCLUDE = re.compile(r'^\s*#\s*include\s*"([^"]+)"', re.MULTILINE)


def sources(folder):
    return sorted(path for suffix in ('*.hpp', '*.cpp', '*.cu') for path in (SOURCE / folder).rglob(suffix))


def includes(path):
    return INCLUDE.findall(path.read_text())


def room(path):
    parts = path.relative_to(SOURCE / 'core').parts
    return 'rhino' if parts[0] == 'api' else parts[0]


def defined_types(path):
    """Full names of the types that a file defines at namespace scope, anonymous namespaces left out (they are the file's own)."""
    opened, depth, names = [], 0, []
    for line in re.sub(r'R"\((.*?)\)"', '""', path.read_text(), flags=re.DOTALL).splitlines():
        code = re.sub(r'"(\\.|[^"\\])*"|\'(\\.|[^\'\\])\'|//.*', '', line)
        space = re.match(r'namespace ?([\w:]*) \{', code)
        if space and depth == len(opened):
            opened.append(space.group(1))
        found = TYPE.match(code)
        if found and depth == len(opened) and '' not in opened:
            names.append('::'.join(opened + [found.group(1)]))
        depth += code.count('{') - code.count('}')
        del opened[depth:]
    return names


class Floors(unittest.TestCase):
    def test_every_room_has_a_floor(self):
        rooms = {room(path) for path in sources('core')}
        self.assertEqual(rooms - set(FLOORS), set())

    def test_includes_go_to_lower_floors_or_stay(self):
        wrong = []
        for path in sources('core'):
            own = room(path)
            for header in includes(path):
                target = pathlib.PurePosixPath(header).parts[0]
                known = target in FLOORS
                if not known or (target != own and FLOORS[target] >= FLOORS[own]):
                    wrong.append(f'{path.relative_to(SOURCE)} includes {header}')
        self.assertEqual(wrong, [])

    def test_every_room_has_a_namespace_of_its_own(self):
        wrong = []
        for path in sources('core') + sources('plugins/common'):
            own = 'common' if 'plugins' in path.relative_to(SOURCE).parts else room(path)
            expected = 'rhino' if own == 'rhino' else f'rhino::{own}'
            body = re.sub(r'R"\((.*?)\)"', '', path.read_text(), flags=re.DOTALL)
            opened = [name for name, rest in NAMESPACE.findall(body) if not FORWARD.match(rest)]
            wrong += [f'{path.relative_to(SOURCE)} opens {name}' for name in opened
                      if name != expected and not name.startswith(expected + '::')]
        self.assertEqual(wrong, [])

    def test_no_type_is_defined_twice(self):
        places = {}
        for path in sources('core') + sources('plugins'):
            for name in defined_types(path):
                places.setdefault(name, []).append(str(path.relative_to(SOURCE)))
        self.assertEqual({name: where for name, where in places.items() if len(where) > 1}, {})

    def test_plugins_include_the_api_and_what_they_share(self):
        wrong = [f'{path.relative_to(SOURCE)} includes {header}' for path in sources('plugins') for header in includes(path)
                 if not header.startswith(('rhino/', 'common/'))]
        self.assertEqual(wrong, [])

    def test_the_api_needs_the_standard_library_alone(self):
        angled = re.compile(r'^\s*#\s*include\s*<([^>]+)>', re.MULTILINE)
        wrong = [f'{path.name} includes {header}' for path in sources('core/api') for header in angled.findall(path.read_text())
                 if '/' in header or '.' in header]
        self.assertEqual(wrong, [])

    def test_only_config_reads_yaml(self):
        users = {room(path) for path in sources('core') if '<yaml-cpp' in path.read_text()}
        self.assertEqual(users, {'config'})

    def test_only_launch_knows_how_hosts_prove_themselves(self):
        users = {room(path) for path in sources('core') if '<sodium' in path.read_text() or '<pmix' in path.read_text()}
        self.assertEqual(users, {'launch'})

    def test_the_controller_links_neither_devices_nor_transports(self):
        linked = subprocess.run(['ldd', BENCH], text=True, capture_output=True, check=True).stdout
        for library in ('libuc[pst]', 'libcuda', 'libnccl', 'libdnnl', 'libgomp', 'libomp', 'libpmix'):
            self.assertNotRegex(linked, library)

    def test_setup_builds_all_that_is_installed(self):
        build = pathlib.Path(BENCH).parent.parent
        targets = json.loads((build / 'meson-info/intro-targets.json').read_text())
        installed = {str(pathlib.Path(target['filename'][0]).relative_to(build)) for target in targets
                     if target['installed'] and target['type'] in ('executable', 'shared module')}
        engine = re.search(r'^build engine: phony (.*)$', (build / 'build.ninja').read_text(), re.MULTILINE)
        self.assertEqual(installed - set(engine[1].split()), set())
        self.assertIn('core/rhino-worker', installed)


if __name__ == '__main__':
    unittest.main()
