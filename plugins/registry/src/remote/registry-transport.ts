import type { IncomingMessage } from 'node:http';
import { Config, inject, injectable } from '@gantry/core/plugin';
import type { RegistryConfig } from '../config.js';
import { RegistrySettings } from '../registry-settings.js';
import { Connections } from '../transport/connections.js';
import { follow } from '../transport/follow.js';
import { type RetryPolicy, retrying } from '../transport/retry.js';
import type { Outgoing } from '../transport/send.js';
import { BaseAddresses } from './base-addresses.js';

/** How requests reach registries: where these are, whose certificates count, and what is sent again. */
@injectable()
export class RegistryTransport {
  readonly retry: RetryPolicy;
  readonly #idleTimeout: number;

  constructor(
    @inject(Connections) private readonly connections: Connections,
    @inject(RegistrySettings) private readonly settings: RegistrySettings,
    @inject(BaseAddresses) private readonly bases: BaseAddresses,
    @inject(Config) config: Pick<RegistryConfig, 'attempts' | 'retryDelayMilliseconds' | 'idleTimeoutSeconds'>,
  ) {
    this.retry = { attempts: config.attempts, delay: config.retryDelayMilliseconds };
    this.#idleTimeout = config.idleTimeoutSeconds * 1000;
  }

  /** The registry's own address. Rejects ConnectionError when nothing answers. */
  base(registry: string, signal?: AbortSignal): Promise<URL> {
    return this.bases.of(registry, signal);
  }

  /** The address of a registry that failed is looked for again. */
  forget(registry: string): void {
    this.bases.forget(registry);
  }

  /** Whether credentials may be sent there. */
  isSecure(url: URL): boolean {
    return url.protocol === 'https:' || this.settings.isInsecure(url.host);
  }

  send(outgoing: Omit<Outgoing, 'idleTimeout'>): Promise<IncomingMessage> {
    const verify = (host: string): boolean => !this.settings.isInsecure(host);
    return follow({ ...outgoing, idleTimeout: this.#idleTimeout }, this.connections, { verify });
  }

  retrying<T>(work: () => Promise<T>, signal: AbortSignal | undefined): Promise<T> {
    return retrying(this.retry, work, signal);
  }
}
