# SPDX-License-Identifier: Apache-2.0
"""Words on the command line and mistakes in files: exit code, and one sentence with the place."""
import re
import subprocess
import unittest

from bench import BENCH, BenchTest, SIMULATED, SOURCE, TOPOLOGY


def edited(old, new):
    assert old in SIMULATED, old
    return SIMULATED.replace(old, new)


# Each alias stands for nine of the one before: 9 ** 12 values in some 500 bytes.
BOMB = 'name: x\na0: &a0 [x,x,x,x,x,x,x,x,x]\n' + ''.join(
    f'a{i}: &a{i} [{",".join([f"*a{i - 1}"] * 9)}]\n' for i in range(1, 12))

# name, the experiment, what standard error says; all end with exit code 3.
MISTAKES = [
    ('a typo in a key', edited('schedule: [', 'shcedule: ['),
     r"x\.yaml:9: .*unknown key 'shcedule'; did you mean 'schedule'\?"),
    ('a typo in a key of the whole file', edited('matrix:', 'matrx:'), r"x\.yaml:8: .*unknown key 'matrx'; did you mean 'matrix'"),
    ('a deadline before the beginning', edited('name: toy', 'name: toy\ndeadline_s: -1'),
     r'x\.yaml:2: .*a deadline is no less than 0'),
    ('an unknown plugin', edited('schedule/1f1b', 'schedule/1f2b'),
     r"x\.yaml:9: unknown plugin 'schedule/1f2b'; did you mean 'schedule/1f1b'\?"),
    ('an unknown option of a plugin', edited('strategies/stages.yaml', '{search/grid: {sweps: 1}}'),
     r"x\.yaml:7: .*'search/grid' knows no option 'sweps'; did you mean 'sweeps'\?"),
    ('an option of another type', edited('strategies/stages.yaml', '{search/grid: {sweeps: many}}'),
     r"x\.yaml:7: .*'search/grid'.*sweeps"),
    ('an unknown topology', edited('topology: toy', 'topology: tyo'),
     r"x\.yaml:3: unknown topology 'tyo'; did you mean 'toy'\?"),
    ('an unknown model', edited('{branching:', '{branchin:'), r"x\.yaml:4: branchin: unknown model; did you mean 'branching'\?"),
    ('an unknown option of a model', edited('width: 16', 'widht: 16'), r"x\.yaml:4: .*unknown option 'widht'; did you mean 'width'\?"),
    ('a model that says its name', edited('{branching: {width: 16, depth: 4}}', '{llama: {num_kv_heads: 3}}'),
     r'x\.yaml:4: llama: 4 heads do not divide by 3 heads of key and value\n$'),
    ('a folder as a CSV', edited('[schedule/gpipe, schedule/1f1b]', '{schedule/csv: {file: strategies}}'),
     r"x\.yaml:\d+: plugin 'schedule/csv': strategies is a folder"),
    ('a whole number that is too large', edited('global: 8', 'global: 1e18'), r"x\.yaml:5: 'global': a whole number below 9e15 is wanted here, not '1e18'"),
    ('a glob without quotes', edited('depth: 4}', 'depth: [h?.out]}'), r"x\.yaml:4: unknown token; a word with \?, \* or % stands in quotes"),
    ('an unknown dtype', edited('width: 16', 'width: 16, dtype: f12'), r"x\.yaml:4: branching: unknown dtype 'f12'; did you mean 'f1?[36][62]?'\?"),
    ('f16 without a loss scale', edited('width: 16', 'width: 16, dtype: f16'), r'x\.yaml:4: branching: dtype f16 needs a loss scale.*loss_scale: dynamic'),
    ('a loss scale below 0', edited('batch:', 'optimizer: {adam: {loss_scale: -1}}\n    batch:'),
     r"x\.yaml:5: adam: loss_scale must be 'dynamic' or a number from 2"),
    ('a learning rate below 0', edited('batch:', 'optimizer: {sgd: {learning_rate: -1}}\n    batch:'),
     r"x\.yaml:5: sgd: learning_rate must be a number from 0 up that f32 can hold"),
    ('a word for a loss scale', edited('batch:', 'optimizer: {adam: {loss_scale: dynamc}}\n    batch:'),
     r"x\.yaml:5: adam: loss_scale must be 'dynamic' or a number from 2"),
    ('a growing loss scale of a fixed one', edited('batch:', 'optimizer: {adam: {loss_scale: 8, growth_interval: 9}}\n    batch:'),
     r"x\.yaml:5: adam: unknown option 'growth_interval'"),
    ('parameters of another dtype', edited('width: 16', 'width: 16, dtype: bf16, parameters: f16'),
     r"x\.yaml:4: branching: parameters of a model of bf16 are f32 or bf16, not 'f16'"),
    ('gradients of fewer bits than the model', edited('width: 16', 'width: 16, gradients: bf16'),
     r"x\.yaml:4: branching: gradients of a model of f32 are f32, not 'bf16'"),
    ('a strategy file that is not there', edited('stages.yaml', 'stagse.yaml'),
     r"x\.yaml:7: there is no strategy file 'strategies/stagse\.yaml'"),
    ('a batch that does not divide', edited('micro_batches: 4', 'micro_batches: 3'),
     r'x\.yaml:5: .*global batch of 8 does not divide into 3 micro-batches'),
    ('a batch of nothing', edited('global: 8', 'global: 0'), r'x\.yaml:5: .*global batch must be at least 1'),
    ('torn YAML', edited('model: {', 'model: {{'), r'x\.yaml:\d+: '),
    ('a file that ends too early', 'name: x\ncases:\n  - {topology: toy', r'x\.yaml:\d+: '),
    ('an empty file', '', r'x\.yaml: the file is empty'),
    ('a list where a map should be', '- a\n- b\n', r'x\.yaml:1: .*a map of keys is wanted here'),
    ('a word where a number should be', edited('global: 8', 'global: many'),
     r"x\.yaml:5: .*a (whole )?number is wanted here, not 'many'"),
    ('the same key twice', edited('backend: simulate', 'backend: simulate\n    backend: ucx'), r"x\.yaml:7: key 'backend'"),
    ('no model', edited('    model: {branching: {width: 16, depth: 4}}\n', ''), r'x\.yaml:3: .*no model is given'),
    ('aliases of aliases', BOMB, r'x\.yaml:\d+: more than 100000 values'),
    ('a folder as a topology', edited('topology: toy', 'topology: folder'), r'.*topologies/folder\.yaml: cannot be read: Is a directory'),
    ('a path to no topology', edited('topology: toy', 'topology: tyo.yaml'), r"x\.yaml:3: there is no topology file 'tyo\.yaml'"),
    ('a model of too many layers', edited('depth: 4', 'depth: 1e9'), r'x\.yaml:4: branching: depth is 1000000000, and at most 4096'),
    ('a gpt of too many layers', edited('branching: {width: 16, depth: 4}', 'gpt: {num_layers: 1e9}'),
     r'x\.yaml:4: gpt: num_layers is 1000000000, and at most 4096'),
    ('tensors that are too large', edited('branching: {width: 16, depth: 4}', 'gpt: {hidden: 4e15, num_heads: 1}'),
     r'x\.yaml:4: gpt: its tensors have more than 1e16 elements'),
    ('more cells than anybody runs', edited('[schedule/gpipe, schedule/1f1b]', f'{["schedule/1f1b"] * 70}\n  resharding: {["resharding/signal"] * 70}'),
     r"x\.yaml:\d+: .*too many cells"),
    ('a seed below 0', edited('name: toy', 'name: toy\nseed: -1'), r"x\.yaml:2: 'seed': a seed is no less than 0"),
    ('an unknown backend', edited('simulate', 'simulat'), r"x\.yaml:6: .*unknown word 'simulat'; did you mean 'simulate'\?"),
]


