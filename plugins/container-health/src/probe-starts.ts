/** Injects the semaphore that limits how many probes are being started at a time: starting a process is what costs. */
export const ProbeStarts = Symbol('probe starts');
