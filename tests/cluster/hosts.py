# SPDX-License-Identifier: Apache-2.0
"""Hosts on this machine that share nothing by accident: each has its own network, IPC, mount, PID and host name, and 1 Gbit/s to the others.

    with Hosts(3) as hosts:
        processes = hosts.launch([bench, 'x.yaml'])           # a rank on each, by variables as torchrun sets them
        process = hosts.mpirun([bench, 'x.yaml'], ranks=6)    # Open MPI, whose daemons enter the hosts

or by hand: python3 hosts.py 3 [mpirun] COMMAND...
It takes root, util-linux and iproute2. Everything goes with the process that made it, also after SIGKILL.
"""
import contextlib
import ctypes
import os
import pathlib
import secrets
import shutil
import signal
import subprocess
import sys
import tempfile
import time

PDEATHSIG = 1
# As core/topology/emulated_hosts.cpp has it.
BUCKET = 'tbf rate 1000000000bit burst 131072b latency 50ms'
TCP = 'cd /proc/sys/net/ipv4; echo 0 > tcp_slow_start_after_idle; echo cubic > tcp_congestion_control || echo reno > tcp_congestion_control'
INSIDE = """
{proc}
hostname {name}
mount -t sysfs sysfs /sys
mount -t tmpfs tmpfs /dev/shm
mount --bind {folder}/hosts /etc/hosts
echo ready
exec sleep infinity
"""
# mpirun calls it in place of ssh: HOST COMMAND...
AGENT = """#!/bin/sh
host=$1
shift
exec nsenter -t $(cat {folder}/$host) -n -i -u -m -p -- sh -c "$*"
"""


def why_not():
    """Why this machine cannot have such hosts; empty: it can."""
    if os.geteuid() != 0:
        return 'it takes root'
    missing = [name for name in ('unshare', 'nsenter', 'ip', 'tc') if not shutil.which(name, path=os.environ['PATH'] + ':/usr/sbin:/sbin')]
    if missing:
        return f'{missing[0]} is not installed'
    made = subprocess.run(['unshare', '--net', '--ipc', '--uts', '--mount', '--pid', '--fork', 'true'], capture_output=True, text=True)
    return made.stderr.strip()


def end_with_parent():
    ctypes.CDLL(None).prctl(PDEATHSIG, signal.SIGKILL)


def children_of(pid):
    return [int(child) for child in pathlib.Path(f'/proc/{pid}/task/{pid}/children').read_text().split()]


