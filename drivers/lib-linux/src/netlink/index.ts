export { macBytes } from './attributes.js';
export { deleteDefaultRoutes, setDefaultRoutes } from './default-routes.js';
export { kernelNetlink } from './kernel-netlink.js';
export { kernelSysctl } from './kernel-sysctl.js';
export * from './netlink.js';
