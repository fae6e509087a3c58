import type { NetworkDriver, SandboxDriver } from '@gantry/core/contracts';
import type { Opened } from '../open-driver.js';
import type { Suite, SuiteOptions } from '../suite.js';
import type { Assertions } from '../test-interface.js';
import { NetworkStage } from './network-stage.js';

export interface NetworkSuiteOptions extends SuiteOptions {
  /** Opens a sandbox driver whose sandboxes the network driver can join. Released after each check. */
  sandboxes(): Promise<Opened<SandboxDriver>>;
  /** Options of networks, each with a value that the driver must refuse. */
  readonly badOptions?: Readonly<Record<string, string>>;
}

/** Checks with a stage, which is cleared after each. */
export interface StagedSuite {
  check(name: string, run: (t: Assertions, stage: NetworkStage) => Promise<void>): void;
}

export const staged = (suite: Suite<NetworkDriver, NetworkSuiteOptions>): StagedSuite => ({
  check(name, run) {
    suite.check(name, async (t, opened) => {
      const sandboxes = await suite.options.sandboxes();
      const stage = new NetworkStage(opened, sandboxes.driver);
      try {
        await run(t, stage);
        await stage.clear();
      } finally {
        for (const id of await sandboxes.driver.list()) await sandboxes.driver.remove(id);
        await sandboxes.release();
      }
    });
  },
});