class Hosts:
    def __init__(self, count, ahead=None):
        """`ahead`: seconds by host (from 0) that its monotonic clock is ahead of this machine's."""
        self.count, self.ahead = count, ahead or {}
        self.stack = contextlib.ExitStack()

    def __enter__(self):
        with self.stack as stack:
            self.folder = pathlib.Path(stack.enter_context(tempfile.TemporaryDirectory(prefix='rhino_hosts_')))
            lines = ['127.0.0.1 localhost'] + [f'10.78.0.{host + 1} {self.name(host)}' for host in range(self.count + 1)]
            (self.folder / 'hosts').write_text('\n'.join(lines) + '\n')
            agent = self.folder / 'agent'
            agent.write_text(AGENT.format(folder=self.folder))
            agent.chmod(0o755)
            self.switch = self.hold('echo ready; exec sleep infinity')
            self.ip(self.switch, 'link add switch type bridge forward_delay 0 mcast_snooping 0', 'link set switch addrgenmode none up')
            self.holders = []
            for host in range(self.count + 1):  # the last one is for launchers
                self.add(host)
            self.stack = stack.pop_all()
        return self

    def __exit__(self, *_):
        self.stack.close()

    def name(self, host):
        return f'host{host + 1}' if host < self.count else 'login'

    def hold(self, script, ahead=0, has_pids=True):
        """Namespaces that live as long as this process; their first process, as seen from outside."""
        more = (['--pid'] if has_pids else []) + (['--time', f'--monotonic={ahead}'] if ahead else [])
        holder = subprocess.Popen(['unshare', '--net', '--ipc', '--uts', '--mount', *more, '--fork', '--kill-child', 'sh', '-c', script],
                                  stdout=subprocess.PIPE, text=True, preexec_fn=end_with_parent)

        def end():
            holder.kill()
            holder.wait()
            holder.stdout.close()
        self.stack.callback(end)
        if holder.stdout.readline() != 'ready\n':
            raise RuntimeError('a host does not come up')
        return children_of(holder.pid)[0]

    def add(self, host):
        # Who is in a PID namespace of its own could not enter those of others.
        has_pids = host < self.count
        proc = 'mount -t proc proc /proc' if has_pids else ''
        pid = self.hold(INSIDE.format(name=self.name(host), folder=self.folder, proc=proc), self.ahead.get(host, 0), has_pids)
        self.holders.append(pid)
        (self.folder / self.name(host)).write_text(str(pid))
        self.ip(self.switch, f'link add port{host} type veth peer name eth0 netns {pid}', f'link set port{host} master switch addrgenmode none up')
        self.ip(pid, 'link set lo up', 'link set eth0 addrgenmode none', f'addr add 10.78.0.{host + 1}/24 dev eth0', 'link set eth0 up')
        subprocess.run(self.enter(pid) + ['sh', '-c', TCP], stderr=subprocess.DEVNULL)
        for where, device in ((pid, 'eth0'), (self.switch, f'port{host}')):
            subprocess.run(['nsenter', '-t', str(where), '-n', 'tc', 'qdisc', 'add', 'dev', device, 'root'] + BUCKET.split(), check=True)

    @staticmethod
    def ip(pid, *commands):
        subprocess.run(['nsenter', '-t', str(pid), '-n', 'ip', '-batch', '-'], input='\n'.join(commands) + '\n', text=True, check=True)

    def enter(self, pid, host=None, folder='/'):
        more = (['-T'] if host in self.ahead else []) + (['-p'] if host != self.count else [])
        return ['nsenter', '-t', str(pid), '-n', '-i', '-u', '-m', *more, f'--wd={folder}', '--']

    def popen(self, host, command, cwd=None, **options):
        words = [str(word) for word in command]
        if host != self.count:  # nsenter stops with what it starts, and nobody would let it go on; a shell does not
            words = ['sh', '-c', '"$@"; exit $?', 'sh'] + words
        words = self.enter(self.holders[host], host, cwd or os.getcwd()) + words
        return subprocess.Popen(words, preexec_fn=end_with_parent, **options)

    def launch(self, command, ranks=None, environment=None, **options):
        """`ranks` processes, as many on each host, as torchrun-like launchers set their environment. `stdout`: by rank; `only`: some of them."""
        ranks = ranks or self.count
        token = secrets.token_hex(16)
        processes = []
        for rank in options.get('only', range(ranks)):
            own = os.environ | {'RHINO_TOKEN': token, 'MASTER_ADDR': 'host1', 'MASTER_PORT': '29500', 'WORLD_SIZE': str(ranks), 'RANK': str(rank)} | (environment or {})
            stdout = options.get('stdout')
            processes.append(self.popen(rank * self.count // ranks, command, env=own, stdout=stdout(rank) if stdout else None, stderr=subprocess.STDOUT if stdout else None,
                                        cwd=options.get('cwd')))
        return processes

    def mpirun(self, command, ranks=None, arguments=(), **options):
        """On a host of its own, which runs no rank."""
        ranks = ranks or self.count
        slots = ','.join(f'{self.name(host)}:{-(-ranks // self.count)}' for host in range(self.count))
        words = ['mpirun', '--allow-run-as-root', '--mca', 'plm_rsh_agent', self.folder / 'agent', '--mca', 'oob_tcp_if_include', 'eth0', '--bind-to', 'none',
                 '-np', ranks, '--host', slots, '--map-by', 'slot', *arguments, *command]
        return self.popen(self.count, words, **options)

    def link(self, host, state):
        """Its interface goes `up` or `down`."""
        self.ip(self.holders[host], f'link set eth0 {state}')

    def processes(self, host):
        """Ids, as seen from outside, and names of all that runs on a host."""
        space = os.stat(f'/proc/{self.holders[host]}/ns/pid').st_ino
        found = {}
        for folder in pathlib.Path('/proc').glob('[0-9]*'):
            try:
                if os.stat(folder / 'ns/pid').st_ino == space and int(folder.name) != self.holders[host]:
                    state = (folder / 'stat').read_text().rsplit(')', 1)[1].split()[0]
                    if state != 'Z':
                        found[int(folder.name)] = (folder / 'comm').read_text().strip()
            except OSError:
                pass
        return found

    def ids(self, host, name):
        return sorted(pid for pid, comm in self.processes(host).items() if comm == name)

    def wait_until_empty(self, seconds):
        """What is left on the hosts after so long."""
        end = time.monotonic() + seconds
        while True:
            left = {self.name(host): self.processes(host) for host in range(self.count) if self.processes(host)}
            if not left or time.monotonic() > end:
                return left
            time.sleep(0.1)


def main(words):
    if len(words) < 2 or not words[0].isdigit():
        sys.exit(__doc__)
    with Hosts(int(words[0])) as hosts:
        if words[1] == 'mpirun':
            sys.exit(hosts.mpirun(words[2:]).wait())
        sys.exit(max(process.wait() for process in hosts.launch(words[1:])))


if __name__ == '__main__':
    main(sys.argv[1:])