# An option of a searcher, and what its refusal ends with.
SEARCHERS = [
    ('{search/rhino: {level: 7}}', r"'search/rhino': option 'level' is 7; it must be from 2 to 3"),
    ('{search/rhino: {stages: -1}}', r"'search/rhino': option 'stages' is -1; it must be at least 0"),
    ('{search/rhino: {stages: 1e300}}', r"'search/rhino': option 'stages' has the wrong type; it must be an integer"),
    ('{search/rhino: {strided: maybe}}', r"'search/rhino': option 'strided' has the wrong type; it must be true or false"),
    ('{search/rhino: {pipeline: linaer}}', r"'search/rhino': option 'pipeline' is 'linaer'; it must be any or linear"),
    ('{search/rhino: {unequl: true}}', r"'search/rhino' knows no option 'unequl'; did you mean 'unequal'\?"),
    ('{search/rhino: {exact: true}}', r"'search/rhino' knows no option 'exact'; .*"),
    ('{search/grid: {tensor: -2}}', r"'search/grid': option 'tensor' is -2; it must be at least 0"),
    ('{search/grid: {max_results: 0}}', r"'search/grid': option 'max_results' is 0; it must be at least 1"),
    ('{search/exhaustive: {most_axes: 0}}', r"'search/exhaustive': option 'most_axes' is 0; it must be at least 1"),
    ('{search/exhaustive: {evaluations: 1e99}}', r"'search/exhaustive': option 'evaluations' has the wrong type; it must be an integer"),
]


