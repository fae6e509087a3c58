import type { JoinedEndpoint, JoinRequest, NetworkDriver, NetworkSpec, RestoredEndpoint } from '@gantry/core/contracts';
import type { DriverLifecycle, Logger } from '@gantry/core/driver';

/** Networks of the driver bridge, each call of which goes through here: the place for what is different. */
export class __Name__Networks implements NetworkDriver, DriverLifecycle {
  constructor(
    private readonly inner: NetworkDriver,
    private readonly hooks: DriverLifecycle,
    private readonly log: Logger,
  ) {}

  get capabilities() {
    return this.inner.capabilities;
  }

  async start(signal: AbortSignal): Promise<void> {
    await this.hooks.start?.(signal);
  }

  async stop(signal: AbortSignal): Promise<void> {
    await this.hooks.stop?.(signal);
  }

  validate(network: NetworkSpec): void {
    this.inner.validate(network);
  }

  async createNetwork(network: NetworkSpec): Promise<void> {
    await this.inner.createNetwork(network);
  }

  async removeNetwork(id: string): Promise<void> {
    await this.inner.removeNetwork(id);
  }

  async join(request: JoinRequest, options?: { readonly signal?: AbortSignal }): Promise<JoinedEndpoint> {
    const joined = await this.inner.join(request, options);
    this.log.info({ event: 'network.joined', network: request.networkId, address: request.ipv4 }, 'container joined');
    return joined;
  }

  async leave(networkId: string, endpointId: string): Promise<void> {
    await this.inner.leave(networkId, endpointId);
  }

  async restore(networks: readonly NetworkSpec[], endpoints: readonly RestoredEndpoint[]): Promise<void> {
    await this.inner.restore(networks, endpoints);
  }
}
