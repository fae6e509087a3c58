import type { Logger } from '@gantry/core/driver';
import { messageOf, unavailable } from '@gantry/core/errors';
import { type CatalogRequest, RuntimeCatalog } from './runtime-catalog.js';

/** The runtimes, which may have to be probed first: on first use, or once the daemon has started. */
export class LazyCatalog {
  #loaded: RuntimeCatalog | undefined;
  #hasBegun = false;
  #hasFailed = false;
  #loading: Promise<RuntimeCatalog>;

  /** `beginProbes` starts the probes that `loading` waits for. `reload` looks again where none of the runtimes worked. */
  constructor(
    loading: Promise<RuntimeCatalog>,
    private readonly beginProbes: () => void,
    private readonly reload: () => Promise<RuntimeCatalog>,
  ) {
    this.#loading = this.#follow(loading);
  }

  get isReady(): boolean {
    return this.#loaded !== undefined;
  }

  /** For callers that have awaited `ready` before. @throws EngineError `unavailable` before the probes have finished. */
  get current(): RuntimeCatalog {
    if (this.#loaded === undefined) throw unavailable('no OCI runtime has been probed yet on this host');
    return this.#loaded;
  }

  /** Starts the probes ahead of the first use. */
  begin(): void {
    this.#hasBegun = true;
    this.beginProbes();
  }

  /** Rejects EngineError `unavailable` with the reason of each runtime when none works. */
  async ready(): Promise<RuntimeCatalog> {
    this.begin();
    // One that gave no answer in time may give one now, and one that was missing may be there. Refusals are remembered.
    if (this.#hasFailed) this.#loading = this.#follow(this.reload());
    try {
      return await this.#loading;
    } catch (cause) {
      throw unavailable(messageOf(cause), { cause });
    }
  }

  /** Resolves when no probe is running any more. */
  async idle(): Promise<void> {
    if (this.#hasBegun) await this.#loading.catch(() => undefined);
  }

  #follow(loading: Promise<RuntimeCatalog>): Promise<RuntimeCatalog> {
    this.#hasFailed = false;
    const followed = loading.then(
      (catalog) => {
        this.#loaded = catalog;
        return catalog;
      },
      (error: unknown) => {
        this.#hasFailed = true;
        throw error;
      },
    );
    followed.catch(() => undefined);
    return followed;
  }
}

/**
 * Opens the catalog. The outcomes of earlier starts count at once, also that no runtime works: DriverSkipped. So do the
 * runtimes that the configuration names. Only where others have to be probed does the first use wait for that, and the
 * start of the daemon does not.
 */
export async function openCatalog(request: CatalogRequest, log: Logger): Promise<LazyCatalog> {
  const { config } = request;
  const reload = () => RuntimeCatalog.open(request);
  if (config.default !== undefined || config.runtimes !== undefined) {
    return new LazyCatalog(Promise.resolve(await RuntimeCatalog.open(request)), () => undefined, reload);
  }
  const [probing, begun] = [gate(), gate()];
  const beforeProbe = (): Promise<void> => {
    probing.open();
    return begun.passed;
  };
  const loading = RuntimeCatalog.open({ ...request, beforeProbe });
  await Promise.race([loading, probing.passed]);
  loading.catch((error: unknown) => log.error({ event: 'runtime.none-works', error }, 'no OCI runtime works'));
  return new LazyCatalog(loading, begun.open, reload);
}

function gate(): { readonly passed: Promise<void>; open(): void } {
  let open = (): void => undefined;
  const passed = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { passed, open: () => open() };
}