class Mistakes(BenchTest):
    def test_an_option_of_a_searcher_that_makes_no_sense_is_refused_before_anything_runs(self):
        for search, sentence in SEARCHERS:
            with self.subTest(search):
                self.write('x.yaml', edited('strategies/stages.yaml', search))
                for words in (['check'], []):
                    self.expect(3, *words, 'x.yaml', err=rf'^rhino-bench: x\.yaml:7: plugin {sentence}\n$')

    def test_options_that_leave_a_searcher_nothing_are_the_reason(self):
        for search, reason in {'{search/rhino: {stages: 3}}': 'the devices do not divide into 3 stages',
                               '{search/grid: {tensor: 3}}': '4 devices do not divide as stage, data and tensor say'}.items():
            with self.subTest(search):
                self.write('x.yaml', edited('strategies/stages.yaml', search))
                self.expect(5, 'x.yaml', out=f'infeasible: {reason}\n')

    def test_a_mistake_in_an_experiment_is_one_sentence_with_its_place(self):
        (self.folder / 'topologies/folder.yaml').mkdir()
        for name, text, sentence in MISTAKES:
            with self.subTest(name):
                self.write('x.yaml', text)
                self.expect(3, 'x.yaml', '--out', 'run', err='^rhino-bench: ' + sentence)
                self.assertFalse((self.folder / 'run').exists(), 'a refused experiment leaves no run folder')

    def test_a_mistake_in_another_file_names_that_file(self):
        self.write('topologies/toy.yaml', TOPOLOGY.replace('memory_bytes:', 'memory_byte:'))
        self.expect(3, 'toy.yaml', err=r"topologies/toy\.yaml:5: .*unknown key 'memory_byte'; did you mean 'memory_bytes'")
        self.write('topologies/toy.yaml', TOPOLOGY)
        self.write('strategies/stages.yaml', 'name: stages\nmesh: {stage: 0}\n')
        self.expect(3, 'toy.yaml', err=r'strategies/stages\.yaml:2: .*at least one device')

    def test_a_file_that_is_not_there_is_named(self):
        self.expect(3, 'nowhere.yaml', err=r'^rhino-bench: nowhere\.yaml: cannot be read')
        self.expect(3, 'explain', 'nowhere.json', err=r'nowhere\.json: cannot be read')
        self.expect(3, 'plugin', 'check', 'nowhere.so', err=r'nowhere\.so: cannot be opened')


    def test_a_folder_where_a_file_is_wanted_is_named(self):
        (self.folder / 'folder.so').mkdir()
        for words in (['folder.so'], ['check', 'folder.so'], ['explain', 'folder.so']):
            self.expect(3, *words, err=r'folder\.so: cannot be read: Is a directory')
        self.expect(3, 'plugin', 'check', 'folder.so', err=r'folder\.so: is no plugin')
        self.expect(0, 'list', '--plugin-dir', '.', out='schedule/1f1b')

    def test_experiments_are_listed_by_their_questions(self):
        (self.folder / 'experiments').mkdir()
        self.write('experiments/asked.yaml', 'name: asked\nquestion: Why?\ncases: []\n')
        self.write('experiments/torn.yaml', 'name: [')
        for line in (r'\S*/experiments/asked\.yaml +Why\?', r'\S*/experiments/torn\.yaml +\S*torn\.yaml:1: .*',
                     r'\S*/experiments/gpt3\.yaml +Do searched strategies match .*'):
            self.expect(0, 'list', 'experiments', out=f'(?m)^{line}$')

    def test_a_topology_is_found_by_its_path(self):
        self.write('x.yaml', edited('topology: toy', 'topology: topologies/toy.yaml'))
        self.expect(0, 'x.yaml', '--dry-run', out=r'(?m)^branching\(depth=4,width=16\)/toy/stages')


