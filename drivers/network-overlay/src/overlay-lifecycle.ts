import { type DriverLifecycle, inject, injectable } from '@gantry/core/driver';
import { NetworkNamespaces } from './links/network-namespaces.js';
import { NetworkTable } from './network-table.js';
import { PeerWatch } from './peers/peer-watch.js';

/** Starts and stops the driver. */
@injectable()
export class OverlayLifecycle implements DriverLifecycle {
  constructor(
    @inject(NetworkTable) private readonly networks: NetworkTable,
    @inject(NetworkNamespaces) private readonly namespaces: NetworkNamespaces,
    @inject(PeerWatch) private readonly watch: PeerWatch,
  ) {}

  async start(): Promise<void> {
    this.watch.start();
  }

  /** Containers keep running with their links. Networks without any are removed; `restore` creates them again. */
  async stop(): Promise<void> {
    this.watch.stop();
    for (const { endpoints, leaving, path } of this.networks.values()) {
      await Promise.allSettled(leaving.values());
      if (endpoints.size === 0) await this.namespaces.remove(path);
    }
  }
}
