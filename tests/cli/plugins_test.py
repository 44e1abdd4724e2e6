# SPDX-License-Identifier: Apache-2.0
"""Plugins that misbehave fail their own cell and nothing else; new ones are made, built and checked."""
import json
import re
import shlex
import subprocess
import unittest

from bench import BenchTest, FAULTY_PLUGINS, SIMULATED

# plugin, what its cell's record says
FAULTS = {
    'throws': r"plugin 'resharding/throws' threw something that is no exception",
    'throws_error': r"plugin 'resharding/throws_error': the mesh is too round",
    'loops': r"plugin 'resharding/loops' did not end within 2 s",
    'segfaults': r"plugin 'resharding/segfaults' was killed by signal 11",
    'aborts_on_a_thread': r"plugin 'resharding/aborts_on_a_thread' was killed by signal 6",
    'exits': r"plugin 'resharding/exits' exited with code 0 instead of returning",
    'writes_to_stdout': r"resharding/writes_to_stdout.*standard output",
    'misses_elements': r'resharding/misses_elements.*element',
    'speaks_in_lines': r"^plugin 'resharding/speaks_in_lines': the mesh is \[31mtoo round!{1,2000} \.\.\.$",
    'names_a_stranger': r"^plugin 'resharding/names_a_stranger': transfer '.*': op 0 of the transfer plan has a box",
}


