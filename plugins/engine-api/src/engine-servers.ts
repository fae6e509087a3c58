import { injectable } from '@gantry/core/driver';
import type { EngineServer, Exchange } from '@gantry/core/http';

/** The servers that accept clients of the engine surface: none until every area has started. */
@injectable()
export class EngineServers {
  readonly #servers: EngineServer[] = [];

  get addresses(): readonly string[] {
    return this.#servers.map((server) => server.address);
  }

  add(server: EngineServer): void {
    this.#servers.push(server);
  }

  /** The requests that are being served, except endless ones. */
  *pending(): Iterable<Exchange> {
    for (const server of this.#servers) yield* server.pending();
  }

  /** See `EngineServer.drain`. */
  async drain(timeout: AbortSignal, signal: AbortSignal): Promise<void> {
    await Promise.all(this.#servers.map((server) => server.drain(timeout, signal)));
  }

  async stop(signal: AbortSignal): Promise<void> {
    await Promise.all(this.#servers.map((server) => server.stop(signal)));
  }
}
