import { connect } from 'node:net';
import { join } from 'node:path';
import type { Duplex } from 'node:stream';
import { inject, injectable, Lifetime, Logger, PackageDirectories } from '@gantry/core/driver';
import { joinConnections } from '@gantry/core/streams';
import { EngineApi } from '@gantry/engine-api/service';
import { AnsweredPaths } from '../connections/answered-paths.js';

export const apiPath = '/api';

/** Serves requests of clients that other managers have forwarded: their connections carry HTTP, as those of clients do. */
@injectable()
export class ForwardedRequests {
  readonly #socket: string;
  #serving: Promise<void> | undefined;

  constructor(
    @inject(AnsweredPaths) private readonly paths: AnsweredPaths,
    @inject(EngineApi.token) private readonly api: EngineApi,
    @inject(Lifetime) private readonly lifetime: Lifetime,
    @inject(Logger) private readonly log: Logger,
    @inject(PackageDirectories) { state }: PackageDirectories,
  ) {
    this.#socket = join(state, 'api.sock');
  }

  start(): void {
    this.paths.add(apiPath, {
      type: 'tunnel',
      access: 'managers',
      answer: (_request, connection) => void this.#serve(connection),
    });
  }

  async #serve(connection: Duplex): Promise<void> {
    try {
      this.#serving ??= this.#listen();
      await this.#serving;
      joinConnections(connection, connect(this.#socket));
    } catch (err) {
      this.#serving = undefined;
      connection.destroy();
      this.log.error({ event: 'swarm.request-not-served', err }, 'failed to serve requests of other managers');
    }
  }

  async #listen(): Promise<void> {
    this.lifetime.add(await this.api.serveAt(this.#socket));
  }
}
