import type { JoinRequest } from '@gantry/core/contracts';
import type { HeldPort } from './held-port.js';
import { targetOf } from './target-of.js';

/** Starts relaying the ports that an endpoint holds; those of an endpoint without an address stay closed. */
export function servePorts({ ports, request }: { ports: readonly HeldPort[]; request: JoinRequest }): void {
  for (const port of ports) {
    const target = targetOf(port.published, request);
    if (target !== undefined) port.serve(target);
  }
}
