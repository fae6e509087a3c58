import type { RegistrySettings } from '../registry-settings.js';
import type { Connections } from '../transport/connections.js';
import { discard } from '../transport/read-body.js';
import { send } from '../transport/send.js';

/**
 * Where registries are. One that needs a trusted certificate is at https; of the others https is tried first, with any
 * certificate, and then plain HTTP. What answered is remembered until it fails.
 */
export class BaseAddresses {
  readonly #found = new Map<string, URL>();

  constructor(
    private readonly connections: Connections,
    private readonly settings: Pick<RegistrySettings, 'isInsecure'>,
    /** Milliseconds for an answer. */
    private readonly timeout: number,
  ) {}

  /** `registry` is `host[:port]` or a URL. Rejects with the failure of the last try. */
  async of(registry: string, signal?: AbortSignal): Promise<URL> {
    if (/^https?:\/\//.test(registry)) return new URL(registry);
    if (!this.settings.isInsecure(registry)) return new URL(`https://${registry}`);
    const known = this.#found.get(registry);
    if (known !== undefined) return known;
    const base = await this.#probe(new URL(`https://${registry}`), signal).catch(() => {
      signal?.throwIfAborted();
      return this.#probe(new URL(`http://${registry}`), signal);
    });
    this.#found.set(registry, base);
    return base;
  }

  forget(registry: string): void {
    this.#found.delete(registry);
  }

  async #probe(base: URL, signal: AbortSignal | undefined): Promise<URL> {
    const connection = await this.connections.to(base, { verify: false });
    const url = new URL('/v2/', base);
    const idleTimeout = Math.min(this.timeout, 10_000);
    await discard(
      await send({ method: 'GET', url, headers: {}, idleTimeout, ...(signal !== undefined && { signal }) }, connection),
    );
    return base;
  }
}
