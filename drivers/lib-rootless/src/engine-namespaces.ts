import { closeSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { socketPair } from '@gantry/lib-linux/sockets';
import { type Delegation, moveInto } from './delegated-cgroup.js';
import { endHolder, enterArguments, type Holder, isAlive, readHolder, startHolder } from './holder.js';
import { chooseNetwork, connectOutside, type OutsideNetwork } from './outside-network.js';
import { runProgram } from './run-program.js';
import { mappingArguments, type OwnUser, rangesOf } from './subordinate-ids.js';

interface NamespacesRequest {
  /** The launcher's directory. */
  readonly state: string;
  readonly user: OwnUser & { readonly gid: number };
  readonly env: NodeJS.ProcessEnv;
  readonly delegation: Delegation;
}

/** The namespaces of an engine: those of an earlier launcher where they still exist, else new ones. */
export async function openNamespaces(request: NamespacesRequest): Promise<Holder> {
  const { state } = request;
  mkdirSync(state, { recursive: true, mode: 0o700 });
  const holder = findNamespaces(state);
  if (holder === undefined) return makeNamespaces(request);
  // From a cgroup outside of theirs no process could be put into a container's.
  if (holder.cgroup !== undefined) moveInto(holder.cgroup, 'launcher', [process.pid]);
  return holder;
}

/** Undefined when there are none. */
export function findNamespaces(state: string): Holder | undefined {
  const known = readHolder(holderFile(state));
  return known !== undefined && isAlive(known) ? known : undefined;
}

/** Ends the namespaces, and forgets them. */
export function removeNamespaces(state: string, holder: Holder): void {
  endHolder(holder);
  if (readHolder(holderFile(state))?.pid === holder.pid) rmSync(state, { recursive: true, force: true });
}

async function makeNamespaces({ state, user, env, delegation }: NamespacesRequest): Promise<Holder> {
  const network = chooseNetwork(env.PATH ?? '', env.GANTRY_ROOTLESS_NETWORK);
  const uids = rangesOf(readText('/etc/subuid'), user, '/etc/subuid');
  const gids = rangesOf(readText('/etc/subgid'), user, '/etc/subgid');
  const cgroup = delegation.kind === 'own' ? delegation.directory : undefined;
  const [held, watched] = socketPair();
  try {
    const holder = await startHolder({ env, cgroup, lifeline: held });
    try {
      await runProgram('newuidmap', [`${holder.pid}`, ...mappingArguments(user.uid, uids)], env);
      await runProgram('newgidmap', [`${holder.pid}`, ...mappingArguments(user.gid, gids)], env);
      if (cgroup !== undefined) moveInto(cgroup, 'launcher', [process.pid, holder.pid]);
      await connectOutside({ network, pid: holder.pid, lifeline: watched, state, env });
      await prepareMounts(holder, { state, network, env });
      rmSync(holderFile(state), { force: true });
      writeFileSync(holderFile(state), JSON.stringify(holder), { flag: 'wx', mode: 0o600 });
      return holder;
    } catch (error) {
      endHolder(holder);
      throw error;
    }
  } finally {
    closeSync(held);
    closeSync(watched);
  }
}

const holderFile = (state: string): string => join(state, 'holder.json');

function readText(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}

interface MountsRequest {
  readonly state: string;
  readonly network: OutsideNetwork;
  readonly env: NodeJS.ProcessEnv;
}

/** What differs from the host's files: the name server, and the cgroups. */
async function prepareMounts(holder: Holder, { state, network, env }: MountsRequest): Promise<void> {
  const resolverFile = join(state, 'resolv.conf');
  const kept = readText('/etc/resolv.conf')
    .split('\n')
    .filter((line) => /^\s*(search|domain|options)\s/.test(line));
  writeFileSync(resolverFile, [`nameserver ${network.nameServer}`, ...kept, ''].join('\n'));
  const cgroups = join(state, 'cgroup');
  if (holder.cgroup !== undefined) mkdirSync(cgroups, { recursive: true });
  const commands = [
    'mount --bind "$1" /etc/resolv.conf',
    // The kernel refuses to mount it where it is mounted already, but not to move it there; and mount(8) has no table here.
    ...(holder.cgroup !== undefined ? ['mount -n -t cgroup2 cgroup2 "$2"', 'mount -n --move "$2" /sys/fs/cgroup'] : []),
  ];
  const script = commands.join(' && ');
  await runProgram('nsenter', [...enterArguments(holder), 'sh', '-c', script, 'sh', resolverFile, cgroups], env);
}
