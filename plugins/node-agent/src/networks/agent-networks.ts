import {
  type LoadBalancerDriver,
  LoadBalancerDrivers,
  type SandboxDriver,
  SandboxDrivers,
} from '@gantry/core/contracts';
import { type DriverSet, inject, injectable, KeyedMutex, Logger } from '@gantry/core/driver';
import { unavailable } from '@gantry/core/errors';
import {
  EndpointService,
  type SwarmAttachment,
  type SwarmNetwork,
  type SwarmNetworkState,
  type SwarmNode,
} from '@gantry/networks/service';
import type { AgentSession } from '@gantry/services/service';

/** This node's part of the networks of the swarm, as the session with a manager has it. */
@injectable()
export class AgentNetworks implements SwarmNode {
  #session: AgentSession | undefined;
  readonly #states = new Map<string, SwarmNetworkState | undefined>();
  readonly #mutex = new KeyedMutex();

  constructor(
    @inject(LoadBalancerDrivers.token) private readonly balancers: DriverSet<LoadBalancerDriver>,
    @inject(SandboxDrivers.token) private readonly sandboxes: DriverSet<SandboxDriver>,
    @inject(EndpointService.token) private readonly endpoints: Pick<EndpointService, 'endpointsOf'>,
    @inject(Logger) private readonly log: Logger,
  ) {}

  /** From now on networks are as the session has them; undefined: as they were last. */
  follow(session: AgentSession | undefined): void {
    this.#session = session;
    if (session !== undefined) this.#states.clear();
  }

  /** Something in the swarm has changed. */
  invalidate(): void {
    this.#states.clear();
  }

  stateOf(networkId: string): SwarmNetworkState | undefined {
    if (!this.#states.has(networkId)) this.#states.set(networkId, this.#session?.networkState(networkId));
    return this.#states.get(networkId);
  }

  networks(): readonly SwarmNetwork[] {
    return this.#session?.networks() ?? [];
  }

  async attach(request: SwarmAttachment): Promise<string> {
    if (this.#session === undefined) {
      throw unavailable(`network ${request.networkId}: this engine has no connection to its swarm`);
    }
    return this.#session.attach(request);
  }

  async detach(networkId: string, containerId: string): Promise<void> {
    try {
      await this.#session?.detach(networkId, containerId);
    } catch (err) {
      const facts = { event: 'agent.detach-failed', networkId, container: containerId, err };
      this.log.warn(facts, 'failed to release an address; the next session releases it');
    }
  }

  async joined(containerId: string, networkIds: readonly string[]): Promise<void> {
    if (networkIds.some((id) => this.stateOf(id) !== undefined)) await this.balance(containerId);
  }

  /** Sets the virtual addresses that a container can reach. Never rejects: a failure is logged. */
  async balance(containerId: string): Promise<void> {
    await this.#mutex.run(containerId, async () => {
      const networkIds = this.endpoints.endpointsOf(containerId).map(({ networkId }) => networkId);
      const services = networkIds.flatMap((id) => this.stateOf(id)?.services ?? []);
      try {
        const sandbox = await this.sandboxes.get().get(containerId);
        if (sandbox !== undefined) await this.balancers.get().balance(sandbox, services);
      } catch (err) {
        const facts = { event: 'agent.not-balanced', container: containerId, err };
        this.log.error(facts, 'failed to set the virtual addresses of a container');
      }
    });
  }
}