class FaultyPlugins(BenchTest):
    def experiment(self, plugins):
        text = SIMULATED + f'  resharding: [{", ".join("resharding/" + name for name in plugins)}]\n'
        self.write('faulty.yaml', text.replace('[schedule/gpipe, schedule/1f1b]', 'schedule/1f1b')
                   + 'planning_deadline_s: 2\n')

    def test_each_fails_its_own_cell_with_one_sentence(self):
        self.experiment(['send_recv', *FAULTS])
        self.expect(5, 'faulty.yaml', '--out', 'run', '--plugin-dir', FAULTY_PLUGINS)
        found = {record['independent']['resharding'].split('/')[1]: record for record in self.records()}
        self.assertEqual(set(found), {'send_recv', *FAULTS})
        self.assertEqual((found['send_recv']['status'], found['send_recv']['message']), ('ok', ''))
        for name, sentence in FAULTS.items():
            with self.subTest(name):
                self.assertEqual(found[name]['status'], 'timeout' if name == 'loops' else 'failed', found[name]['message'])
                self.assertRegex(found[name]['message'], sentence)
                self.assertEqual(found[name]['message'].count('\n'), 0)

    def test_an_answer_that_is_none_is_the_fault_of_its_plugin(self):
        searches = {'none': '', 'values': r'it is for \d+ values; .*', 'twice': 'a device is twice in the mesh of chunk 0',
                    'device': "strategy 'astray' uses device 99, .*", 'meshes': 'a pipeline has one mesh at the least, not -3', 'axis': "axis 'tensor' of a mesh has size 0",
                    'axes': 'the axes of a mesh make more devices than can be counted',
                    'shared': "strategy 'astray' has chunks on meshes 0 0, which the schedule does not order: it places them on 0", 'count': "strategy 'astray' is of 2 micro-batches, which the case does not allow"}
        text = SIMULATED.replace('[schedule/gpipe, schedule/1f1b]', 'schedule/1f1b')
        self.write('astray.yaml', text.replace('search: strategies/stages.yaml', 'search: [' + ', '.join(f'{{search/astray: {{fault: {fault}}}}}' for fault in searches) + ']'))
        self.expect(5, 'astray.yaml', '--out', 'run', '--plugin-dir', FAULTY_PLUGINS)
        for (fault, sentence), record in zip(searches.items(), self.records(), strict=True):
            with self.subTest(fault):
                self.assertEqual(record['status'], 'ok' if fault == 'none' else 'failed', record['message'])
                self.assertRegex(record['message'], f"^plugin 'search/astray': .*{sentence}$" if sentence else '^$')
        alone = SIMULATED[:SIMULATED.index('    model:')] + ('    backend: simulate\n    reshard: {tensor: [8], source: {mesh: [1, 1], spec: [R]}, target: {mesh: [1, 1], spec: [R]}}\n'
                                                             '    resharding: resharding/names_a_stranger\n')
        self.write('alone.yaml', alone)
        self.expect(5, 'alone.yaml', '--out', 'alone', '--plugin-dir', FAULTY_PLUGINS, out="failed: plugin 'resharding/names_a_stranger': op 0 of")

    def test_a_search_does_not_hide_an_answer_that_is_none(self):
        # One stage alone needs neither of them.
        faults = {'schedule: {schedule/boundless: {lacking: 2}}': "plugin 'schedule/boundless': the schedule lacks .*",
                  'resharding: resharding/misses_elements': r'the plan made with resharding/misses_elements and schedule/1f1b is refused: .*element.*',
                  'resharding: resharding/throws': "plugin 'resharding/throws' threw something that is no exception"}
        for fault, sentence in faults.items():
            for search in ('search/grid', 'search/rhino'):
                with self.subTest(fault=fault, search=search):
                    text = SIMULATED[:SIMULATED.index('matrix:')].replace('strategies/stages.yaml', f'{{{search}: {{}}}}') + f'    {fault}\n'
                    self.write('hidden.yaml', text)
                    name = f'{fault.split(":")[0]}_{fault.split("/")[1][:6]}_{search[7:]}'
                    self.expect(5, 'hidden.yaml', '--out', name, '--plugin-dir', FAULTY_PLUGINS)
                    [record] = self.records(name)
                    self.assertEqual(record['status'], 'failed', record['message'])
                    self.assertRegex(record['message'], f'^{sentence}$')
        # What throws an Error has refused that strategy alone.
        self.write('refused.yaml', SIMULATED[:SIMULATED.index('matrix:')].replace('strategies/stages.yaml', 'search/grid') + '    resharding: resharding/throws_error\n')
        self.expect(0, 'refused.yaml', '--out', 'refused', '--plugin-dir', FAULTY_PLUGINS)
        self.assertTrue(any('the mesh is too round' in reason for reason in self.records('refused')[0]['search']['rejected']))

    def test_names_that_a_search_gives_are_one_line_each(self):
        text = SIMULATED.replace('search: strategies/stages.yaml', 'search: {search/astray: {fault: name}}')
        self.write('name.yaml', text.replace('[schedule/gpipe, schedule/1f1b]', 'schedule/1f1b'))
        said = self.expect(0, 'search', 'name.yaml', '--plugin-dir', FAULTY_PLUGINS, out=r'left out: of two \[31mlines!+ \.\.\.').out
        self.assertLess(max(map(len, said.splitlines())), 2200)
        self.expect(0, 'name.yaml', '--out', 'name', '--plugin-dir', FAULTY_PLUGINS)
        [record] = self.records('name')
        self.assertRegex(record['search']['strategy'], r'^of two \[31mlines!{1900,2000} \.\.\.$')

    def test_a_bound_above_what_was_found_is_the_fault_of_its_search(self):
        for bound, sentence in (('1', r'a lower bound of 1\.0+ s is offered, and a strategy of 0\.0\d+ s has been found'), ('-1', r'a lower bound of -1\.0+ s is offered')):
            with self.subTest(bound):
                text = SIMULATED.replace('search: strategies/stages.yaml', f'search: {{search/unpriced: {{prices_another: true, bound_s: {bound}}}}}')
                self.write('bound.yaml', text.replace('[schedule/gpipe, schedule/1f1b]', 'schedule/1f1b'))
                self.expect(5, 'bound.yaml', '--out', f'bound{bound}', '--plugin-dir', FAULTY_PLUGINS)
                self.assertRegex(self.records(f'bound{bound}')[0]['message'], f"^plugin 'search/unpriced': {sentence}$")

    def test_a_formula_says_a_time(self):
        stages = 'pipeline: {stages: 1, micro_batches: 1, forward_s: 1, backward_s: 1, weight_s: 1}'
        options = {'{above: 0.5}': 'ok, step 3', '{above: -1}': 'says -1 s', '{above: 1, below: 0}': 'says inf s', '{below: 0}': 'says -?nan s'}
        for option, sentence in options.items():
            with self.subTest(option):
                self.write('formula.yaml', f'name: formula\ncases: [{{{stages}, schedule: {{schedule/boundless: {option}}}}}]\n')
                self.expect(0 if sentence.startswith('ok') else 5, 'formula.yaml', '--out', option, '--plugin-dir', FAULTY_PLUGINS,
                            out=sentence if sentence.startswith('ok') else f"failed: plugin 'schedule/boundless': its formula of the bubble {sentence}")

    def test_a_plugin_of_another_kind_is_an_error_of_the_file(self):
        for key, id in (('resharding', 'schedule/1f1b'), ('schedule', 'resharding/striped'), ('search', 'schedule/gpipe')):
            with self.subTest(key):
                self.write('kinds.yaml', re.sub(rf' {key}: (\[.*\]|\S+)', f' {key}: {id}', SIMULATED + '  resharding: resharding/send_recv\n'))
                for command in ([], ['check']):
                    self.expect(3, *command, 'kinds.yaml', err=rf"kinds\.yaml:\d+: '{key}': plugin '{id}' is no {key}")

    def test_a_searcher_that_never_ends_hands_in_the_best_it_has(self):
        text = SIMULATED.replace('search: strategies/stages.yaml', 'search: search/endless')
        self.write('endless.yaml', text.replace('[schedule/gpipe, schedule/1f1b]', 'schedule/1f1b') + 'planning_deadline_s: 4\n')
        stopped = r'the search was stopped, to be done within 4 s: the best of \d+ strategies'
        self.expect(0, 'endless.yaml', '--out', 'run', '--plugin-dir', FAULTY_PLUGINS, out=stopped)
        record = self.records()[0]
        self.assertEqual((record['status'], record['search']['strategy']), ('ok', 'one stage'))
        self.assertRegex(record['message'], stopped)

    def test_a_deadline_that_comes_before_the_budget_is_used_is_what_ended_the_search(self):
        text = SIMULATED.replace('search: strategies/stages.yaml', 'search: {search/endless: {sleeps: true}, budget: {cpu_s: 1}}')
        self.write('asleep.yaml', text.replace('[schedule/gpipe, schedule/1f1b]', 'schedule/1f1b') + 'planning_deadline_s: 1.5\n')
        self.expect(0, 'asleep.yaml', '--out', 'run', '--plugin-dir', FAULTY_PLUGINS)
        self.assertRegex(self.records()[0]['message'], r'^the search was stopped, to be done within 1\.5 s: the best of \d+ strategies$')

    def test_a_searcher_that_has_but_estimated_hands_in_what_promised_the_most(self):
        text = SIMULATED.replace('search: strategies/stages.yaml', 'search: {search/endless: {estimates: true}, budget: {cpu_s: 0.5}}').replace('micro_batches: 4', 'micro_batches: [1, 4]')
        self.write('estimates.yaml', text.replace('[schedule/gpipe, schedule/1f1b]', 'schedule/1f1b'))
        ended = 'its budget of 0.5 s of a processor ended the search before it had simulated what it had estimated to be the quickest: this one'
        self.expect(0, 'estimates.yaml', '--out', 'run', '--plugin-dir', FAULTY_PLUGINS, out=ended)
        [record] = self.records()
        # Of the two that it estimates the quicker; what takes no search, on both devices, may be quicker than both.
        self.assertEqual((record['status'], record['search']['strategy'], record['num_micro_batches']), ('ok', 'one stage', 1), record['message'])
        self.assertEqual(record['message'], ended)
        self.assertGreater(record['search']['bound_s'], 0)

    def test_a_searcher_that_looks_at_the_time_and_returns_nothing_hands_in_what_there_is(self):
        for options, strategy, ended in (('tries: true', 'one stage', 'before it had simulated what it had estimated to be the quickest: this one'),
                                         ('tries: true, looks: true', 'one stage', 'before it had simulated what it had estimated to be the quickest: this one'),
                                         ('estimates: true, looks: true', 'one stage', 'before it had simulated what it had estimated to be the quickest: this one'),
                                         ('evaluations: 0, looks: true', 'data parallelism', 'before it had found any strategy: this one takes no search'),
                                         ('looks: true', 'one stage', r'the best of \d+ strategies')):
            text = SIMULATED.replace('search: strategies/stages.yaml', f'search: {{search/endless: {{{options}}}, budget: {{cpu_s: 0.3}}}}').replace('micro_batches: 4', 'micro_batches: [1, 4]')
            self.write('looks.yaml', text.replace('[schedule/gpipe, schedule/1f1b]', 'schedule/1f1b'))
            self.expect(0, 'looks.yaml', '--out', options, '--plugin-dir', FAULTY_PLUGINS)
            [record] = self.records(options)
            self.assertEqual((record['status'], record['search']['strategy']), ('ok', strategy), record['message'])
            self.assertRegex(record['message'], f'{ended}$')

    def test_a_searcher_that_asks_for_nothing_any_more_has_handed_in_what_it_found(self):
        searches = '[{search/endless: {evaluations: 1}}, {search/endless: {evaluations: 0}}]'
        text = SIMULATED.replace('search: strategies/stages.yaml', f'search: {searches}')
        self.write('deaf.yaml', text.replace('[schedule/gpipe, schedule/1f1b]', 'schedule/1f1b') + 'planning_deadline_s: 2\n')
        self.expect(5, 'deaf.yaml', '--out', 'run', '--plugin-dir', FAULTY_PLUGINS)
        held, none = self.records()
        late = "plugin 'search/endless' did not end within 2 s"
        self.assertEqual((held['status'], held['message']), ('ok', late + ': this strategy is the best that it had found by then'))
        self.assertEqual((held['search']['strategy'], held['search']['evaluated']), ('one stage', 1))
        self.assertEqual((none['status'], none['message']), ('timeout', late + ', by when it had found no strategy that fits'))

    def test_the_plan_that_was_handed_in_last_is_that_of_its_strategy(self):
        text = SIMULATED.replace('search: strategies/stages.yaml', 'search: {search/endless: {evaluations: 2}}').replace('micro_batches: 4', 'micro_batches: [1, 4]')
        self.write('two.yaml', text.replace('[schedule/gpipe, schedule/1f1b]', 'schedule/1f1b') + 'planning_deadline_s: 2\n')
        self.expect(0, 'two.yaml', '--out', 'run', '--plugin-dir', FAULTY_PLUGINS)
        [record] = self.records()
        num_micro_batches = json.loads((self.folder / 'run' / record['artifacts']['plan']).read_text())['content'][5]
        self.assertEqual((record['search']['evaluated'], record['num_micro_batches'], num_micro_batches), (2, 1, 1), record['message'])

    def test_the_gap_is_that_of_the_answer_priced_or_not(self):
        searches = {'another is priced': '{search/unpriced: {prices_another: true, bound_s: 1.0e-4}}',
                    'nothing is priced': '{search/unpriced: {bound_s: 1.0e-4}}',
                    'no bound': 'search/unpriced', 'no bound, another is priced': '{search/unpriced: {prices_another: true}}'}
        text = SIMULATED.replace('[schedule/gpipe, schedule/1f1b]', 'schedule/1f1b').replace('micro_batches: 4', 'micro_batches: [1, 8]')
        self.write('unpriced.yaml', text.replace('search: strategies/stages.yaml', f'search: [{", ".join(searches.values())}]'))
        self.expect(0, 'unpriced.yaml', '--out', 'run', '--plugin-dir', FAULTY_PLUGINS)
        told = self.expect(0, 'search', 'unpriced.yaml', '--plugin-dir', FAULTY_PLUGINS).out
        percents = []
        for name, record in zip(searches, self.records(), strict=True):
            with self.subTest(name):
                searched, step_s = record['search'], record['summary']['median_s']
                self.assertEqual((record['status'], searched['strategy'], record['num_micro_batches']), ('ok', 'unpriced', 8), record['message'])
                if name.startswith('no bound'):
                    self.assertEqual({'bound_s', 'gap'} & searched.keys(), set())
                else:
                    self.assertAlmostEqual(searched['gap'], step_s / searched['bound_s'] - 1, delta=1e-6)
                    percents.append(f'{100 * (1 - searched["bound_s"] / step_s):.1f}')
        self.assertEqual(re.findall(r'(?m)^  nothing that was searched takes less than \S+ us: (.*) % below what was found$', told), percents, told)
        # What runs stands in the table beside what was priced.
        self.assertEqual(re.findall(r'(?m)^  (\d)  (\w*), \d micro-batch(?:es)? ', told),
                         [('1', ''), ('2', 'unpriced'), ('1', 'unpriced'), ('1', 'unpriced'), ('1', ''), ('2', 'unpriced')], told)

    def test_one_of_another_abi_is_refused_before_anything_runs(self):
        self.experiment(['send_recv', 'foreign'])
        self.expect(4, 'faulty.yaml', '--out', 'run', '--plugin-dir', FAULTY_PLUGINS,
                    err=r"resharding/foreign' was built against other headers \(its ABI tag is 0123456789abcdef-cxx11-plain, this engine's \w")
        self.assertFalse((self.folder / 'run').exists())
        self.expect(4, 'plugin', 'check', FAULTY_PLUGINS + '/rhino_resharding_foreign.so', err='was built against other headers')

    def test_plugin_check_finds_a_fault_and_names_the_problem(self):
        self.expect(4, 'plugin', 'check', FAULTY_PLUGINS + '/rhino_resharding_misses_elements.so',
                    out=r'fault: problem 0 \(.*never reaches device', err='does not conform')
        unpriced = FAULTY_PLUGINS + '/rhino_search_unpriced.so'
        self.expect(0, 'plugin', 'check', unpriced, '--set', 'bound_s=1e-9', out='conforms on 8 problems')
        self.expect(4, 'plugin', 'check', unpriced, '--set', 'bound_s=1000.0',
                    out=r"fault: a branching program on 1 devices: strategy 'unpriced' takes \S+ s, and no strategy, it says, less than 1e\+03 s")
        self.write('text.so', 'no library')
        self.expect(3, 'plugin', 'check', 'text.so', err='text.so: is no plugin')


