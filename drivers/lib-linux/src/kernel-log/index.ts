export { KernelLog, type MemoryKill } from './kernel-log.js';
