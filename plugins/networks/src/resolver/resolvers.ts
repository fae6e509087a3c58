import type { SandboxDriver } from '@gantry/core/contracts';
import type { Logger } from '@gantry/core/driver';
import { messageOf } from '@gantry/core/errors';
import type { NetworkStore } from '../store.js';
import { ContainerNames } from './names.js';
import { Resolver } from './resolver.js';

/** The embedded resolvers of all sandboxes. */
export class Resolvers {
  readonly #open = new Map<string, Resolver>();

  constructor(
    private readonly store: NetworkStore,
    private readonly sandboxes: SandboxDriver,
    private readonly log: Logger,
  ) {}

  /** Opens the resolver of a container's sandbox unless it is open. */
  async open(containerId: string): Promise<void> {
    if (this.#open.has(containerId)) return;
    const nameservers = this.store.sandbox(containerId)?.nameservers ?? [];
    const sockets = await this.sandboxes.openResolver(containerId);
    this.#open.set(containerId, new Resolver(sockets, new ContainerNames(this.store, containerId), nameservers));
  }

  /** The same for containers that kept running; one that fails is reported and does not keep the others from theirs. */
  async restore(containerIds: readonly string[]): Promise<void> {
    await Promise.all(
      containerIds.map((id) =>
        this.open(id).catch((error: unknown) =>
          this.log.error({ event: 'resolver.failed', container: id, reason: messageOf(error) }, 'no embedded resolver'),
        ),
      ),
    );
  }

  async close(containerId: string): Promise<void> {
    this.#open.get(containerId)?.close();
    this.#open.delete(containerId);
  }

  closeAll(): void {
    for (const resolver of this.#open.values()) resolver.close();
    this.#open.clear();
  }
}
