export * from './cgroups.js';
export { kernelCgroups } from './kernel-cgroups.js';
export { type CgroupLimits, readCgroupLimits } from './read-cgroup-limits.js';
