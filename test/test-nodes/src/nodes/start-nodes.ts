import { execFile, spawn } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import type Docker from 'dockerode';
import { type Daemon, type Scope, startDaemon } from '../daemon/daemon.js';
import type { DaemonOptions } from '../daemon/daemon-options.js';
import { loseEverything } from '../daemon/reboot.js';
import { eventually } from '../eventually.js';
import { type Partition, partitionRules } from '../faults/partition.js';
import { slowDown } from '../faults/slow-down.js';

const run = promisify(execFile);
let swarms = 0;

/** An engine on a host of its own, as far as its network and its mounts are concerned. */
export interface SwarmNode {
  readonly daemon: Daemon;
  readonly client: Docker;
  /** Where the other nodes reach it. */
  readonly address: string;
  /** A program that runs another one, given as its arguments, in the network of the node. */
  readonly within: readonly string[];
  /** Runs a program in the network of the node. */
  run(command: string, ...args: readonly string[]): Promise<string>;
  /** Packets of the node are lost until it is healed: all of them, or those that are named. */
  partition(...partitions: readonly Partition[]): Promise<void>;
  heal(): Promise<void>;
  /** Each packet of the node arrives so many milliseconds later, in both directions; 0 ends that. */
  delay(milliseconds: number): Promise<void>;
  /** The host loses its address, and has another one. */
  readdress(address: string): Promise<void>;
  /** The program that keeps the records of the swarm dies, and only that. */
  killStore(): Promise<void>;
  /** The engine and everything that it runs die at once. */
  kill(): Promise<void>;
}

/**
 * Starts engines that reach each other over a bridge: each in network and mount namespaces of its own, the bridge in
 * another. They leave their swarm and are removed when the test ends. Needs root.
 * @param optionsOf those of each engine, by its number from 1.
 */
export async function startNodes(
  t: Scope,
  count: number,
  optionsOf: (number: number) => DaemonOptions = () => ({}),
): Promise<readonly SwarmNode[]> {
  swarms += 1;
  const prefix = `gantry-${process.pid.toString(36)}-${swarms}`;
  const bridge = `${prefix}-bridge`;
  await run('ip', ['netns', 'add', bridge]);
  t.teardown(() => removeNamespace(bridge));
  await run('ip', ['-n', bridge, 'link', 'add', 'br0', 'type', 'bridge']);
  await run('ip', ['-n', bridge, 'link', 'set', 'br0', 'up']);
  const places = Array.from({ length: count }, (_, index) => ({
    namespace: `${prefix}-${index + 1}`,
    bridge,
    number: index + 1,
  }));
  for (const { namespace } of places) {
    await run('ip', ['netns', 'add', namespace]);
    t.teardown(() => removeNamespace(namespace));
  }
  return Promise.all(places.map((place) => startNode(t, place, optionsOf(place.number))));
}

interface Place {
  readonly namespace: string;
  readonly bridge: string;
  readonly number: number;
}

async function startNode(t: Scope, { bridge, namespace, number }: Place, options: DaemonOptions): Promise<SwarmNode> {
  const address = `10.98.0.${number}`;
  const port = `node${number}`;
  for (const command of [
    `-n ${bridge} link add ${port} type veth peer name eth0 netns ${namespace}`,
    `-n ${bridge} link set ${port} master br0 up`,
    `-n ${namespace} address add ${address}/24 dev eth0`,
    `-n ${namespace} link set eth0 up`,
    `-n ${namespace} link set lo up`,
  ]) {
    await run('ip', command.split(' '));
  }
  // Not `ip netns exec`, which hides the control groups.
  const inNamespace = ['nsenter', `--net=/run/netns/${namespace}`];
  // One for all starts of the engine: what it has mounted is there again after a crash.
  const within = [...inNamespace, `--mount=/proc/${await holdMounts(t)}/ns/mnt`];
  const daemon = await startDaemon(t, { ...options, within });
  t.teardown(() => leave(daemon));
  const [enter = '', ...entering] = inNamespace;
  let endDelay = async (): Promise<void> => undefined;
  t.teardown(() => endDelay());
  const nft = (rules: string) => run(enter, [...entering, 'nft', rules]);
  return {
    daemon,
    client: daemon.client,
    address,
    within: inNamespace,
    run: async (...command) => (await run(enter, [...entering, ...command])).stdout,
    partition: async (...partitions) => void (await nft(partitionRules(partitions.length === 0 ? [{}] : partitions))),
    heal: async () => void (await nft(partitionRules([]))),
    async delay(milliseconds) {
      await endDelay();
      endDelay = async () => undefined;
      if (milliseconds === 0) return;
      endDelay = await slowDown({ bridgeNamespace: bridge, nodeNamespace: namespace, port }, milliseconds);
    },
    async readdress(to) {
      const inside = ['-n', namespace, 'address'];
      const present = JSON.parse((await run('ip', ['-j', ...inside, 'show', 'dev', 'eth0'])).stdout) as readonly [
        { readonly addr_info: readonly { readonly family: string; readonly local: string }[] },
      ];
      const own = present[0].addr_info.filter(({ family }) => family === 'inet').map(({ local }) => local);
      for (const old of own) await run('ip', [...inside, 'delete', `${old}/24`, 'dev', 'eth0']);
      await run('ip', [...inside, 'add', `${to}/24`, 'dev', 'eth0']);
    },
    async killStore() {
      const { stdout } = await run('ps', ['--ppid', String(daemon.pid), '-o', 'pid=,comm=']);
      const [, pid] = /^ *(\d+) etcd$/m.exec(stdout) ?? [];
      if (pid === undefined) throw new Error(`${daemon.name} has no etcd`);
      process.kill(Number(pid), 'SIGKILL');
    },
    async kill() {
      await daemon.crash();
      await loseEverything(daemon);
    },
  };
}

/** Keeps a mount namespace until the test ends. Resolves to the process that is in it. */
async function holdMounts(t: Scope): Promise<number> {
  const holder = spawn('unshare', ['--mount', '--propagation', 'private', 'sleep', 'infinity'], { stdio: 'ignore' });
  t.teardown(() => void holder.kill());
  await eventually('the mount namespace', async () => {
    return (await readFile(`/proc/${holder.pid}/comm`, 'utf8')) === 'sleep\n';
  });
  return holder.pid ?? 0;
}

/** Before the engine is removed, or its tasks would be made again. */
async function leave(daemon: Daemon): Promise<void> {
  const leaveNow = () => daemon.client.swarmLeave({ force: true });
  try {
    await leaveNow();
  } catch (error) {
    const { code, statusCode } = error as { code?: string; statusCode?: number };
    if (statusCode === 406) return; // it is part of none
    if (code === undefined) throw error;
    await daemon.restart(); // a test has killed it
    await eventually('the node has left', async () => {
      await leaveNow();
      return true;
    });
  }
}

async function removeNamespace(name: string): Promise<void> {
  await run('ip', ['netns', 'delete', name]);
}
