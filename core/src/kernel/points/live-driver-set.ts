import { EngineError } from '../../errors/engine-error.js';
import { chooseDefault } from './choose-default.js';
import type { DriverOrigin, DriverSet, UnavailableDriver } from './driver-point.js';

/** The drivers of one kind. The default is chosen once, from the ids the configuration prefers, in that order. */
export class LiveDriverSet<T> implements DriverSet<T> {
  readonly #drivers = new Map<string, T>();
  readonly #origins = new Map<string, DriverOrigin>();
  readonly #finders = new Set<(id: string) => Promise<void>>();
  readonly #aliases = new Map<string, string>();
  readonly #listeners = new Set<() => void>();

  constructor(
    readonly kind: string,
    /** Ids of default drivers, the first of all first. */
    readonly preferred: readonly string[],
    private readonly changed: () => void = () => undefined,
    private readonly reasonOf: (name: string) => string | undefined = () => undefined,
    /** What is given out in place of a driver. */
    private readonly wrapped: (driver: T, id: string) => T = (driver) => driver,
  ) {}

  get defaultId(): string | undefined {
    return chooseDefault(this.preferred, this.ids);
  }

  get unavailableDefault(): UnavailableDriver | undefined {
    const [id] = this.preferred;
    if (id === undefined || this.defaultId === undefined || this.defaultId === id) return undefined;
    return { id, reason: this.reasonWithout(id) ?? 'no package provides it' };
  }

  get ids(): readonly string[] {
    return [...this.#drivers.keys()];
  }

  has(id: string): boolean {
    return this.#drivers.has(this.idOf(id));
  }

  get(id?: string): T {
    const wanted = id ?? this.defaultId;
    const driver = wanted === undefined ? undefined : this.#drivers.get(this.idOf(wanted));
    if (driver === undefined) {
      const asked = wanted ?? this.preferred.join(' or ');
      const reason = this.reasonWithout(asked);
      const why = reason === undefined ? '' : ` (${reason})`;
      throw new EngineError(
        'not-found',
        `there is no ${this.kind} driver "${asked}"${why}; there are: ${this.ids.join(', ') || 'none'}`,
      );
    }
    return driver;
  }

  async lookup(id: string): Promise<T> {
    if (!this.has(id)) await Promise.all([...this.#finders].map((find) => find(id)));
    return this.get(id);
  }

  addFinder(find: (id: string) => Promise<void>): () => void {
    this.#finders.add(find);
    return () => this.#finders.delete(find);
  }

  reasonWithout(id: string): string | undefined {
    return this.has(id) ? undefined : this.reasonOf(`${this.kind}/${id}`);
  }

  origin(id: string): DriverOrigin | undefined {
    return this.#origins.get(this.idOf(id));
  }

  add(id: string, driver: T, origin?: DriverOrigin): () => void {
    if (this.#drivers.has(id)) {
      throw new EngineError('conflict', `there is a ${this.kind} driver "${id}" already`);
    }
    const given = this.wrapped(driver, id);
    this.#drivers.set(id, given);
    if (origin !== undefined) this.#origins.set(id, origin);
    this.#notify();
    return () => {
      if (this.#drivers.get(id) !== given) return;
      this.#drivers.delete(id);
      this.#origins.delete(id);
      this.#notify();
    };
  }

  /** Another version of a driver has taken over. */
  replaceOrigin(id: string, origin: DriverOrigin | undefined): void {
    if (origin === undefined) this.#origins.delete(id);
    else this.#origins.set(id, origin);
    this.#notify();
  }

  alias(name: string, id: string): () => void {
    this.#aliases.set(name, id);
    return () => {
      if (this.#aliases.get(name) === id) this.#aliases.delete(name);
    };
  }

  idOf(name: string): string {
    return this.#drivers.has(name) ? name : (this.#aliases.get(name) ?? name);
  }

  entries(): Iterable<readonly [string, T]> {
    return this.#drivers.entries();
  }

  onChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  #notify(): void {
    this.changed();
    for (const listener of [...this.#listeners]) listener();
  }
}
