import type { RuntimeDriver } from '@gantry/core/contracts';
import { controlChecks } from './runtime/control.js';
import { daemonChecks } from './runtime/daemon.js';
import type { RuntimeSuiteOptions } from './runtime/define.js';
import { execChecks } from './runtime/exec.js';
import { lifeChecks } from './runtime/life.js';
import { streamChecks } from './runtime/streams.js';
import { defineSuite } from './suite.js';

export type { RuntimeSuiteOptions } from './runtime/define.js';

/** The promises of `contracts/runtime.ts`. */
export const runtimeDriverSuite = defineSuite<RuntimeDriver, RuntimeSuiteOptions>('runtime', (suite) => {
  lifeChecks(suite);
  streamChecks(suite);
  controlChecks(suite);
  execChecks(suite);
  daemonChecks(suite);
});
