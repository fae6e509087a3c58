export { Host, type HostFacts } from './host.js';
export { isClockSynchronized } from './is-clock-synchronized.js';
export { kernelHost } from './kernel-host.js';
export { isInUserNamespace } from './user-namespace.js';
