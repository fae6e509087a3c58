import { abortable } from '@gantry/core/driver';

interface Flight {
  readonly made: Promise<string>;
  readonly finish: (imageId: string) => void;
}

/** The steps that stages of one build have made or make now: a step that several stages have is made once. */
export class MadeSteps {
  readonly #flights = new Map<string, Flight>();
  readonly #keys = new Map<object, string>();

  /**
   * Resolves to the image of the step, when a stage has made it or does so now; else to undefined, and then the stage is
   * the one that makes it. Rejects when the build is aborted, as when another stage fails.
   */
  async join(stage: object, key: string, signal: AbortSignal): Promise<string | undefined> {
    const flight = this.#flights.get(key);
    if (flight !== undefined) return abortable(flight.made, signal);
    let finish = (_imageId: string): void => undefined;
    const made = new Promise<string>((resolve) => {
      finish = resolve;
    });
    this.#flights.set(key, { made, finish });
    this.#keys.set(stage, key);
    return undefined;
  }

  /** The image of the stage's step: made, or found in the cache. */
  finish(stage: object, imageId: string): void {
    const key = this.#keys.get(stage);
    if (key === undefined) return;
    this.#keys.delete(stage);
    this.#flights.get(key)?.finish(imageId);
  }
}
