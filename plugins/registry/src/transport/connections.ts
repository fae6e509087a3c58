import { Agent as PlainAgent } from 'node:http';
import { Agent as TlsAgent } from 'node:https';
import type { OnReadOpts, Socket } from 'node:net';
import type { ConnectionOptions } from 'node:tls';
import type { TrustStore } from './trust-store.js';

/** How a request reaches its host. */
export interface Connection {
  /** For a direct connection. */
  readonly agent: PlainAgent;
  /** For a connection through a proxy, which the agent does not make. */
  readonly tls?: TlsOptions;
}

/** How TLS is spoken with the host. */
type TlsOptions = Pick<ConnectionOptions, 'minVersion' | 'rejectUnauthorized' | 'ca' | 'cert' | 'key'>;

/** How long an idle connection is kept, in milliseconds. */
const keepAlive = 15_000;

/**
 * Reads of all connections go to one piece of memory. New memory for each, 64 KiB at a time, had the garbage collector
 * go over the whole heap ten times a second during a pull. The HTTP parser copies what it hands on.
 */
function intoSharedMemory(): OnReadOpts {
  return {
    buffer: Buffer.allocUnsafeSlow(256 * 1024),
    callback(this: Socket, length: number, memory: Uint8Array) {
      this.emit('data', Buffer.from(memory.buffer, memory.byteOffset, length));
      return true;
    },
  };
}

/** Connections to registries and to the hosts they send to, kept for the next request. */
export class Connections {
  readonly #plain = new PlainAgent({ keepAlive: true, timeout: keepAlive, onread: intoSharedMemory() });
  readonly #tls = new Map<string, TlsAgent>();

  constructor(private readonly trust: TrustStore) {}

  /** `verify` false takes any certificate. Rejects `internal` for a certificate file that cannot be read. */
  async to(url: URL, options: { readonly verify: boolean }): Promise<Connection> {
    if (url.protocol === 'http:') return { agent: this.#plain };
    const trusted = await this.trust.of(url.host);
    const tls: TlsOptions = {
      minVersion: 'TLSv1.2',
      rejectUnauthorized: options.verify,
      ...(trusted.ca !== undefined && { ca: [...trusted.ca] }),
      ...(trusted.cert !== undefined && { cert: trusted.cert }),
      ...(trusted.key !== undefined && { key: trusted.key }),
    };
    const key = JSON.stringify(tls);
    const agent = this.#tls.get(key) ?? new TlsAgent({ keepAlive: true, timeout: keepAlive, ...tls });
    this.#tls.set(key, agent);
    return { agent, tls };
  }

  close(): void {
    this.#plain.destroy();
    for (const agent of this.#tls.values()) agent.destroy();
  }
}
