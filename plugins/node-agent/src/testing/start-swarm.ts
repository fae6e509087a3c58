import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import certificateAuthority from '@gantry/certificate-authority-local';
import cluster from '@gantry/cluster';
import clusterNetworks from '@gantry/cluster-networks';
import { startContainers, type TestContainers } from '@gantry/containers/testing';
import { definePlugin } from '@gantry/core/plugin';
import { ImageExchange } from '@gantry/images/service';
import { clusterStore, loadBalancer, network, sandbox, volume } from '@gantry/memory-drivers';
import services from '@gantry/services';
import { eventually } from '@gantry/test-engine';
import { Type } from '@sinclair/typebox';
import type { ExecutionContext } from 'ava';
import nodeAgent from '../index.js';

type Pull = ImageExchange['pull'];

const registryOf = (pull: Pull) =>
  definePlugin({
    id: 'registry-of-test',
    provides: [ImageExchange],
    configSchema: Type.Object({}),
    setup({ container }) {
      container.registerValue(ImageExchange.token, { pull } as unknown as ImageExchange);
      container.provide(ImageExchange, ImageExchange.token);
    },
  });

const noRegistry: Pull = () => Promise.reject(new Error('there is no registry'));

export interface Task {
  readonly ID: string;
  readonly Slot: number;
  readonly DesiredState: string;
  readonly Status: {
    readonly State: string;
    readonly Err?: string;
    readonly ContainerStatus?: { readonly ContainerID: string };
  };
  readonly Spec: { readonly ContainerSpec: { readonly Env?: readonly string[] } };
}

/** A swarm of one engine in memory. */
export class Swarm {
  constructor(readonly own: TestContainers) {}

  async ask(method: string, path: string, body?: object, headers: Readonly<Record<string, string>> = {}) {
    return this.own.engine.ask(method, path, { headers, ...(body !== undefined && { body }) });
  }

  /** @param changes of the engine's membership, as a crash leaves it. */
  async restart(changes: object = {}): Promise<void> {
    const { engine } = this.own;
    const file = join(engine.directory, 'data/plugins/cluster/member.json');
    const member = JSON.parse(await readFile(file, 'utf8')) as object;
    await engine.restart();
    if (Object.keys(changes).length === 0) return;
    await writeFile(file, JSON.stringify({ ...member, ...changes }));
    await engine.restart();
  }

  async create(spec: object = {}): Promise<string> {
    const answer = await this.ask('POST', '/services/create', {
      Name: 'web',
      TaskTemplate: {
        ContainerSpec: { Image: 'busybox', Command: ['sleep', '300'], StopGracePeriod: 100e6 },
        RestartPolicy: { Delay: 0 },
      },
      ...spec,
    });
    if (answer.status !== 201) throw new Error(answer.text);
    return String(answer.json().ID);
  }

  async tasks(): Promise<readonly Task[]> {
    return (await this.ask('GET', '/tasks')).json<Task[]>();
  }

  async running(count: number): Promise<readonly Task[]> {
    let running: readonly Task[] = [];
    await eventually(`${count} running tasks`, async () => {
      running = (await this.tasks()).filter(
        (task) => task.Status.State === 'running' && task.DesiredState === 'running',
      );
      return running.length === count;
    });
    return running;
  }

  async containers(): Promise<readonly { readonly Id: string; readonly Labels: Readonly<Record<string, string>> }[]> {
    return (await this.ask('GET', '/containers/json?all=1')).json();
  }
}

export const startAgent = (
  t: ExecutionContext,
  pull: Pull = noRegistry,
  balancer: typeof loadBalancer = loadBalancer,
): Promise<TestContainers> =>
  startContainers(t, {
    use: [
      ...[clusterStore, certificateAuthority, network, sandbox, balancer, volume, registryOf(pull)],
      ...[cluster, clusterNetworks, services, nodeAgent],
    ],
  });

let addresses = 0;

/** A loopback address that no other test listens on. */
function newAddress(): string {
  const number = (process.pid * 251 + ++addresses) % 2 ** 22;
  return `127.${128 + (number >> 16)}.${(number >> 8) & 255}.${number & 255}:2377`;
}

interface SwarmOptions {
  readonly pull?: Pull;
  /** Of the swarm. */
  readonly spec?: object;
  readonly balancer?: typeof loadBalancer;
}

export async function startSwarm(
  t: ExecutionContext,
  { balancer, pull, spec = {} }: SwarmOptions = {},
): Promise<Swarm> {
  const own = await startAgent(t, pull, balancer);
  const swarm = new Swarm(own);
  const address = newAddress();
  const answer = await swarm.ask('POST', '/swarm/init', { ListenAddr: address, AdvertiseAddr: address, Spec: spec });
  if (answer.status !== 200) throw new Error(answer.text);
  t.teardown(() => swarm.ask('POST', '/swarm/leave?force=1'));
  return swarm;
}
