/** How long the steps of one piece of work took, in milliseconds, for the log. */
export class StepTimes {
  readonly #began = performance.now();
  readonly #steps: Record<string, number> = {};

  async of<T>(step: string, work: Promise<T>): Promise<T> {
    const began = performance.now();
    try {
      return await work;
    } finally {
      this.#steps[step] = round(performance.now() - began);
    }
  }

  facts(): { readonly tookMs: number; readonly steps: Readonly<Record<string, number>> } {
    return { tookMs: round(performance.now() - this.#began), steps: this.#steps };
  }
}

const round = (milliseconds: number): number => Math.round(milliseconds * 100) / 100;
