export type { Answer, AskOptions, Opened } from './client.js';
export { startEngine, type TestEngine, type TestOwner } from './engine.js';
export { eventually } from './eventually.js';
