import type { RestoredEndpoint } from '@gantry/core/contracts';
import { inject, injectable, Logger } from '@gantry/core/driver';
import type { HeldPort } from '../ports/held-port.js';
import { HostPorts } from '../ports/host-ports.js';
import { isSamePort } from '../ports/is-same-port.js';

/** Reserves the ports of an endpoint of an earlier daemon again. */
@injectable()
export class RestorePorts {
  constructor(
    @inject(HostPorts) private readonly hostPorts: HostPorts,
    @inject(Logger) private readonly log: Logger,
  ) {}

  /** Keeps ports that are `held` already. One that another program has bound since is logged and left out. */
  restore({ request, joined }: RestoredEndpoint, held: readonly HeldPort[]): readonly HeldPort[] {
    return joined.ports.flatMap((published) => {
      const port = held.find((other) => isSamePort(other.published, published)) ?? this.hostPorts.reclaim(published);
      if (port !== undefined) return [port];
      const facts = { event: 'port.lost', endpointId: request.endpointId, ...published };
      this.log.warn(facts, 'a published port was bound by another program while the daemon was down');
      return [];
    });
  }
}
