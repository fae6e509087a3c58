import type { RuntimeDriver } from '@gantry/core/contracts';
import { controlChecks } from './runtime/control-checks.js';
import { daemonChecks } from './runtime/daemon-checks.js';
import type { RuntimeSuiteOptions } from './runtime/define.js';
import { execChecks } from './runtime/exec-checks.js';
import { lifeChecks } from './runtime/life-checks.js';
import { preparationChecks } from './runtime/preparation-checks.js';
import { streamChecks } from './runtime/stream-checks.js';
import { defineSuite } from './suite.js';

export type { RuntimeSuiteOptions } from './runtime/define.js';

/** The promises of `contracts/runtime.ts`. */
export const runtimeDriverSuite = defineSuite<RuntimeDriver, RuntimeSuiteOptions>('runtime', (suite) => {
  lifeChecks(suite);
  preparationChecks(suite);
  streamChecks(suite);
  controlChecks(suite);
  execChecks(suite);
  daemonChecks(suite);
});
