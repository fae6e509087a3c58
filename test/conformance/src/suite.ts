import { Lifetime, withDeadline } from '@gantry/core/driver';
import { contractSentence } from './contract-sentence.js';
import { type LeakProbe, leaksSince, takeStock } from './leaks.js';
import { limiter } from './limiter.js';
import type { Opened } from './open-driver.js';
import { RecordedCalls } from './recorded-calls.js';
import { Summary } from './summary.js';
import type { Assertions, TestInterface } from './test-interface.js';

/** Opens one more independent driver, on fresh directories. */
export type Open<T> = () => Promise<Opened<T>>;

/**
 * One check. `opened` is a fresh driver, released after the check; `open` makes more of them, released too.
 * The drivers that `reopen` returns belong to the one they came from.
 */
export type Check<T> = (t: Assertions, opened: Opened<T>, open: Open<T>) => Promise<void>;

export interface SuiteOptions {
  /** Set apart two runs of one suite in one file: titles become `volume (nfs): ...`. */
  readonly label?: string;
  /** Checks that are known to fail, by name, each with a link that says why. They run as `test.failing`. */
  readonly knownFailures?: Readonly<Record<string, string>>;
  /** How many checks run at once; 8 when not given. */
  readonly concurrency?: number;
  /** How long one check may take, with the stop of its drivers, before it fails; long enough for an emulated host when not given. */
  readonly checkTimeoutSeconds?: number;
  /** Looked at before and after the whole suite, beside processes, namespaces and open files. */
  readonly leakProbes?: readonly LeakProbe[];
}

/** A conformance suite: one call in a driver's test file registers every check. */
export interface DriverSuite<T, O extends SuiteOptions = SuiteOptions> {
  (test: TestInterface, open: Open<T>, options?: O): void;
  readonly kind: string;
}

export interface Suite<T, O extends SuiteOptions = SuiteOptions> {
  readonly options: O;
  /** Registers `<kind>: <name>`. Checks run side by side. */
  check(name: string, run: Check<T>): void;
  /** As `check`, but alone, before the others: for what cannot share the process. */
  serial(name: string, run: Check<T>): void;
  /** Checks that make sense only for drivers with a capability. */
  group(group: Group<T>, define: (suite: Suite<T, O>) => void): void;
}

export interface Group<T> {
  /** The capability, as the summary names what was not tested, such as `usage`. */
  readonly capability: string;
  /** Asks the driver itself. Never its id. */
  when(driver: T): boolean;
}

/** Declares the suite of one kind of driver. `define` is called at each use. */
export function defineSuite<T, O extends SuiteOptions = SuiteOptions>(
  kind: string,
  define: (suite: Suite<T, O>) => void,
): DriverSuite<T, O> {
  const suite = (test: TestInterface, open: Open<T>, options: O = {} as O): void => {
    const registration = new Registration(kind, test, open, options);
    define(registration.suite([]));
    registration.finish();
  };
  return Object.defineProperty(suite, 'kind', { value: kind }) as unknown as DriverSuite<T, O>;
}

class CheckTimeout extends Error {}

class Registration<T, O extends SuiteOptions> {
  readonly #names = new Set<string>();
  readonly #kind: string;
  readonly #title: string;
  readonly #summary: Summary;
  readonly #limit: ReturnType<typeof limiter>;

  constructor(
    kind: string,
    private readonly test: TestInterface,
    private readonly open: Open<T>,
    private readonly options: O,
  ) {
    this.#kind = kind;
    this.#title = options.label === undefined ? kind : `${kind} (${options.label})`;
    this.#summary = new Summary(this.#title);
    this.#limit = limiter(options.concurrency ?? 8);
  }

  suite(groups: readonly Group<T>[]): Suite<T, O> {
    return {
      options: this.options,
      check: (name, run) => this.#register(groups, name, run, this.test),
      serial: (name, run) => this.#register(groups, name, run, this.test.serial),
      group: (group, define) => define(this.suite([...groups, group])),
    };
  }

