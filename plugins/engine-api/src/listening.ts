import { Config, inject, injectable, Lifetime, Logger } from '@gantry/core/driver';
import { EngineServer, type ServerLimits, Surface } from '@gantry/core/http';
import type { EngineApiConfig } from './config.js';
import { crossOrigin } from './cross-origin.js';
import { defaultMaxConnections } from './default-max-connections.js';
import { DiskWatch } from './disk-watch.js';
import { EngineServers } from './engine-servers.js';
import { type Listener, readListeners } from './listeners.js';

/** Accepts clients when every area has started, and refuses them before any area stops. */
@injectable()
export class Listening {
  readonly #listeners: readonly Listener[];

  constructor(
    @inject(Config) private readonly config: EngineApiConfig,
    @inject(Logger) private readonly log: Logger,
    @inject(Lifetime) private readonly lifetime: Lifetime,
    @inject(Surface) private readonly surface: Surface,
    @inject(EngineServers) private readonly servers: EngineServers,
    @inject(DiskWatch) private readonly disk: DiskWatch,
  ) {
    this.#listeners = readListeners(config, crossOrigin(config.apiCorsHeader));
  }

  async ready(): Promise<void> {
    const limits = this.#limits();
    for (const { endpoint, admit } of this.#listeners) {
      const server = await EngineServer.start(this.surface, endpoint, { ...limits, admit });
      this.lifetime.add(() => server.stop(AbortSignal.abort()));
      this.servers.add(server, endpoint);
      this.log.info({ event: 'api.listening', address: server.address }, 'listening');
    }
    const local = await EngineServer.start(this.surface, { kind: 'process' }, withoutCounting(limits));
    this.servers.addLocal(local);
    for (const warning of this.servers.warnings) this.log.warn({ event: 'api.exposed' }, warning);
  }

  /** Certificates are renewed under the same names, and the configuration need not change for that. */
  reloadBegins(): void {
    this.servers.reloadCertificates().catch((err: unknown) => {
      this.log.error({ event: 'tls.reload-failed', err }, 'failed to reload certificates; keeping the earlier ones');
    });
  }

  drain(signal: AbortSignal): Promise<void> {
    return this.servers.drain(AbortSignal.timeout(this.config.drainTimeoutSeconds * 1000), signal);
  }

  stop(signal: AbortSignal): Promise<void> {
    return this.servers.stop(signal);
  }

  #limits(): ServerLimits {
    const { config, disk, lifetime } = this;
    const isWatched = config.diskTimeoutSeconds > 0;
    if (isWatched) lifetime.add(() => disk.stop());
    return {
      headersTimeout: config.headersTimeoutSeconds * 1000,
      maxHeaderSize: config.maxHeaderBytes,
      maxConnections: config.maxConnections ?? defaultMaxConnections(),
      ...(isWatched && { onRequest: () => disk.begin() }),
    };
  }
}

/** The process connects to itself as often as it likes. */
const withoutCounting = ({ maxConnections: _, ...limits }: ServerLimits): ServerLimits => limits;
