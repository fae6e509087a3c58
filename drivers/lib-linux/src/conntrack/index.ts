export { type ConnectionFilter, Conntrack } from './conntrack.js';
