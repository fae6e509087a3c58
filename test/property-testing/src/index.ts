export { fc } from './configured.js';
export { isRefusal, refusedOr } from './refusal.js';
