import {
  type JoinedEndpoint,
  type JoinRequest,
  type NetworkCapabilities,
  type NetworkDriver,
  NetworkDrivers,
  type NetworkSpec,
  type RestoredEndpoint,
} from '@gantry/core/contracts';
import { type DriverDefinition, defineDriver } from '@gantry/core/driver';
import { forbidden, invalidArgument, notFound } from '@gantry/core/errors';
import { Type } from '@sinclair/typebox';

/** Records networks and endpoints. Calls fail on request and then change nothing, as the contract requires. */
export class FakeNetwork implements NetworkDriver {
  readonly capabilities: NetworkCapabilities;
  readonly networks = new Map<string, NetworkSpec>();
  readonly endpoints = new Map<string, JoinRequest>();
  /** The arguments of the last `restore`. */
  restored: { readonly networks: readonly NetworkSpec[]; readonly endpoints: readonly RestoredEndpoint[] } | undefined;
  /** Calls that reject: the next one of each kind. */
  readonly failures = new Map<'createNetwork' | 'removeNetwork' | 'join' | 'leave' | 'restore', Error>();
  /** Joins that succeed before one fails. */
  joinsLeft = 0;

  constructor(kind: 'bridge' | 'host' | 'none' = 'bridge') {
    const bridge = kind === 'bridge';
    this.capabilities = {
      scope: 'local',
      userDefined: bridge,
      addresses: bridge,
      publish: bridge,
      hostStack: kind === 'host',
    };
  }

  validate({ options }: NetworkSpec): void {
    if (options.bad !== undefined) throw invalidArgument(`bad: "${options.bad}" is not understood`);
  }

  async createNetwork(network: NetworkSpec): Promise<void> {
    this.#fail('createNetwork');
    this.networks.set(network.id, network);
  }

  async removeNetwork(networkId: string): Promise<void> {
    this.#fail('removeNetwork');
    if ([...this.endpoints.values()].some((endpoint) => endpoint.networkId === networkId)) {
      throw forbidden('the network has endpoints');
    }
    this.networks.delete(networkId);
  }

  async join(request: JoinRequest, { signal }: { signal?: AbortSignal } = {}): Promise<JoinedEndpoint> {
    signal?.throwIfAborted();
    if (!this.networks.has(request.networkId)) throw notFound(`no network ${request.networkId}`);
    if (this.joinsLeft > 0) this.joinsLeft -= 1;
    else this.#fail('join');
    this.endpoints.set(request.endpointId, request);
    const ports = request.ports.map(({ protocol, containerPort, hostPort }) => ({
      protocol,
      containerPort,
      hostIp: '0.0.0.0',
      hostPort,
    }));
    return { macAddress: '02:42:00:00:00:01', gateway: '10.0.0.1', ports };
  }

  async leave(_networkId: string, endpointId: string): Promise<void> {
    this.#fail('leave');
    this.endpoints.delete(endpointId);
  }

  async restore(networks: readonly NetworkSpec[], endpoints: readonly RestoredEndpoint[]): Promise<void> {
    this.#fail('restore');
    this.restored = { networks, endpoints };
    this.networks.clear();
    for (const network of networks) this.networks.set(network.id, network);
    this.endpoints.clear();
    for (const { request } of endpoints) this.endpoints.set(request.endpointId, request);
  }

  #fail(call: Parameters<FakeNetwork['failures']['get']>[0]): void {
    const failure = this.failures.get(call);
    this.failures.delete(call);
    if (failure !== undefined) throw failure;
  }
}

/** The definition that hands out a given driver, under an id. */
export const fakeNetwork = (id: string, driver: FakeNetwork): DriverDefinition<FakeNetwork> =>
  defineDriver({ id, provides: NetworkDrivers as never, configSchema: Type.Object({}), create: () => driver });
