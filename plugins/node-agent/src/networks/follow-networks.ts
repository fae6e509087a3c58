import { ContainerService } from '@gantry/containers/service';
import { inject, injectable, Lifetime, Logger } from '@gantry/core/driver';
import { EndpointService, SwarmNetworkService } from '@gantry/networks/service';
import { type AgentSession, meshSandbox } from '@gantry/services/service';
import { AgentNetworks } from './agent-networks.js';

/** Keeps peers and virtual addresses of this node's containers as the swarm has them. */
@injectable()
export class FollowNetworks {
  /** Which services each container has, and through which meshes it answers, as text, so that only changes reach the kernel. */
  readonly #balanced = new Map<string, string>();

  #release: (() => void) | undefined;

  constructor(
    @inject(AgentNetworks) private readonly networks: AgentNetworks,
    @inject(SwarmNetworkService.token) private readonly swarm: SwarmNetworkService,
    @inject(EndpointService.token) private readonly endpoints: Pick<EndpointService, 'endpointsOf'>,
    @inject(ContainerService.token) private readonly containers: Pick<ContainerService, 'list'>,
    @inject(Logger) private readonly log: Logger,
    @inject(Lifetime) lifetime: Lifetime,
  ) {
    lifetime.add(() => this.#release?.());
  }

  async begin(session: AgentSession): Promise<void> {
    this.networks.follow(session);
    this.#balanced.clear();
    this.#release ??= this.swarm.addNode(this.networks);
    const ingress = session.traffic.ingress();
    const attached = this.containers
      .list()
      .flatMap(({ id: containerId }) =>
        this.endpoints.endpointsOf(containerId).map(({ networkId }) => ({ networkId, containerId })),
      );
    // The mesh comes back with the address that it had.
    if (ingress !== undefined) attached.push({ networkId: ingress.network.id, containerId: meshSandbox.id });
    try {
      await session.retainAttachments(attached);
    } catch (err) {
      this.log.warn({ event: 'agent.addresses-kept', err }, 'failed to release addresses; the next session does');
    }
  }

  /** Reports that the networks of a revision are in effect here. Never rejects: the next change reports again. */
  async confirm(session: AgentSession, revision: number): Promise<void> {
    try {
      await session.traffic.applied(revision);
    } catch (err) {
      this.log.warn({ event: 'agent.not-confirmed', err }, 'failed to report that networks are in effect');
    }
  }

  /** Gives the containers of this node their virtual addresses, and their networks the peers. */
  async update(): Promise<void> {
    this.networks.invalidate();
    const networkIds = new Set<string>();
    const seen = new Set<string>();
    for (const id of [meshSandbox.id, ...this.containers.list().map((container) => container.id)]) {
      const own = this.endpoints.endpointsOf(id).flatMap(({ networkId }) => {
        const state = this.networks.stateOf(networkId);
        return state === undefined ? [] : [{ networkId, state }];
      });
      if (own.length === 0) continue;
      for (const { networkId } of own) networkIds.add(networkId);
      seen.add(id);
      const services = JSON.stringify([own.map(({ state }) => state.services), this.networks.answersOf(id)]);
      if (this.#balanced.get(id) === services) continue;
      this.#balanced.set(id, services);
      await this.networks.balance(id);
    }
    for (const id of this.#balanced.keys()) if (!seen.has(id)) this.#balanced.delete(id);
    for (const id of networkIds) await this.swarm.update(id);
    // Only now the tasks that an earlier daemon has left answer through the meshes, too.
    await this.networks.reportClientAddresses();
  }

  end(): void {
    this.networks.follow(undefined);
  }
}
