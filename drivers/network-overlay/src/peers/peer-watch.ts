import { Config, inject, injectable, Lifetime, Logger } from '@gantry/core/driver';
import type { OverlayConfig } from '../config.js';
import { NetworkNamespaces } from '../links/network-namespaces.js';
import { NetworkTable } from '../network-table.js';
import type { OverlayNetwork } from '../overlay-network.js';
import { PeerTable } from './peer-table.js';

/** Repairs periodically what other programs changed of tunnels and entries. */
@injectable()
export class PeerWatch {
  #timer: NodeJS.Timeout | undefined;
  /** Networks whose repair failed, which is logged once. */
  readonly #failed = new Set<string>();

  constructor(
    @inject(Config) private readonly config: Pick<OverlayConfig, 'checkSeconds'>,
    @inject(NetworkTable) private readonly networks: NetworkTable,
    @inject(NetworkNamespaces) private readonly namespaces: NetworkNamespaces,
    @inject(PeerTable) private readonly peers: PeerTable,
    @inject(Logger) private readonly log: Logger,
    @inject(Lifetime) lifetime: Lifetime,
  ) {
    lifetime.add(() => this.stop());
  }

  start(): void {
    this.#timer ??= setInterval(() => this.#check(), this.config.checkSeconds * 1000).unref();
  }

  stop(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  #check(): void {
    for (const network of this.networks.values()) {
      try {
        this.#repair(network);
        this.#failed.delete(network.id);
      } catch (err) {
        if (this.#failed.has(network.id)) continue;
        this.#failed.add(network.id);
        this.log.error({ event: 'overlay.check-failed', networkId: network.id, err }, 'failed to repair a network');
      }
    }
  }

  #repair(network: OverlayNetwork): void {
    if (!this.namespaces.isIntact(network)) {
      this.log.warn(
        { event: 'overlay.tunnel-repair', networkId: network.id },
        'a tunnel was removed externally; restoring it',
      );
      this.namespaces.ensure(network);
    }
    const entries = this.peers.repair(network);
    if (entries === 0) return;
    const facts = { event: 'overlay.peers-repair', networkId: network.id, entries };
    this.log.warn(facts, 'entries of peers were modified externally; restored them');
  }
}
