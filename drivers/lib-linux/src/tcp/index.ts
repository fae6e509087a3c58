export { isUnacknowledged } from './is-unacknowledged.js';
