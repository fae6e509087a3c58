import { Agent as PlainAgent } from 'node:http';
import { Agent as TlsAgent } from 'node:https';
import type { OnReadOpts, Socket } from 'node:net';
import type { TrustStore } from './trust-store.js';

/** How a request reaches its host. */
export interface Connection {
  readonly agent: PlainAgent;
}

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
    const key = JSON.stringify([trusted, options.verify]);
    const known = this.#tls.get(key);
    if (known !== undefined) return { agent: known };
    const agent = new TlsAgent({
      keepAlive: true,
      timeout: keepAlive,
      minVersion: 'TLSv1.2',
      rejectUnauthorized: options.verify,
      ...(trusted.ca !== undefined && { ca: [...trusted.ca] }),
      ...(trusted.cert !== undefined && { cert: trusted.cert }),
      ...(trusted.key !== undefined && { key: trusted.key }),
    });
    this.#tls.set(key, agent);
    return { agent };
  }

  close(): void {
    this.#plain.destroy();
    for (const agent of this.#tls.values()) agent.destroy();
  }
}
