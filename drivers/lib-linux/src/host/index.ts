export type { Host, HostFacts } from './host.js';
export { countOfList, kernelHost, parseOsRelease } from './kernel-host.js';
