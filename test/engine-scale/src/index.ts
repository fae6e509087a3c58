export { type MeasuredEngine, startOwn } from './engines/measured-engine.js';
export { measureEngine } from './measure/measure-engine.js';
