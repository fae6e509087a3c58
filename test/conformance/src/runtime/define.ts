import type { RuntimeCapabilities, RuntimeDriver } from '@gantry/core/contracts';
import type { Open, Suite, SuiteOptions } from '../suite.js';
import type { Assertions } from '../test-interface.js';
import { Fixture } from './fixture.js';

export interface RuntimeSuiteOptions extends SuiteOptions {
  /**
   * A root file system with `true`, `false`, `echo`, `printf`, `sleep`, `cat`, `stty` and `sh`, and with `/etc`.
   * Checks do not write into it. Not needed by a driver that has programs of its own.
   */
  readonly rootfs?: string;
}

export type RuntimeSuite = Suite<RuntimeDriver, RuntimeSuiteOptions>;

type BenchCheck = (t: Assertions, fixture: Fixture, open: Open<RuntimeDriver>) => Promise<void>;

/** As `suite.check`, with a fixture, and without tasks at the end. */
export function check(suite: RuntimeSuite, name: string, run: BenchCheck): void {
  suite.check(name, async (t, opened, open) => {
    const fixture = new Fixture(opened, suite.options.rootfs ?? '/');
    try {
      await run(t, fixture, open);
    } finally {
      await fixture.clear();
    }
  });
}

export const withCapability = (
  suite: RuntimeSuite,
  capability: Exclude<keyof RuntimeCapabilities, 'cgroups'>,
  define: (suite: RuntimeSuite) => void,
): void => suite.group({ capability, when: (driver) => driver.capabilities[capability] === true }, define);
