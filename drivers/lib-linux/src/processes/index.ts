export { capabilityNames, parseCapabilityMask } from './capability-names.js';
export type { KernelFeature, KernelFeatureName } from './kernel-features.js';
export { kernelProcesses, parseProcessStatus } from './kernel-processes.js';
export { probeKernel } from './probe-kernel.js';
export { type LimitedResource, Processes, type ProcessStatus, type ResourceLimit } from './processes.js';
export { firstRealTimeSignal, lastRealTimeSignal, signalName, signalNumber } from './signals.js';
export { trimHeap } from './trim-heap.js';
