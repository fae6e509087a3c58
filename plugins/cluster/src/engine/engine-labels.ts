/** The labels of this engine, `key=value` each in its configuration. */
export class EngineLabels {
  #labels: Readonly<Record<string, string>> = {};
  readonly #listeners = new Set<() => void>();

  get current(): Readonly<Record<string, string>> {
    return this.#labels;
  }

  set(labels: readonly string[]): void {
    this.#labels = Object.fromEntries(
      labels.map((label) => {
        const [key = '', ...value] = label.split('=');
        return [key, value.join('=')];
      }),
    );
    for (const listener of this.#listeners) listener();
  }

  /** @returns removes the listener. */
  onChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }
}
