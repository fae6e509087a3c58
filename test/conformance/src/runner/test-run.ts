import { messageOf } from '@gantry/core/errors';
import type { TestBody, TestInterface } from '../test-interface.js';
import { assertions } from './assertions.js';

interface Test {
  readonly title: string;
  readonly body: TestBody;
  readonly isFailing: boolean;
}

export interface Counts {
  passed: number;
  failed: number;
  /** Checks of what the driver says it does not have. */
  notTested: number;
}

/** Collects tests, then runs them: the serial ones first, the others side by side, the hooks last. */
export class TestRun {
  readonly #serial: Test[] = [];
  readonly #parallel: Test[] = [];
  readonly #hooks: Test[] = [];
  readonly counts: Counts = { passed: 0, failed: 0, notTested: 0 };

  /** @param isWanted says by its title whether a test is to run. */
  constructor(
    private readonly print: (line: string) => void,
    private readonly isWanted: (title: string) => boolean,
  ) {}

  /** What a suite registers its checks with. */
  get test(): TestInterface {
    const into =
      (list: Test[], isFailing = false) =>
      (title: string, body: TestBody): void => {
        if (list === this.#hooks || this.isWanted(title)) list.push({ title, body, isFailing });
      };
    return Object.assign(into(this.#parallel), {
      serial: into(this.#serial),
      failing: into(this.#parallel, true),
      after: { always: into(this.#hooks) },
    });
  }

  async run(): Promise<Counts> {
    for (const test of this.#serial) await this.#runOne(test);
    await Promise.all(this.#parallel.map((test) => this.#runOne(test)));
    for (const hook of this.#hooks) await this.#runOne(hook, true);
    return this.counts;
  }

  async #runOne({ title, body, isFailing }: Test, isHook = false): Promise<void> {
    const logged: string[] = [];
    let remark = '';
    const pass = (message = ''): void => {
      remark = message;
    };
    const failure = await Promise.resolve()
      .then(() => body(assertions((line) => logged.push(line), pass)))
      .then(
        () => (isFailing ? 'passes, and is among the known failures' : undefined),
        (error: unknown) => (isFailing ? undefined : messageOf(error)),
      );
    if (failure !== undefined) {
      this.counts.failed++;
      this.print(`✘ ${title}\n${failure.replace(/^/gm, '    ')}`);
    } else if (remark.startsWith('not tested')) {
      this.counts.notTested++;
      this.print(`- ${title}: ${remark}`);
    } else if (!isHook) {
      this.counts.passed++;
      this.print(`✔ ${title}${isFailing ? ' (fails, as known)' : ''}`);
    }
    for (const line of logged) this.print(`    ${line}`);
  }
}
