export * from 'gantry-client';
export { createEngine } from './engine/create-engine.js';
export type { Engine } from './engine/engine.js';
export type { EngineOptions } from './engine/engine-options.js';
export { readDistribution } from './read-distribution.js';