class NewPlugins(BenchTest):
    def build(self, name, *flags):
        """Runs the compiler as the generated README says."""
        readme = (self.folder / name / 'README.md').read_text()
        command = shlex.split(re.search(r'^ +(g\+\+ .*)$', readme, re.MULTILINE).group(1))
        done = subprocess.run([*command, '-Wall', '-Wextra', '-Wno-missing-field-initializers', '-Werror', '-O0', *flags],
                              cwd=self.folder / name, text=True, capture_output=True)
        self.assertEqual(done.returncode, 0, done.stderr)

    def test_a_new_plugin_of_each_kind_builds_with_a_plain_compiler_and_conforms(self):
        # Two of them are called like what the api calls something else.
        for kind, name in {'resharding': 'copy', 'schedule': 'schedule', 'search': 'my_search'}.items():
            with self.subTest(kind):
                self.expect(0, 'plugin', 'new', name, '--kind', kind)
                self.assertEqual(sorted(path.name for path in (self.folder / name).iterdir()),
                                 sorted(['README.md', 'meson.build', f'{name}.cpp']))
                self.build(name)
                self.expect(0, 'plugin', 'check', f'{name}/rhino_{kind}_{name}.so', out=f'{kind}/{name} conforms')
                self.expect(0, 'list', '--plugin-dir', name, out=f'{kind}/{name} ')

    def test_one_of_another_flavour_of_the_standard_library_is_refused_as_such(self):
        self.expect(0, 'plugin', 'new', 'old', '--kind', 'schedule')
        self.build('old', '-D_GLIBCXX_USE_CXX11_ABI=0')
        self.expect(4, 'plugin', 'check', 'old/rhino_schedule_old.so', err=r"was built against the standard library in another flavour \(its ABI tag is \w+-old-plain, this engine's \w+-cxx11-plain\); rebuild it")

    def test_a_new_plugin_runs_in_an_experiment(self):
        self.expect(0, 'plugin', 'new', 'mine', '--kind', 'resharding')
        source = (self.folder / 'mine/mine.cpp').read_text()
        self.write('mine/mine.cpp', '#include "common/sender_choice.hpp"\n#include "common/unit_tasks.hpp"\n' + source)
        self.build('mine')
        self.write('mine.yaml', SIMULATED + '  resharding: resharding/mine\n')
        self.expect(3, 'mine.yaml', '--out', 'run', err=r"unknown plugin 'resharding/mine'; "
                    r"mine/rhino_resharding_mine\.so has that name: --plugin-dir mine makes it known")
        self.expect(0, 'mine.yaml', '--plugin-dir', 'mine', '--out', 'run', out='ok')
        self.expect(2, 'mine.yaml', '--plugin-dir', 'mien', err=r'(?s)--plugin-dir: .*mien')

    def test_names_that_cannot_be_are_refused(self):
        self.expect(3, 'plugin', 'new', 'My-Plugin', '--kind', 'search', err='is no name for a plugin')
        self.expect(2, 'plugin', 'new', 'x', '--kind', 'shcedule', err="did you mean 'schedule'")
        self.write('there/file', '')
        self.expect(3, 'plugin', 'new', 'there', '--kind', 'search', err='./there is there already')


if __name__ == '__main__':
    unittest.main()
