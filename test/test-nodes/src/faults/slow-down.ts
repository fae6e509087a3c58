import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const run = promisify(execFile);
const relay = fileURLToPath(new URL('./delay-frames-main.js', import.meta.url));

/** Where the cable of a node ends: a port of the bridge in the one namespace, `eth0` in the other. */
interface Cable {
  readonly bridgeNamespace: string;
  readonly nodeNamespace: string;
  readonly port: string;
}

/**
 * Delays every frame that the node sends, and every one that is sent to it, by so many milliseconds, in the order in which
 * they came. By the kernel's `netem`, and by a program between bridge and node where the kernel has none.
 * @returns ends it
 */
export async function slowDown(cable: Cable, milliseconds: number): Promise<() => Promise<void>> {
  const ends = [
    { namespace: cable.bridgeNamespace, device: cable.port },
    { namespace: cable.nodeNamespace, device: 'eth0' },
  ];
  const queue = (action: string, end: (typeof ends)[number], ...how: readonly string[]) =>
    run('tc', ['-n', end.namespace, 'qdisc', action, 'dev', end.device, 'root', ...how]);
  try {
    for (const end of ends) await queue('replace', end, 'netem', 'delay', `${milliseconds}ms`);
  } catch (error) {
    if (!/qdisc kind is unknown/.test(String(error))) throw error;
    return relayFrames(cable, milliseconds);
  }
  return async () => {
    for (const end of ends) await queue('delete', end);
  };
}

/** The port leaves the bridge, another takes its place, and a program passes frames on between them. */
async function relayFrames(
  { bridgeNamespace, nodeNamespace, port }: Cable,
  milliseconds: number,
): Promise<() => Promise<void>> {
  const [inside, outside] = [`${port}in`, `${port}out`];
  const ip = (command: string) => run('ip', ['-n', bridgeNamespace, ...command.split(' ')]);
  await ip('link set lo up');
  await ip(`link add ${inside} type veth peer name ${outside}`);
  await ip(`link set ${inside} up`);
  // What reads frames of a device gets them before it would have computed their checksums or cut them into packets.
  await plain(bridgeNamespace, outside);
  await plain(nodeNamespace, 'eth0');
  const program = spawn(
    'nsenter',
    [`--net=/run/netns/${bridgeNamespace}`, process.execPath, relay, port, inside, String(milliseconds)],
    { stdio: ['pipe', 'pipe', 'inherit'] },
  );
  const ended = once(program, 'exit');
  await Promise.race([once(program.stdout, 'data'), ended.then(() => Promise.reject(new Error('the relay ended')))]);
  await ip(`link set ${port} nomaster`);
  await ip(`link set ${outside} master br0 up`);
  return async () => {
    program.stdin.end();
    await ended;
    await ip(`link delete ${inside}`);
    await ip(`link set ${port} master br0`);
  };
}

const plain = (namespace: string, device: string) =>
  run('nsenter', [`--net=/run/netns/${namespace}`, 'ethtool', '-K', device, 'tx', 'off', 'tso', 'off', 'gso', 'off']);
