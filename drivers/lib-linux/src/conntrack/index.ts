export { type ConnectionFilter, Conntrack } from './conntrack.js';
export { kernelConntrack } from './kernel-conntrack.js';
