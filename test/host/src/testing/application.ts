import { eventually, type SwarmNode } from '@gantry/test-nodes';
import type Docker from 'dockerode';
import { runIn } from './run-in.js';

const port = 8080;
const replicas = 6;
const labels = { task: 'com.docker.swarm.task.name', service: 'com.docker.swarm.service.name' } as const;

interface Listed {
  readonly Status: { readonly State: string };
  readonly ManagerStatus?: { readonly Leader?: boolean; readonly Reachability: string };
}

interface ListedTask {
  readonly Slot?: number;
  readonly Status: { readonly State: string; readonly Err?: string };
}

/** Services over all nodes: replicas with a published port on a network, and a task on every node that asks them. */
export class Application {
  private constructor(
    private readonly engines: readonly SwarmNode[],
    private readonly managers: readonly SwarmNode[],
  ) {}

  /** Resolves when it works. */
  static async deploy(engines: readonly SwarmNode[], managers: readonly SwarmNode[]): Promise<Application> {
    const [{ client }] = managers as [SwarmNode];
    await client.createNetwork({ Name: 'mesh', Driver: 'overlay', Attachable: true });
    const template = (Command: readonly string[]) => ({
      ContainerSpec: { Image: 'busybox', Command, StopGracePeriod: 100e6 },
      RestartPolicy: { Delay: 0 },
      Networks: [{ Target: 'mesh' }],
    });
    await client.createService({
      Name: 'web',
      TaskTemplate: template([
        'sh',
        '-c',
        'mkdir /www; hostname > /www/index.html; httpd -f -h /www & trap exit TERM; wait',
      ]),
      Mode: { Replicated: { Replicas: replicas } },
      EndpointSpec: { Ports: [{ Protocol: 'tcp', TargetPort: 80, PublishedPort: port }] },
    } as Docker.CreateServiceOptions);
    await client.createService({
      Name: 'probe',
      TaskTemplate: template(['sleep', '100000']),
      Mode: { Global: {} },
    } as Docker.CreateServiceOptions);
    const application = new Application(engines, managers);
    await application.untilSound();
    return application;
  }

  /** Resolves when nothing is wrong with it any more, to the milliseconds that took. Rejects with what is still wrong. */
  async untilSound(): Promise<number> {
    const began = performance.now();
    let faults: readonly string[] = [];
    await eventually('a sound application', async () => {
      // A container that is asked may be removed just then.
      faults = await this.faults().catch((error: Error) => [error.message]);
      return faults.length === 0;
    }).catch((cause: unknown) => {
      throw new Error(`still wrong: ${faults.join('; ')}`, { cause });
    });
    return Math.round(performance.now() - began);
  }

  /** What is wrong now: with nodes, with tasks and their containers, and where these are right with what reaches them. */
  async faults(): Promise<readonly string[]> {
    const found = await Promise.all([...this.managers.map((manager) => nodeFaults(manager)), this.#taskFaults()]);
    if (found.flat().length > 0) return found.flat();
    return (await Promise.all(this.engines.map((engine) => this.#networkFaults(engine)))).flat();
  }

  /** A slot has one container on all nodes, and every node has one task of the service for all of them. */
  async #taskFaults(): Promise<readonly string[]> {
    const perEngine = await Promise.all(this.engines.map(({ client }) => client.listContainers()));
    const faults: string[] = [];
    const slots = new Map<string, number>();
    for (const { Labels } of perEngine.flat()) {
      if (Labels[labels.service] !== 'web') continue;
      const slot = (Labels[labels.task] ?? '').split('.').slice(0, 2).join('.');
      slots.set(slot, (slots.get(slot) ?? 0) + 1);
    }
    if (slots.size !== replicas) faults.push(`${slots.size} slots have containers, of ${await this.#tasks()}`);
    for (const [slot, count] of slots) if (count > 1) faults.push(`${slot} has ${count} containers`);
    for (const [index, containers] of perEngine.entries()) {
      const probes = containers.filter(({ Labels }) => Labels[labels.service] === 'probe').length;
      if (probes !== 1) faults.push(`${this.engines[index]?.address} has ${probes} probes`);
    }
    return faults;
  }

  /** What the swarm shows of its tasks. */
  async #tasks(): Promise<string> {
    const tasks = (await this.managers[0]?.client.listTasks().catch(() => [])) as readonly ListedTask[];
    return tasks.map(({ Slot, Status }) => `${Slot ?? 'global'} ${Status.State} ${Status.Err ?? ''}`).join(', ');
  }

  /** From a node the port answers at every node, and from a container on it the service does by its name. */
  async #networkFaults(engine: SwarmNode): Promise<readonly string[]> {
    const faults: string[] = [];
    for (const { address } of this.engines) {
      const page = await engine
        .run('timeout', '2', 'busybox', 'wget', '-q', '-O', '-', `http://${address}:${port}/`)
        .catch(() => '');
      if (page === '') faults.push(`${engine.address} gets no answer of ${address}:${port}`);
    }
    const probe = await this.#probeOn(engine);
    if (probe === undefined) return [...faults, `${engine.address} has no probe`];
    const { code } = await runIn(
      probe,
      'for i in 1 2 3 4 5 6; do timeout 2 wget -q -O - http://web/ > /dev/null || exit 1; done',
    );
    if (code !== 0) faults.push(`a container on ${engine.address} gets no answer of the service`);
    const { output } = await runIn(probe, 'nslookup tasks.web | grep -c "^Address.*: 10\\."');
    if (Number(output) !== replicas) faults.push(`${engine.address} knows ${output.trim()} addresses of tasks`);
    return faults;
  }

  async #probeOn({ client }: SwarmNode): Promise<Docker.Container | undefined> {
    const [found] = await client.listContainers({ filters: { label: [`${labels.service}=probe`] } });
    return found === undefined ? undefined : client.getContainer(found.Id);
  }
}

/** What a manager shows of the nodes when one is not ready, or not reachable as a manager. */
async function nodeFaults({ address, client }: SwarmNode): Promise<readonly string[]> {
  const nodes = (await client.listNodes().catch(() => undefined)) as unknown as readonly Listed[] | undefined;
  if (nodes === undefined) return [`the manager ${address} does not answer`];
  const isSound = ({ ManagerStatus, Status }: Listed): boolean =>
    Status.State === 'ready' && (ManagerStatus === undefined || ManagerStatus.Reachability === 'reachable');
  const leaders = nodes.filter(({ ManagerStatus }) => ManagerStatus?.Leader === true).length;
  const unsound = nodes.filter((node) => !isSound(node)).length;
  return [
    ...(unsound === 0 ? [] : [`${address} shows ${unsound} nodes that are not ready`]),
    ...(leaders === 1 ? [] : [`${address} shows ${leaders} leaders`]),
  ];
}
