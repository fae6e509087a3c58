/** What the kit needs of a test runner. AVA's `test` is one; `gantry-conformance` brings its own. */
export interface TestInterface {
  (title: string, run: TestBody): void;
  serial(title: string, run: TestBody): void;
  /** Passes when the body fails, so that a fix of a known failure is noticed. */
  failing(title: string, run: TestBody): void;
  readonly after: { always(title: string, run: TestBody): void };
}

export type TestBody = (t: Assertions) => Promise<void>;

/** The assertions that checks may use: a part of AVA's. Each throws, so a check ends at its first failure. */
export interface Assertions {
  pass(message?: string): unknown;
  fail(message?: string): unknown;
  true(actual: unknown, message?: string): unknown;
  false(actual: unknown, message?: string): unknown;
  /** Object.is. */
  is(actual: unknown, expected: unknown, message?: string): unknown;
  not(actual: unknown, expected: unknown, message?: string): unknown;
  deepEqual(actual: unknown, expected: unknown, message?: string): unknown;
  regex(text: string, pattern: RegExp, message?: string): unknown;
  log(...values: unknown[]): void;
}
