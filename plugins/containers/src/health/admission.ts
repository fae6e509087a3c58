import type { Clock } from '../clock.js';

export interface AdmissionOptions {
  /** How many may be inside. */
  readonly places: number;
  /** After so many milliseconds whoever is inside does not count any more, so that nobody can keep the others out. */
  readonly patience: number;
}

/** Lets a few in at a time, the others in the order they came. */
export class Admission {
  #inside = 0;
  readonly #queue: (() => void)[] = [];

  constructor(
    private readonly clock: Pick<Clock, 'after'>,
    private readonly options: AdmissionOptions,
  ) {}

  /** Resolves, when there is a place, to what gives the place back; twice: nothing happens. Never rejects. */
  async enter(): Promise<() => void> {
    if (this.#inside < this.options.places) this.#inside++;
    // Otherwise the place of whoever leaves is handed on.
    else await new Promise<void>((resolve) => this.#queue.push(resolve));
    let isInside = true;
    const leave = (): void => {
      if (!isInside) return;
      isInside = false;
      callOff();
      const next = this.#queue.shift();
      if (next === undefined) this.#inside--;
      else next();
    };
    const callOff = this.clock.after(this.options.patience, leave);
    return leave;
  }
}
