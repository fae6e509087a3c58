import type { PublishedPort } from '@gantry/core/contracts';
import { LinuxError } from '@gantry/lib-linux/errors';
import { familyOf } from '@gantry/lib-network';
import type { HeldPort } from './held-port.js';

/** Node has no SCTP sockets: these ports are reserved among the engine's containers only. */
export class SctpPorts {
  readonly #held = new Set<PublishedPort>();

  /** @throws LinuxError `EADDRINUSE` */
  reserve(published: PublishedPort): HeldPort {
    if ([...this.#held].some((other) => collide(other, published))) {
      throw new LinuxError('EADDRINUSE', 'bind', { path: `${published.hostIp}:${published.hostPort}` });
    }
    this.#held.add(published);
    return { published, serve: () => undefined, close: () => void this.#held.delete(published) };
  }
}

const isEvery = (address: string): boolean => address === '0.0.0.0' || address === '::';

const collide = (one: PublishedPort, other: PublishedPort): boolean =>
  one.hostPort === other.hostPort &&
  familyOf(one.hostIp) === familyOf(other.hostIp) &&
  (one.hostIp === other.hostIp || isEvery(one.hostIp) || isEvery(other.hostIp));
