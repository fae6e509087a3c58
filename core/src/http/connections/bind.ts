import { once } from 'node:events';
import type { ListenOptions, Server } from 'node:net';
import { conflict, messageOf, unavailable } from '../../errors/engine-error.js';

/** A server that listens. */
export interface Bound {
  /** A path, or host and port. */
  readonly address: string;
  /** Removes what closing the server leaves behind. */
  release(): Promise<void>;
}

/** How many clients may wait to be accepted; the kernel takes no more than `net.core.somaxconn` says. */
const backlog = 65_535;

/**
 * Calls `listen` and waits for its outcome.
 * @throws EngineError `conflict` when the address is in use, else `unavailable` with the reason, both naming it.
 */
export async function bind(server: Server, options: ListenOptions, name: string): Promise<void> {
  try {
    server.listen({ backlog, ...options });
    await once(server, 'listening');
  } catch (cause) {
    const inUse = (cause as NodeJS.ErrnoException).code === 'EADDRINUSE';
    throw inUse
      ? conflict(`${name}: the address is in use`, { cause })
      : unavailable(`${name}: cannot listen: ${messageOf(cause)}`, { cause });
  }
}
