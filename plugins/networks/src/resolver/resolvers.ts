import { type SandboxDriver, SandboxDrivers } from '@gantry/core/contracts';
import { type DriverSet, inject, injectable, Lifetime, Logger } from '@gantry/core/driver';
import { NetworkStore } from '../store/network-store.js';
import { SwarmSources } from '../store/swarm-sources.js';
import { ContainerNames } from './container-names.js';
import { Resolver } from './resolver.js';

/** The embedded resolvers of all sandboxes. */
@injectable()
export class Resolvers {
  readonly #open = new Map<string, Resolver>();

  constructor(
    @inject(NetworkStore) private readonly store: NetworkStore,
    @inject(SandboxDrivers.token) private readonly sandboxes: DriverSet<SandboxDriver>,
    @inject(SwarmSources) private readonly swarm: SwarmSources,
    @inject(Logger) private readonly log: Logger,
    @inject(Lifetime) lifetime: Lifetime,
  ) {
    lifetime.add(() => this.#closeAll());
  }

  /** Opens the resolver of a container's sandbox unless it is open. */
  async open(containerId: string): Promise<void> {
    if (this.#open.has(containerId)) return;
    const nameservers = this.store.sandbox(containerId)?.nameservers ?? [];
    const sockets = await this.sandboxes.get().openResolver(containerId);
    const names = new ContainerNames(this.store, containerId, this.swarm);
    const resolver = new Resolver(sockets, names, nameservers, (error) => {
      this.log.debug({ event: 'resolver.query-failed', container: containerId, error }, 'failed to answer a DNS query');
    });
    this.#open.set(containerId, resolver);
  }

  /** Opens the resolvers of containers that kept running. Never rejects: a failure is logged. */
  async restore(containerIds: readonly string[]): Promise<void> {
    await Promise.all(
      containerIds.map((id) =>
        this.open(id).catch((error: unknown) => {
          const facts = { event: 'resolver.open-failed', container: id, error };
          this.log.error(facts, 'failed to open the embedded resolver of a container');
        }),
      ),
    );
  }

  close(containerId: string): void {
    this.#open.get(containerId)?.close();
    this.#open.delete(containerId);
  }

  #closeAll(): void {
    for (const resolver of this.#open.values()) resolver.close();
    this.#open.clear();
  }
}
