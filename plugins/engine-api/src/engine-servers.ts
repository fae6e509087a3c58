import type { Duplex } from 'node:stream';
import { injectable } from '@gantry/core/driver';
import { unavailable } from '@gantry/core/errors';
import type { Endpoint, EngineServer, Exchange } from '@gantry/core/http';
import type { LocalConnections } from './service.js';

/** The servers that accept clients of the engine surface: none until every area has started. */
@injectable()
export class EngineServers implements LocalConnections {
  readonly #servers: EngineServer[] = [];
  readonly #internal = new Set<EngineServer>();
  readonly #warnings: string[] = [];
  #local: EngineServer | undefined;

  get addresses(): readonly string[] {
    return this.#servers.map((server) => server.address);
  }

  /** What operators should know about the endpoints. */
  get warnings(): readonly string[] {
    return this.#warnings;
  }

  add(server: EngineServer, endpoint: Endpoint): void {
    this.#servers.push(server);
    const warning = exposureOf(endpoint, server.address);
    if (warning !== undefined) this.#warnings.push(warning);
  }

  /** One that clients do not connect to. @returns removes it. */
  addInternal(server: EngineServer): () => void {
    this.#internal.add(server);
    return () => void this.#internal.delete(server);
  }

  /** The one that this process connects to. */
  addLocal(server: EngineServer): void {
    this.#local = server;
    this.#internal.add(server);
  }

  connect(): Duplex {
    if (this.#local === undefined) throw unavailable('the engine is starting');
    return this.#local.connect();
  }

  /** Rejects with the reason of the first endpoint whose files cannot be used; the others are reloaded. */
  async reloadCertificates(): Promise<void> {
    const outcomes = await Promise.allSettled(this.#servers.map((server) => server.reloadCertificates()));
    const failed = outcomes.find((outcome) => outcome.status === 'rejected');
    if (failed !== undefined) throw failed.reason;
  }

  /** The requests that are being served, except endless ones. */
  *pending(): Iterable<Exchange> {
    for (const server of this.#all()) yield* server.pending();
  }

  /** See `EngineServer.drain`. */
  async drain(timeout: AbortSignal, signal: AbortSignal): Promise<void> {
    await Promise.all(this.#all().map((server) => server.drain(timeout, signal)));
  }

  async stop(signal: AbortSignal): Promise<void> {
    await Promise.all(this.#all().map((server) => server.stop(signal)));
  }

  #all(): readonly EngineServer[] {
    return [...this.#servers, ...this.#internal];
  }
}

/** What anyone who reaches a TCP endpoint may do, in the words that clients of the reference engine know. */
function exposureOf(endpoint: Endpoint, address: string): string | undefined {
  if (endpoint.kind !== 'tcp' || endpoint.tls?.ca !== undefined) return undefined;
  const [scheme, lack] = endpoint.tls === undefined ? ['http', 'encryption'] : ['https', 'TLS client verification'];
  return `WARNING: API is accessible on ${scheme}://${address} without ${lack}. Access to the remote API is equivalent to root access on the host.`;
}
