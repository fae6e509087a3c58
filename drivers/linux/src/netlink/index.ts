export { macBytes, macText } from './attributes.js';
export { kernelNetlink } from './kernel-netlink.js';
export { kernelSysctl } from './kernel-sysctl.js';
export type * from './netlink.js';
