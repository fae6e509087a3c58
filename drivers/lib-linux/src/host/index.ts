export { Host, type HostFacts } from './host.js';
export { kernelHost } from './kernel-host.js';
