export { fc } from './configured.js';
export { isRefusal, refusedOr } from './refused-or.js';
