import { setTimeout as delay } from 'node:timers/promises';
import { askSocket } from '../ask-socket.js';

/** What is measured of a task. */
export interface TaskRow {
  readonly id: string;
  readonly state: string;
  readonly desired: string;
  readonly containerId: string;
  readonly env: readonly string[];
}

interface TaskWire {
  readonly ID: string;
  readonly DesiredState: string;
  readonly Status: { readonly State: string; readonly ContainerStatus?: { readonly ContainerID?: string } };
  readonly Spec: { readonly ContainerSpec: { readonly Env?: readonly string[] } };
}

interface ServiceWire {
  readonly Version: { readonly Index: number };
  readonly Spec: { readonly TaskTemplate: { readonly ContainerSpec: object } };
}

const label = 'com.docker.swarm.service.name=measured';

/** The calls that services are measured by, on a Unix socket. */
export class ServiceClient {
  constructor(private readonly socket: string) {}

  async joinSwarm(): Promise<void> {
    const address = { ListenAddr: '127.0.0.1:2377', AdvertiseAddr: '127.0.0.1:2377' };
    const answer = await this.#ask('GET', '/swarm');
    if (answer.status !== 200) await this.#expect(200, 'POST', '/swarm/init', address);
  }

  async create(name: string, replicas: number): Promise<void> {
    await this.#expect(201, 'POST', '/services/create', {
      Name: name,
      Mode: { Replicated: { Replicas: replicas } },
      TaskTemplate: {
        ContainerSpec: { Image: 'busybox:latest', Command: ['sleep', '100000'], StopGracePeriod: 1_000_000_000 },
        RestartPolicy: { Condition: 'any', Delay: 0 },
      },
      UpdateConfig: { Parallelism: 1, Order: 'stop-first' },
    });
  }

  async update(name: string, change: { readonly replicas?: number; readonly env?: string }): Promise<void> {
    const { Spec: spec, Version: version } = (await this.#expect(200, 'GET', `/services/${name}`)) as ServiceWire;
    const { TaskTemplate: template } = spec;
    const changed = {
      ...spec,
      ...(change.replicas !== undefined && { Mode: { Replicated: { Replicas: change.replicas } } }),
      ...(change.env !== undefined && {
        TaskTemplate: { ...template, ContainerSpec: { ...template.ContainerSpec, Env: [change.env] } },
      }),
    };
    await this.#expect(200, 'POST', `/services/${name}/update?version=${version.Index}`, changed);
  }

  async remove(name: string): Promise<void> {
    await this.#expect(200, 'DELETE', `/services/${name}`);
  }

  async tasks(): Promise<readonly TaskRow[]> {
    const filters = encodeURIComponent(JSON.stringify({ service: ['measured'] }));
    const tasks = (await this.#expect(200, 'GET', `/tasks?filters=${filters}`)) as readonly TaskWire[];
    return tasks.map((task) => ({
      id: task.ID,
      state: task.Status.State,
      desired: task.DesiredState,
      containerId: task.Status.ContainerStatus?.ContainerID ?? '',
      env: task.Spec.ContainerSpec.Env ?? [],
    }));
  }

  async kill(containerId: string): Promise<void> {
    await this.#expect(204, 'POST', `/containers/${containerId}/kill`);
  }

  /** Resolves when so many containers of the service run. */
  async untilContainers(count: number, pause: number): Promise<void> {
    const filters = encodeURIComponent(JSON.stringify({ label: [label] }));
    const list = async () =>
      (await this.#expect(200, 'GET', `/containers/json?filters=${filters}`)) as readonly object[];
    while ((await list()).length !== count) await delay(pause);
  }

  async #expect(status: number, method: string, path: string, body?: object): Promise<unknown> {
    const answer = await this.#ask(method, path, body);
    if (answer.status !== status) throw new Error(`${method} ${path}: ${answer.status} ${answer.text}`);
    return answer.text === '' ? undefined : JSON.parse(answer.text);
  }

  #ask(method: string, path: string, body?: object) {
    return askSocket({ socket: this.socket, method, path: `/v1.41${path}`, body });
  }
}
