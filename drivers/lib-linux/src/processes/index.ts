export { capabilityNames, parseCapabilityMask } from './capability-names.js';
export { kernelProcesses } from './kernel-processes.js';
export { type LimitedResource, Processes, type ProcessStatus, type ResourceLimit } from './processes.js';
export { trimHeap } from './trim-heap.js';
