export * from './cgroups.js';
export { kernelCgroups } from './kernel-cgroups.js';
