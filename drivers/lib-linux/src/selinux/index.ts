export { kernelSELinux } from './kernel-selinux.js';
export { type ContainerContexts, SELinux } from './selinux.js';
