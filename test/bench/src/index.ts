export { findEtcd } from './cluster/find-etcd.js';
export { Engine } from './engine.js';
export { percentile } from './measurements.js';
export { runGrowths } from './run-growths.js';
export { runScenarios } from './run-scenarios.js';
export type { Scenario, Subject } from './scenario.js';
export { scenarios } from './scenarios/index.js';
export { comparison, type EngineFigures, growthTable } from './tables.js';
