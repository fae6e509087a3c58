export { Engine } from './engine.js';
export { runGrowths, runScenarios } from './run.js';
export type { Scenario, Subject } from './scenario.js';
export { scenarios } from './scenarios/index.js';
export { comparison, growthTable, type Measured } from './tables.js';
