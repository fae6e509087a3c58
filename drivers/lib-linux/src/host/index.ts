export { Host, type HostFacts } from './host.js';
export { countOfList, kernelHost, parseOsRelease } from './kernel-host.js';
