import { askSocket } from '../ask-socket.js';

/** Milliseconds for an answer: a manager without a leader may give none; to make and to join a swarm take longer. */
const timeout = 5_000;
const membershipTimeout = 120_000;

interface TaskWire {
  readonly NodeID: string;
  readonly DesiredState: string;
  readonly Status: { readonly State: string };
}

interface NodeWire {
  readonly ID: string;
  readonly Status: { readonly State: string };
}

/** The calls that several nodes are measured by, on the socket of one of them. */
export class NodeClient {
  constructor(
    private readonly socket: string,
    /** Where the other nodes reach it. */
    private readonly address: string,
  ) {}

  async makeSwarm(): Promise<void> {
    await this.#ask('POST', '/swarm/init', { ListenAddr: '0.0.0.0:2377', AdvertiseAddr: this.address });
  }

  async join(manager: NodeClient, role: 'Manager' | 'Worker'): Promise<void> {
    const { JoinTokens } = (await manager.#ask('GET', '/swarm')) as { JoinTokens: Readonly<Record<string, string>> };
    await this.#ask('POST', '/swarm/join', {
      ListenAddr: '0.0.0.0:2377',
      AdvertiseAddr: this.address,
      RemoteAddrs: [`${manager.address}:2377`],
      JoinToken: JoinTokens[role],
    });
  }

  async nodeId(): Promise<string> {
    return ((await this.#ask('GET', '/info')) as { Swarm: { NodeID: string } }).Swarm.NodeID;
  }

  /** The ids of the nodes that are shown as ready. */
  async readyNodes(): Promise<readonly string[]> {
    const nodes = (await this.#ask('GET', '/nodes')) as readonly NodeWire[];
    return nodes.filter(({ Status }) => Status.State === 'ready').map(({ ID }) => ID);
  }

  async create(name: string, replicas: number): Promise<void> {
    await this.#ask('POST', '/services/create', {
      Name: name,
      Mode: { Replicated: { Replicas: replicas } },
      TaskTemplate: {
        ContainerSpec: { Image: 'busybox:latest', Command: ['sleep', '100000'], StopGracePeriod: 1_000_000_000 },
        RestartPolicy: { Condition: 'any', Delay: 0 },
      },
    });
  }

  /** Resolves to true when the change was acknowledged. */
  async relabel(name: string): Promise<boolean> {
    const { Spec, Version } = (await this.#ask('GET', `/services/${name}`)) as {
      readonly Spec: object;
      readonly Version: { readonly Index: number };
    };
    await this.#ask('POST', `/services/${name}/update?version=${Version.Index}`, { ...Spec, Labels: { changed: '1' } });
    return true;
  }

  async runningTasks(): Promise<readonly { readonly node: string }[]> {
    const tasks = (await this.#ask('GET', '/tasks')) as readonly TaskWire[];
    return tasks
      .filter(({ DesiredState, Status }) => DesiredState === 'running' && Status.State === 'running')
      .map(({ NodeID }) => ({ node: NodeID }));
  }

  /** Rejects with what was answered when that is an error. */
  async #ask(method: string, path: string, body?: object): Promise<unknown> {
    const answer = await askSocket({
      socket: this.socket,
      method,
      path: `/v1.40${path}`,
      body,
      timeout: path.startsWith('/swarm/') ? membershipTimeout : timeout,
    });
    if (answer.status >= 400) throw new Error(`${method} ${path}: ${answer.status} ${answer.text}`);
    return answer.text === '' ? undefined : JSON.parse(answer.text);
  }
}
