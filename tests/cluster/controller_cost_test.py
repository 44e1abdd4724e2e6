# SPDX-License-Identifier: Apache-2.0
"""What a run of many hosts costs its controller, by the processor's own count: a worker on each of 8, 16 and 24 hosts."""
import os
import time

from cluster_case import ClusterTest, main

CELL = """\
name: many
cases:
  - topology: {{cluster: {{hosts: {hosts}, devices_per_host: 1}}}}
    collective: {{kind: all_reduce, bytes: 64, group: {group}}}
measure: {{rounds: 1, steps: {steps}}}
"""
HERTZ = os.sysconf('SC_CLK_TCK')


class ControllerCost(ClusterTest):
    num_hosts = 24

    def run_of(self, hosts, steps):
        """Seconds of the controller's process, without its children, and of the clock."""
        run = f'{hosts}_{steps}'
        name = self.write(CELL.format(hosts=hosts, group=list(range(hosts)), steps=steps), f'{run}.yaml')
        processes = self.start(name, '--out', run, ranks=hosts)
        self.wait_for(lambda: len(self.hosts.ids(0, 'rhino-bench')) == 2, 'no controller', 60)
        stat = open(f'/proc/{self.hosts.ids(0, "rhino-bench")[1]}/stat')
        self.addCleanup(stat.close)
        cpu_s, begin = 0, time.monotonic()
        try:
            while processes[0].poll() is None:
                stat.seek(0)
                fields = stat.read().rsplit(')', 1)[1].split()
                cpu_s = max(cpu_s, (int(fields[11]) + int(fields[12])) / HERTZ)
                time.sleep(0.02)
        except ProcessLookupError:
            pass
        taken = time.monotonic() - begin
        self.assertEqual(self.ends(processes, 120), [0] * hosts, self.out(0))
        [record] = self.records(run)
        self.assertEqual((record['status'], record['num_devices']), ('ok', hosts))
        self.assertEqual(len(record['rounds']), 1)
        return cpu_s, taken

    def test_cost_per_worker(self):
        for hosts in (8, 16, 24):
            self.run_of(hosts, 5)  # calibrates
            few, many = 10, 2010
            short, long = self.run_of(hosts, few), self.run_of(hosts, many)
            step_us, share = [1e6 * (long[0] - short[0]) / (many - few), (long[0] - short[0]) / max(long[1] - short[1], 1e-9)]
            print(f'  {hosts} hosts: {short[0]:.2f} s of {short[1]:.1f} s for a cell of {few} steps, {long[0]:.2f} s of {long[1]:.1f} s for {many}: '
                  f'{step_us / hosts:.2f} us per step and worker, {100 * share / hosts:.3f} % of a core per worker')


if __name__ == '__main__':
    main()
