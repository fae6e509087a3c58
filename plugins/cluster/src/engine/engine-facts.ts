import type { ClientAddresses } from '../service.js';

/** What other areas have said of this engine: its labels, and how its tasks see clients of published ports. */
export class EngineFacts {
  #labels: Readonly<Record<string, string>> = {};
  #clientAddresses: ClientAddresses | undefined;
  readonly #listeners = new Set<() => void>();

  get labels(): Readonly<Record<string, string>> {
    return this.#labels;
  }

  /** Undefined until it is known. */
  get clientAddresses(): ClientAddresses | undefined {
    return this.#clientAddresses;
  }

  setClientAddresses(addresses: ClientAddresses): void {
    this.#clientAddresses = addresses;
    this.#notify();
  }

  /** @param labels `key=value` each, as in the configuration. */
  setLabels(labels: readonly string[]): void {
    this.#labels = Object.fromEntries(
      labels.map((label) => {
        const [key = '', ...value] = label.split('=');
        return [key, value.join('=')];
      }),
    );
    this.#notify();
  }

  /** @returns removes the listener. */
  onChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  #notify(): void {
    for (const listener of this.#listeners) listener();
  }
}
