import type { Scenario } from '../scenario.js';
import { containerScenarios } from './containers.js';
import { imageScenarios } from './images.js';
import { logScenarios } from './logs.js';
import { networkScenarios } from './networks-and-volumes.js';
import { pluginScenarios } from './plugins.js';
import { swarmScenarios } from './swarm.js';

/** Every call that changes something. */
export const allScenarios: readonly Scenario[] = [
  ...containerScenarios,
  ...networkScenarios,
  ...imageScenarios,
  ...logScenarios,
  ...pluginScenarios,
  ...swarmScenarios,
];