class Words(BenchTest):
    def test_words_that_are_unknown_end_in_a_usage_error(self):
        for arguments in (['toy.yaml', '--deadline', 'inf'], ['toy.yaml', '--seed', '-1'], ['toy.yaml', '--seed', '1e3'],
                          ['toy.yaml', '--seed', '99999999999999999999'], ['toy.yaml', '--benchmark_repetitions=0'],
                          ['toy.yaml', '--benchmark_repetitions=-1'], ['toy.yaml', '--benchmark_repetitions=99999999999'],
                          ['toy.yaml', '--no-such-flag'], ['compare', 'one'], ['plugin', 'new', 'x'], ['plugin', 'grow', 'x'],
                          ['toy.yaml', '--set', 'schedule'], ['toy.yaml', '--deadline', 'nan'], ['list', 'everything'], ['search'],
                          ['toy.yaml', '--benchmark_no_such_flag=1', '--out', 'run'], ['check', 'toy.yaml', 'toy.yaml'],
                          ['search', 'toy.yaml', 'x'], ['explain', 'x', 'y'], ['trace', 'x', 'y'], ['timeline', 'x', 'y'],
                          ['list', 'plugins', 'x'], ['list', 'cells', 'toy.yaml', 'x'], ['list', 'cells'], ['compare', 'a', 'b', 'c'],
                          ['plugin', 'check', 'x.so', 'y.so'], ['doctor', 'x'], ['toy.yaml', '--resume']):
            with self.subTest(' '.join(arguments)):
                self.expect(2, *arguments)
        self.assertFalse((self.folder / 'results').exists())

    def test_an_interface_that_nobody_comes_by_is_said_to_do_nothing(self):
        for command in (['check', 'toy.yaml'], ['toy.yaml', '--out', 'run'], ['list', 'topologies']):
            with self.subTest(command):
                self.expect(0, *command, '--interface', 'lo', err=r'(?s)rhino-bench: --interface lo does nothing: no launcher has started this on several hosts\n.*')
                self.expect(2, *command, '--interface', 'rhino9', err=r"rhino-bench: --interface: this host has no interface 'rhino9' that is up\n")

    def test_standard_output_that_takes_nothing_is_a_failure(self):
        with open('/dev/full', 'w') as full:
            for words in (['list'], ['--version'], ['toy.yaml', '--out', 'run']):
                with self.subTest(words):
                    done = subprocess.run([BENCH, *words], cwd=self.folder, stdout=full, stderr=subprocess.PIPE, text=True, timeout=120)
                    self.assertEqual((done.returncode, done.stderr), (10, 'rhino-bench: standard output cannot be written\n'))
        self.assertEqual(len((self.folder / 'run/records.jsonl').read_text().splitlines()), 2)
        done = subprocess.run(['sh', '-c', f'exec {BENCH} toy.yaml --out closed >&-'], cwd=self.folder, stderr=subprocess.PIPE, text=True, timeout=120)
        self.assertEqual((done.returncode, done.stderr), (10, 'rhino-bench: standard output cannot be written\n'))
        self.assertEqual(len((self.folder / 'closed/records.jsonl').read_text().splitlines()), 2)

    def test_nothing_at_all_prints_the_help(self):
        self.expect(2, err='rhino-bench experiments/gpt3.yaml')

    def test_help_and_version(self):
        help_text = self.expect(0, '--help').out
        for word in ('list', 'check', 'search', 'explain', 'compare', 'trace', 'timeline', 'plugin', 'doctor', '--filter', '--resume'):
            self.assertIn(word, help_text)
        self.expect(0, '--version', out=r'^\d+\.\d+\.\d+\n$')

    def test_a_dry_run_names_the_cells_and_runs_nothing(self):
        result = self.expect(0, 'toy.yaml', '--dry-run')
        self.assertEqual(len(result.out.splitlines()), 2, result)
        self.assertRegex(result.out, r'branching\(depth=4,width=16\)/toy/stages/send_recv/1f1b')
        self.assertFalse((self.folder / 'results').exists())
        self.assertEqual(self.expect(0, 'list', 'cells', 'toy.yaml').out, result.out)
        self.assertEqual(self.expect(0, 'toy.yaml', '--benchmark_list_tests').out, result.out)

    def test_a_filter_picks_cells_by_name(self):
        self.expect(0, 'toy.yaml', '--dry-run', '--filter', 'gpipe$', out=r'^.*gpipe\n$')
        self.expect(0, 'toy.yaml', '--dry-run', '--benchmark_filter=1f1b', out=r'^.*1f1b\n$')
        self.expect(0, 'list', 'cells', 'toy.yaml', '--filter', 'gpipe$', out=r'^.*gpipe\n$')
        for words in (['toy.yaml'], ['check', 'toy.yaml'], ['search', 'toy.yaml'], ['list', 'cells', 'toy.yaml']):
            self.expect(8, *words, '--filter', 'zzz', out='^$', err=r'^rhino-bench: no cell of toy\.yaml matches\n$')
        self.expect(2, 'toy.yaml', '--filter', '(', err=r"--filter: '\(' is no regular expression")

    def test_set_replaces_a_key_of_every_case(self):
        self.expect(0, 'toy.yaml', '--dry-run', '--set', 'schedule=schedule/gpipe', out=r'gpipe\n$')
        self.expect(3, 'toy.yaml', '--dry-run', '--set', 'shcedule=x', err=r"--set: unknown key 'shcedule'; did you mean 'schedule'")
        self.expect(3, 'toy.yaml', '--dry-run', '--set', 'schedule=schedule/gpip',
                    err=r"--set schedule:1: unknown plugin 'schedule/gpip'; did you mean 'schedule/gpipe'")

    def test_lists(self):
        self.expect(0, 'list', out='resharding/send_recv')
        self.expect(0, 'list', 'plugins', out='schedule/1f1b')
        self.expect(0, 'list', 'topologies', out='(?s)local .*toy +made up for tests')
        self.expect(0, 'list', 'strategies', out=r'strategies/stages\.yaml')
        self.expect(0, 'list', 'devices', out=r'^cpu: .*cores')

    def test_check_plans_every_cell_and_runs_nothing(self):
        result = self.expect(0, 'check', 'toy.yaml', out='ok: .*4 micro-batches')
        self.assertEqual(len(result.out.splitlines()), 2, result)
        self.expect(0, 'check', 'topologies/toy.yaml', out='a topology of 2 hosts and 4 devices')
        self.expect(0, 'check', 'strategies/stages.yaml', out='a strategy of 2 stages')
        self.expect(3, 'check', 'nowhere.yaml', err='nowhere.yaml: cannot be read')

    def test_the_experiments_that_are_shipped_are_read(self):
        for experiment in sorted((SOURCE / 'experiments').glob('*.yaml')):
            with self.subTest(experiment.name):
                result = self.expect(0, str(experiment), '--dry-run')
                names = result.out.splitlines()
                self.assertEqual(len(names), len(set(names)), 'cells have names of their own')

    def test_doctor_says_what_the_machine_offers(self):
        result = self.expect(0, 'doctor')
        for what in ('cores', 'memory', 'devices', 'transports', 'plugins', 'launch', '/dev/shm', 'GPUs', 'features'):
            self.assertRegex(result.out, rf'(?m)^(ok|note) +{re.escape(what)} ')

    def test_axes_that_split_nothing_are_said(self):
        self.write('strategies/dp.yaml', 'name: dp\nmesh: {stage: 1, dp: all}\n')
        self.write('strategies/batch.yaml', 'name: batch\nmesh: {stage: 1, dp: all}\nbatch: dp\n')
        self.write('strategies/both.yaml', 'name: both\nmesh: {stage: 1, data: 2, x: 2}\n')
        self.write('axes.yaml', 'name: axes\ncases:\n  - {topology: toy, model: {branching: {width: 16, depth: 4}}, batch: {global: 8}, backend: simulate}\n'
                   'matrix: {search: [strategies/dp.yaml, strategies/batch.yaml, strategies/both.yaml]}\n')
        self.expect(0, 'axes.yaml', '--out', 'axes')
        self.assertEqual([record['message'] for record in self.records('axes')],
                         ["axis 'dp' of 4 splits nothing: all its devices compute the same (`batch: dp` splits the batch over it)", '',
                          "axis 'x' of 2 splits nothing: all its devices compute the same"])


if __name__ == '__main__':
    unittest.main()
