import type { Logger } from '@gantry/core/driver';
import { messageOf, unavailable } from '@gantry/core/errors';
import type { Ports } from '../ports.js';
import { type CatalogRequest, RuntimeCatalog } from './runtime-catalog.js';

/** The runtimes, which may have to prove themselves first: when somebody needs them, or has time for it. */
export class CatalogInTime {
  #known: RuntimeCatalog | undefined;
  #hasBegun = false;
  readonly #opened: Promise<RuntimeCatalog>;

  /** `letBegin`: has the trials begin that `opened` waits for. */
  constructor(
    opened: Promise<RuntimeCatalog>,
    private readonly letBegin: () => void,
  ) {
    this.#opened = opened.then((catalog) => {
      this.#known = catalog;
      return catalog;
    });
    this.#opened.catch(() => undefined);
  }

  get isKnown(): boolean {
    return this.#known !== undefined;
  }

  /** For whoever has awaited them before. Throws EngineError `unavailable` when there are none. */
  get known(): RuntimeCatalog {
    if (this.#known === undefined) throw unavailable('no OCI runtime has proved yet that it works on this host');
    return this.#known;
  }

  /** Nobody needs them yet, and there is time. */
  begin(): void {
    this.#hasBegun = true;
    this.letBegin();
  }

  /** Rejects EngineError `unavailable` with the reason of each when none works. */
  async settled(): Promise<RuntimeCatalog> {
    this.begin();
    try {
      return await this.#opened;
    } catch (cause) {
      throw unavailable(messageOf(cause), { cause });
    }
  }

  /** Resolves when nothing is being tried any more. */
  async over(): Promise<void> {
    if (this.#hasBegun) await this.#opened.catch(() => undefined);
  }
}

/**
 * The runtimes. What earlier starts have learnt counts at once, also that none works: DriverSkipped. So does what the
 * configuration names. Only where programs have to be tried that nobody asked for by name, whoever needs one waits for
 * it, and the start of the daemon does not.
 */
export async function openCatalog(ports: Ports, request: CatalogRequest, log: Logger): Promise<CatalogInTime> {
  const { config } = request;
  if (config.default !== undefined || config.runtimes !== undefined) {
    return new CatalogInTime(Promise.resolve(await RuntimeCatalog.open(ports, request)), () => undefined);
  }
  const [trial, begun] = [gate(), gate()];
  const beforeTrial = (): Promise<void> => {
    trial.open();
    return begun.passed;
  };
  const opened = RuntimeCatalog.open(ports, { ...request, beforeTrial });
  await Promise.race([opened, trial.passed]);
  opened.catch((error: unknown) =>
    log.error({ event: 'runtime.none-works', reason: messageOf(error) }, 'no container can be started'),
  );
  return new CatalogInTime(opened, begun.open);
}

function gate(): { readonly passed: Promise<void>; open(): void } {
  let open = (): void => undefined;
  const passed = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { passed, open: () => open() };
}