  finish(): void {
    const { knownFailures = {}, leakProbes = [] } = this.options;
    const unknown = Object.keys(knownFailures).filter((name) => !this.#names.has(name));
    if (unknown.length > 0) throw new Error(`${this.#title}: knownFailures names no check: ${unknown.join(', ')}`);
    const before = takeStock(leakProbes);
    this.test.after.always(`${this.#title}: summary`, async (t) => {
      for (const line of this.#summary.lines()) t.log(line);
      t.deepEqual(await leaksSince(before, leakProbes), [], 'every resource was released');
    });
  }

  #register(groups: readonly Group<T>[], name: string, run: Check<T>, register: TestInterface['serial']): void {
    if (this.#names.has(name)) throw new Error(`${this.#title}: two checks are named "${name}"`);
    this.#names.add(name);
    const knownFailure = this.options.knownFailures?.[name];
    const title = `${this.#title}: ${name}`;
    const body = (t: Assertions): Promise<void> => this.#limit(() => this.#run(t, groups, name, run));
    if (knownFailure === undefined) register(title, body);
    else this.test.failing(`${title} (known: ${knownFailure})`, body);
  }

  async #run(t: Assertions, groups: readonly Group<T>[], name: string, run: Check<T>): Promise<void> {
    const lifetime = new Lifetime();
    const calls = new RecordedCalls();
    let id = 'that could not be opened';
    const open = async (): Promise<Opened<T>> => {
      const opened = recorded(await this.open(), calls);
      id = opened.id;
      lifetime.add(async () => {
        await opened.release();
        await opened.release(); // twice is allowed
      });
      return opened;
    };
    try {
      await this.#within('the check', async () => {
        const opened = await open();
        const absent = groups.find((group) => !group.when(opened.driver));
        if (absent === undefined) {
          await run(t, opened, open);
          this.#summary.tested();
        } else {
          this.#summary.notTested(name, absent.capability);
          t.pass(`not tested: the driver says it has no ${absent.capability}`);
        }
      });
    } catch (error) {
      await this.#explain(t, id, calls, error instanceof CheckTimeout);
      // The first failure is the one to show.
      await this.#within('the stop', () => lifetime.release()).catch(() => undefined);
      throw error;
    }
    await this.#within(`the stop of the ${this.#kind} driver ${id}`, () => lifetime.release());
  }

  /** Work that waits for a promise of the driver's that never settles would end the process without a word. */
  #within(what: string, work: () => Promise<void>): Promise<void> {
    const { checkTimeoutSeconds = 1_800 } = this.options;
    const error = () => new CheckTimeout(`${what} did not finish within ${checkTimeoutSeconds} s`);
    return withDeadline({ milliseconds: checkTimeoutSeconds * 1000, error }, work);
  }

  /** What the driver was asked and answered, and what the contract says of the last of it. */
  async #explain(t: Assertions, id: string, calls: RecordedCalls, isTimeout: boolean): Promise<void> {
    const last = isTimeout ? (calls.pending ?? calls.last) : calls.last;
    if (last === undefined) return;
    t.log(`what the check asked of the ${this.#kind} driver ${id}, and what it did:`);
    for (const line of calls.lines()) t.log(`  ${line}`);
    if (isTimeout && calls.pending === undefined) {
      t.log('all of these have settled, so it is what one of them gave, such as a sink, that does not');
      return;
    }
    const sentence = await contractSentence(this.#kind, last);
    if (sentence !== undefined) t.log(`the contract says of ${sentence.method}: ${sentence.text}`);
  }
}

/** The same opened driver with its calls recorded, and so when it is opened again. */
function recorded<T>(opened: Opened<T>, calls: RecordedCalls): Opened<T> {
  return {
    ...opened,
    driver: calls.record(opened.driver),
    reopen: async (options) => recorded(await opened.reopen(options), calls),
  };
}
