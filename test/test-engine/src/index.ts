export type { Answer, AskOptions, Opened } from './client.js';
export { eventually } from './eventually.js';
export { startEngine, type TestEngine, type TestOwner } from './test-engine.js';
