# SPDX-License-Identifier: Apache-2.0
"""Slurm on emulated hosts: its controller on the first one, a node on each, all of its files in a folder of its own.

    with Hosts(2) as hosts, Slurm(hosts) as slurm:
        process = slurm.srun([bench, 'x.yaml'], '-N2', '-n4')
        process = slurm.sbatch('script.sh', '--array=0-3')      # it waits for the jobs

or by hand: python3 slurm.py 2 srun WORDS... (or sbatch; there is no need of --wait)
"""
import contextlib
import os
import secrets
import shutil
import subprocess
import sys
import time

from hosts import Hosts, why_not as why_no_hosts

NODE_CPUS = 8  # whatever the machine has
# Its daemons find each host's own files, munge's socket too, at the same path: a folder of each is mounted there.
CONFIGURATION = """\
ClusterName=emulated
SlurmctldHost=host1
SlurmUser=root
AuthType=auth/munge
AuthInfo=socket={own}/munge.socket
CredType=cred/munge
StateSaveLocation={own}/state
SlurmctldLogFile={own}/slurmctld.log
SlurmctldPidFile={own}/slurmctld.pid
SlurmdLogFile={own}/slurmd.log
SlurmdPidFile={own}/slurmd.pid
SlurmdSpoolDir={own}/spool
TmpFS={own}/tmp
SlurmdParameters=config_overrides
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
MpiDefault=none
ReturnToService=2
SwitchType=switch/none
KillWait=2
UnkillableStepTimeout=10
SchedulerParameters=batch_sched_delay=0,sched_interval=1
NodeName=host[1-{count}] CPUs={cpus} State=UNKNOWN
PartitionName=all Nodes=ALL Default=YES MaxTime=INFINITE State=UP
"""
PROGRAMS = ('munged', 'slurmctld', 'slurmd', 'srun', 'sbatch', 'sinfo')
PATH = os.environ['PATH'] + ':/usr/sbin:/sbin'


def why_not():
    """Why this machine cannot have it; empty: it can."""
    missing = [name for name in PROGRAMS if not shutil.which(name, path=PATH)]
    return f'{missing[0]} is not installed (slurm-wlm, munge)' if missing else why_no_hosts()


class Slurm:
    def __init__(self, hosts):
        self.hosts, self.own, self.file = hosts, hosts.folder / 'slurm', hosts.folder / 'slurm.conf'
        self.login = hosts.count
        self.environment = {name: value for name, value in os.environ.items() if not name.startswith(('SLURM', 'PMI'))}
        self.environment |= {'SLURM_CONF': str(self.file), 'PATH': PATH}
        self.daemons = contextlib.ExitStack()

    def __enter__(self):
        with self.daemons as daemons:
            self.hosts.folder.chmod(0o755)  # munge wants to be found by everybody
            self.own.mkdir()
            self.file.write_text(CONFIGURATION.format(own=self.own, count=self.hosts.count, cpus=NODE_CPUS))
            # A node asks for control groups even where nothing uses them; this plugin does not look for them before.
            (self.hosts.folder / 'cgroup.conf').write_text('CgroupPlugin=cgroup/v1\nCgroupAutomount=no\n')
            key = self.hosts.folder / 'munge.key'
            key.write_bytes(secrets.token_bytes(128))
            key.chmod(0o600)
            for host in range(self.hosts.count + 1):
                folder = self.hosts.folder / f'{self.hosts.name(host)}.slurm'
                for name in ('state', 'spool', 'tmp'):
                    (folder / name).mkdir(parents=True)
                self.hosts.popen(host, ['mount', '--bind', folder, self.own]).wait()
                files = [f'--{name}={self.own}/munge.{ending}' for name, ending in
                         (('socket', 'socket'), ('pid-file', 'pid'), ('log-file', 'log'), ('seed-file', 'seed'))]
                self.begin(host, ['munged', '--foreground', '--num-threads=2', f'--key-file={key}', *files])
            self.begin(0, ['slurmctld', '-D', '-f', self.file])
            for host in range(self.hosts.count):
                self.begin(host, ['slurmd', '-D', '-f', self.file, '-N', self.hosts.name(host)])
            self.wait_until_idle(30)
            self.running = {host: set(self.hosts.processes(host)) for host in range(self.hosts.count)}
            self.daemons = daemons.pop_all()
        return self

    def __exit__(self, *_):
        self.daemons.close()

    def begin(self, host, words):
        daemon = self.hosts.popen(host, words, env=self.environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

        def end():
            daemon.kill()
            daemon.wait()
        self.daemons.callback(end)

    def command(self, words, **options):
        return self.hosts.popen(self.login, words, env={**self.environment, **options.pop('environment', {})}, **options)

    def output(self, words):
        done = self.command(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        return done.communicate(timeout=30)[0]

    def wait_until_idle(self, seconds):
        end = time.monotonic() + seconds
        while (states := self.output(['sinfo', '-h', '-N', '-o', '%T']).split()) != ['idle'] * self.hosts.count:
            if time.monotonic() > end:
                raise RuntimeError(f'nodes of Slurm do not become idle: {states}; logs: {self.logs()}')
            time.sleep(0.2)

    def logs(self):
        files = sorted(self.hosts.folder.glob('host*.slurm/*.log'))
        return '\n'.join(f'{file.parent.name}/{file.name}: {file.read_text()[-600:]}' for file in files)

    def srun(self, command, *words, **options):
        return self.command(['srun', *words, *command], **options)

    def sbatch(self, script, *words, **options):
        return self.command(['sbatch', '--wait', *words, script], **options)

    def wait_until_empty(self, seconds):
        """What is left on the hosts after so long, but its daemons."""
        end = time.monotonic() + seconds
        while True:
            left = {host: found for host, kept in self.running.items()
                    if (found := {pid: name for pid, name in self.hosts.processes(host).items() if pid not in kept})}
            if not left or time.monotonic() > end:
                return left
            time.sleep(0.1)


def main(words):
    if len(words) < 3 or not words[0].isdigit() or words[1] not in ('srun', 'sbatch'):
        sys.exit(__doc__)
    if reason := why_not():
        sys.exit(reason)
    with Hosts(int(words[0])) as hosts, Slurm(hosts) as slurm:
        sys.exit(slurm.command([*words[1:2], *(['--wait'] if words[1] == 'sbatch' else []), *words[2:]]).wait())


if __name__ == '__main__':
    main(sys.argv[1:])
