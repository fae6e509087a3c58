export { Host, type HostFacts } from './host.js';
export { kernelHost } from './kernel-host.js';
export { isInUserNamespace } from './user-namespace.js';
