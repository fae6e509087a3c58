/** Counts what a suite tested, and says what it did not and why. */
export class Summary {
  #tested = 0;
  readonly #notTested = new Map<string, string[]>();

  constructor(private readonly title: string) {}

  tested(): void {
    this.#tested++;
  }

  notTested(check: string, capability: string): void {
    const checks = this.#notTested.get(capability) ?? [];
    this.#notTested.set(capability, [...checks, check]);
  }

  lines(): readonly string[] {
    const count = [...this.#notTested.values()].flat().length;
    return [
      `${this.title}: ${this.#tested} tested, ${count} not tested`,
      ...[...this.#notTested].flatMap(([capability, checks]) => [
        `no ${capability}, so not tested:`,
        ...checks.map((check) => `  ${check}`),
      ]),
    ];
  }
}
