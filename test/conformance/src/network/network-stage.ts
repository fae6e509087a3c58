import type {
  JoinedEndpoint,
  JoinRequest,
  NetworkDriver,
  NetworkSpec,
  PortRequest,
  RestoredEndpoint,
  SandboxDriver,
} from '@gantry/core/contracts';
import type { Opened, ReopenOptions } from '../open-driver.js';

let count = 0;
/** Checks run side by side on one host: each thing has a number of its own. */
const next = (): number => ++count;

/** An endpoint that was joined. */
export interface Joined {
  readonly request: JoinRequest;
  readonly joined: JoinedEndpoint;
}

/** What an engine has around a network driver: sandboxes, ids, addresses, and a memory of what it did. */
export class NetworkStage {
  readonly networks = new Map<string, NetworkSpec>();
  readonly endpoints = new Map<string, Joined>();

  constructor(
    private opened: Opened<NetworkDriver>,
    readonly sandboxes: SandboxDriver,
  ) {}

  get driver(): NetworkDriver {
    return this.opened.driver;
  }

  /** From now on `driver` is another one, on the same host. */
  async reopen(options?: ReopenOptions): Promise<void> {
    this.opened = await this.opened.reopen(options);
  }

  /** What the engine says after a restart. */
  restore(endpoints: readonly RestoredEndpoint[] = [...this.endpoints.values()]): Promise<void> {
    return this.driver.restore([...this.networks.values()], endpoints);
  }

  newSpec(wishes: Partial<NetworkSpec> = {}): NetworkSpec {
    const number = next();
    const id = `${process.pid.toString(16).padStart(6, '0')}${number.toString(16).padStart(6, '0')}`;
    const subnet = `10.${214 + (number >> 8)}.${number & 0xff}`;
    const pools = [{ subnet: `${subnet}.0/24`, gateway: `${subnet}.1/24` }];
    const { addresses } = this.driver.capabilities;
    return {
      id: id.padEnd(64, '0'),
      name: `n${number}`,
      options: {},
      internal: false,
      ipv6: false,
      pools: addresses ? pools : [],
      ...wishes,
    };
  }

  async network(wishes: Partial<NetworkSpec> = {}): Promise<NetworkSpec> {
    const spec = this.newSpec(wishes);
    await this.driver.createNetwork(spec);
    this.networks.set(spec.id, spec);
    return spec;
  }

  async removeNetwork({ id }: NetworkSpec): Promise<void> {
    await this.driver.removeNetwork(id);
    this.networks.delete(id);
  }

  /** A request for a sandbox of its own. */
  async newRequest(network: NetworkSpec, wishes: Partial<JoinRequest> = {}): Promise<JoinRequest> {
    const number = next();
    const { hostStack } = this.driver.capabilities;
    const subnet = network.pools[0]?.subnet;
    return {
      networkId: network.id,
      endpointId: `${process.pid.toString(16).padStart(6, '0')}e${number.toString(16)}`.padEnd(64, '1'),
      sandbox: hostStack ? this.sandboxes.host : await this.sandboxes.create(`box${number}`),
      ...(subnet !== undefined && { ipv4: subnet.replace(/0\/24$/, `${2 + (number % 250)}/24`) }),
      interfaceName: 'eth0',
      defaultRoute: true,
      ports: [],
      ...wishes,
    };
  }

  async join(network: NetworkSpec, wishes: Partial<JoinRequest> = {}): Promise<Joined> {
    const request = await this.newRequest(network, wishes);
    const endpoint = { request, joined: await this.driver.join(request) };
    this.endpoints.set(request.endpointId, endpoint);
    return endpoint;
  }

  async leave({ request }: Joined): Promise<void> {
    await this.driver.leave(request.networkId, request.endpointId);
    this.endpoints.delete(request.endpointId);
  }

  /** Takes back what the check has left, which also checks that it can be. */
  async clear(): Promise<void> {
    for (const endpoint of [...this.endpoints.values()]) await this.leave(endpoint);
    for (const network of [...this.networks.values()]) await this.removeNetwork(network);
  }
}

/** Ports are one host's: each check has its own. */
export const freePort = (): number => 21_000 + next();

export const tcpPort = (hostPort: number, wishes: Partial<PortRequest> = {}): PortRequest => ({
  protocol: 'tcp',
  containerPort: 80,
  hostPort,
  ...wishes,
});
