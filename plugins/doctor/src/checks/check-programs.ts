import type { Finding } from '../finding.js';
import type { ProgramFacts } from '../host/host-facts.js';
import { Subject } from './subject.js';

/** Programs of the host that the engine starts, what for, and the Debian package of each. */
const others: readonly (readonly [name: string, meaning: string, debianPackage: string, absence: 'warning' | 'ok'])[] =
  [
    ['ps', 'Lists the processes of a container.', 'procps', 'warning'],
    ['xz', 'Unpacks layers that are compressed with xz.', 'xz-utils', 'warning'],
    ['bzip2', 'Unpacks layers that are compressed with bzip2.', 'bzip2', 'warning'],
    ['zstd', 'Unpacks layers that are compressed with zstd.', 'zstd', 'warning'],
    ['tini-static', 'Process 1 of containers with an init ("docker run --init").', 'tini', 'warning'],
    ['etcd', 'Keeps the records of a swarm; only managers need it.', 'etcd-server', 'ok'],
    ['etcdctl', 'Recovers a swarm of which one manager is left.', 'etcd-client', 'ok'],
  ];

const fixed = new Set(['conmon', ...others.map(([name]) => name)]);

export function checkPrograms(programs: readonly ProgramFacts[]): readonly Finding[] {
  const find = (name: string): ProgramFacts | undefined => programs.find((program) => program.name === name);
  return [
    checkMonitor(find('conmon')),
    checkRuntimes(programs.filter(({ name }) => !fixed.has(name))),
    ...others.map(([name, meaning, debianPackage, absence]) => {
      const subject = new Subject(`programs.${name}`, name, meaning);
      const program = find(name);
      if (program?.path !== undefined) return subject.ok(nameOf(program));
      const remedy = `Run "apt-get install ${debianPackage}".`;
      return absence === 'ok' ? subject.ok('not installed') : subject.warning('not installed', remedy);
    }),
  ];
}

const nameOf = ({ path = '', version }: ProgramFacts): string => (version === undefined ? path : `${path}, ${version}`);

function checkMonitor(program: ProgramFacts | undefined): Finding {
  const subject = new Subject('programs.conmon', 'conmon', 'Holds the input, output and exit code of each container.');
  return program?.path === undefined
    ? subject.problem('not installed', 'Run "apt-get install conmon".')
    : subject.ok(nameOf(program));
}

function checkRuntimes(runtimes: readonly ProgramFacts[]): Finding {
  const subject = new Subject(
    'programs.runtime',
    'OCI runtime',
    'Makes containers from their bundles; one of them is enough.',
  );
  const found = runtimes.filter(({ path }) => path !== undefined);
  if (found.length === 0) {
    const names = runtimes.map(({ name }) => name).join(', ');
    return subject.problem(`none of ${names} is installed`, 'Run "apt-get install crun" or "apt-get install runc".');
  }
  return subject.ok(found.map((program) => `${program.name}: ${nameOf(program)}`).join('; '));
}
