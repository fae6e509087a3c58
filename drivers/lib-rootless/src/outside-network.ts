import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { MissingRequirement } from './missing-requirement.js';
import { findProgram } from './requirements.js';

/** How the engine's network namespace reaches the outside. */
export interface OutsideNetwork {
  readonly program: 'slirp4netns' | 'pasta';
  /** Forwards queries to the host's name servers, which may listen on a loopback address there. */
  readonly nameServer: string;
}

const networks: readonly OutsideNetwork[] = [
  { program: 'slirp4netns', nameServer: '10.0.2.3' },
  { program: 'pasta', nameServer: '169.254.0.1' },
];

/** The one that GANTRY_ROOTLESS_NETWORK names, or the first that is installed. @throws MissingRequirement. */
export function chooseNetwork(path: string, wanted: string | undefined): OutsideNetwork {
  const known = networks.map(({ program }) => program);
  if (wanted !== undefined && !known.some((program) => program === wanted)) {
    throw new MissingRequirement(`GANTRY_ROOTLESS_NETWORK: "${wanted}" is neither ${known.join(' nor ')}`);
  }
  const found = networks.find(
    ({ program }) => (wanted === undefined || program === wanted) && findProgram(program, path) !== undefined,
  );
  if (found !== undefined) return found;
  throw new MissingRequirement(
    `${wanted ?? 'slirp4netns or pasta'} is not installed: as root run "apt-get install ${wanted === 'pasta' ? 'passt' : 'slirp4netns'}"`,
  );
}

interface NetworkRequest {
  readonly network: OutsideNetwork;
  /** The process whose namespaces get the network. */
  readonly pid: number;
  /** When the other end is closed, the network ends. */
  readonly lifeline: number;
  /** The launcher's directory. */
  readonly state: string;
  readonly env: NodeJS.ProcessEnv;
}

/** Connects the namespace. Rejects with what the program printed. */
export async function connectOutside(request: NetworkRequest): Promise<void> {
  const { network, pid, lifeline, env } = request;
  if (network.program === 'pasta') return connectByPasta(request);
  const args = [
    '--configure',
    '--mtu=65520',
    // What listens on a loopback address of the host is not meant for containers.
    '--disable-host-loopback',
    '--enable-sandbox',
    '--enable-seccomp',
    '--ready-fd=3',
    '--exit-fd=4',
    `${pid}`,
    'tap0',
  ];
  const child = spawn(network.program, args, {
    env,
    detached: true,
    cwd: '/',
    stdio: ['ignore', 'ignore', 'pipe', 'pipe', lifeline],
  });
  let complaint = '';
  child.stderr?.on('data', (chunk: Buffer) => {
    complaint += chunk.toString();
  });
  const [, , , ready] = child.stdio;
  const isReady = once(ready as NodeJS.ReadableStream, 'data').then(() => true);
  const failed = once(child, 'exit').then(() => false);
  if (!(await Promise.race([isReady, failed]))) throw new Error(`${network.program}: ${complaint.trim()}`);
  for (const stream of child.stdio) (stream as { destroy?(): void } | null | undefined)?.destroy?.();
  child.unref();
}

/** Ends a program of that id when the lifeline is closed. */
const endWithLifeline = 'cat <&3 > /dev/null; case "$(cat "/proc/$1/comm")" in pasta* | passt*) kill "$1" ;; esac';

/** It goes into the background once the network is configured. Versions before 2024 do not notice that a namespace is gone. */
async function connectByPasta({ network, pid, lifeline, state, env }: NetworkRequest): Promise<void> {
  const pidFile = join(state, 'pasta.pid');
  const noPorts = ['--tcp-ports', 'none', '--udp-ports', 'none', '--tcp-ns', 'none', '--udp-ns', 'none'];
  const args = ['--config-net', '--quiet', '--no-map-gw', ...noPorts, '--dns-forward', network.nameServer];
  const child = spawn('pasta', [...args, '--pid', pidFile, `${pid}`], {
    env,
    cwd: '/',
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let complaint = '';
  child.stderr.on('data', (chunk: Buffer) => {
    complaint += chunk.toString();
  });
  const [code] = (await once(child, 'exit')) as [number | null];
  child.stderr.destroy();
  if (code !== 0) throw new Error(`pasta: ${complaint.trim()}`);
  const own = (await readFile(pidFile, 'utf8')).trim();
  const stdio = ['ignore', 'ignore', 'ignore', lifeline] as const;
  spawn('sh', ['-c', endWithLifeline, 'sh', own], { env, detached: true, cwd: '/', stdio: [...stdio] }).unref();
}
