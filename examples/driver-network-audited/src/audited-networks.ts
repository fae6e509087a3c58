import type { JoinedEndpoint, JoinRequest, NetworkDriver, NetworkSpec, RestoredEndpoint } from '@gantry/core/contracts';
import type { DriverLifecycle } from '@gantry/core/driver';

type Audit = (event: string, facts: Readonly<Record<string, unknown>>) => void;

/** Forwards every call to another driver and reports joins, leaves and refusals. */
export class AuditedNetworks implements NetworkDriver, DriverLifecycle {
  constructor(
    private readonly inner: NetworkDriver,
    private readonly hooks: DriverLifecycle,
    private readonly audit: Audit,
  ) {}

  get capabilities() {
    return this.inner.capabilities;
  }

  start = async (signal: AbortSignal): Promise<void> => this.hooks.start?.(signal);
  stop = async (signal: AbortSignal): Promise<void> => this.hooks.stop?.(signal);
  validate = (network: NetworkSpec): void => this.inner.validate(network);
  createNetwork = (network: NetworkSpec): Promise<void> => this.inner.createNetwork(network);
  removeNetwork = (id: string): Promise<void> => this.inner.removeNetwork(id);

  async join(request: JoinRequest, options?: { readonly signal?: AbortSignal }): Promise<JoinedEndpoint> {
    const { networkId, endpointId, ipv4 } = request;
    try {
      const joined = await this.inner.join(request, options);
      this.audit('network.joined', { networkId, endpointId, ipv4, macAddress: joined.macAddress, ports: joined.ports });
      return joined;
    } catch (error) {
      this.audit('network.refused', { networkId, endpointId, reason: String(error) });
      throw error;
    }
  }

  async leave(networkId: string, endpointId: string): Promise<void> {
    await this.inner.leave(networkId, endpointId);
    this.audit('network.left', { networkId, endpointId });
  }

  restore = (networks: readonly NetworkSpec[], endpoints: readonly RestoredEndpoint[]): Promise<void> =>
    this.inner.restore(networks, endpoints);
}
