import { type Opened, openDriver } from '@gantry/conformance';
import type {
  JoinedEndpoint,
  JoinRequest,
  NetworkDriver,
  NetworkSpec,
  PortRequest,
  Sandbox,
  SandboxDriver,
} from '@gantry/core/contracts';
import netns from '@gantry/sandbox-netns';
import type { ExecutionContext } from 'ava';
import driver from '../index.js';

export interface Container {
  /** The namespace's path. */
  readonly path: string;
  readonly ipv4: string;
  readonly ipv6: string;
  readonly request: JoinRequest;
  readonly joined: JoinedEndpoint;
}

interface NetworkWishes {
  readonly options?: Record<string, string>;
  readonly internal?: boolean;
  /** `fd00:1::/64` */
  readonly subnet6?: string;
}

let count = 0;
/** Tests share the host: each network gets a subnet of its own. */
const next = (): number => ++count;

/** A bridge driver and a sandbox driver with the engine's calls to them. Everything is removed after the test. */
export class Engine {
  readonly #sandboxes = new Map<string, Sandbox>();
  #endpoints = 0;

  private constructor(
    private readonly t: ExecutionContext,
    /** The nftables table. */
    readonly table: string,
    private opened: Opened<NetworkDriver>,
    private readonly netns: Opened<SandboxDriver>,
  ) {}

  static async start(t: ExecutionContext, config: Record<string, unknown> = {}): Promise<Engine> {
    const sandboxes = await openDriver(netns);
    const table = `test_${process.pid}_${next()}`;
    const opened = await openDriver(driver, { config: { table, checkSeconds: 0.2, ...config } });
    t.teardown(async () => {
      await opened.release();
      for (const id of await sandboxes.driver.list()) await sandboxes.driver.remove(id);
      await sandboxes.release();
    });
    return new Engine(t, table, opened, sandboxes);
  }

  /** Another daemon on the same host. */
  async restart(): Promise<Opened<NetworkDriver>> {
    this.opened = await this.opened.reopen();
    return this.opened;
  }

  get driver(): NetworkDriver {
    return this.opened.driver;
  }

  async network(wishes: NetworkWishes = {}): Promise<NetworkSpec> {
    const number = next();
    const { subnet6 } = wishes;
    const spec: NetworkSpec = {
      id: `${process.pid.toString(16).padStart(8, '0')}${number.toString(16).padStart(4, '0')}`.padEnd(64, '0'),
      name: `net${number}`,
      options: wishes.options ?? {},
      internal: wishes.internal ?? false,
      ipv6: subnet6 !== undefined,
      pools: [
        { subnet: `10.100.${number}.0/24`, gateway: `10.100.${number}.1/24` },
        ...(subnet6 === undefined ? [] : [{ subnet: subnet6, gateway: subnet6.replace('::/', '::1/') }]),
      ],
    };
    await this.driver.createNetwork(spec);
    this.t.teardown(() => this.driver.removeNetwork(spec.id).catch(() => undefined));
    return spec;
  }

  /** A request to join, in a new sandbox unless one is named. */
  async request(network: NetworkSpec, wishes: Partial<JoinRequest> = {}, sandboxId?: string): Promise<JoinRequest> {
    const number = ++this.#endpoints + 1;
    const id = sandboxId ?? `box${next()}`;
    const [ipv4, ipv6] = network.pools.map(({ subnet }) => subnet.replace(/(0|::)\/(\d+)$/, `$1/$2`));
    return {
      networkId: network.id,
      endpointId: `${network.id.slice(0, 20)}e${number}`,
      sandbox: await this.#sandbox(id),
      ...(ipv4 !== undefined && { ipv4: ipv4.replace(/0\/(\d+)$/, `${number}/$1`) }),
      ...(ipv6 !== undefined && { ipv6: ipv6.replace('::/', `::${number.toString(16)}/`) }),
      interfaceName: 'eth0',
      defaultRoute: true,
      ports: [],
      ...wishes,
    };
  }

  async container(network: NetworkSpec, wishes: Partial<JoinRequest> = {}, sandboxId?: string): Promise<Container> {
    const request = await this.request(network, wishes, sandboxId);
    const joined = await this.driver.join(request);
    this.t.teardown(() => this.driver.leave(network.id, request.endpointId));
    const bare = (address = ''): string => address.split('/', 1)[0] ?? '';
    return { path: request.sandbox.path, ipv4: bare(request.ipv4), ipv6: bare(request.ipv6), request, joined };
  }

  async #sandbox(id: string): Promise<Sandbox> {
    let sandbox = this.#sandboxes.get(id);
    if (sandbox === undefined) {
      sandbox = await this.netns.driver.create(id);
      this.#sandboxes.set(id, sandbox);
    }
    return sandbox;
  }
}

export const tcp = (containerPort: number, hostPort = 0, hostIp?: string): PortRequest => ({
  protocol: 'tcp',
  containerPort,
  hostPort,
  ...(hostIp !== undefined && { hostIp }),
});

export const udp = (containerPort: number, hostPort = 0, hostIp?: string): PortRequest => ({
  ...tcp(containerPort, hostPort, hostIp),
  protocol: 'udp',
});
