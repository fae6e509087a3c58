import type { Finding, Level } from '../finding.js';

/** What a check is about, whatever it finds. */
export class Subject {
  constructor(
    private readonly id: string,
    private readonly title: string,
    private readonly meaning: string,
  ) {}

  ok(found: string): Finding {
    return this.#find('ok', found);
  }

  warning(found: string, remedy: string): Finding {
    return this.#find('warning', found, remedy);
  }

  problem(found: string, remedy: string): Finding {
    return this.#find('problem', found, remedy);
  }

  #find(level: Level, found: string, remedy?: string): Finding {
    const { id, meaning, title } = this;
    return { id, title, level, found, meaning, ...(remedy !== undefined && { remedy }) };
  }
}
