export { deviceNumbers } from '@gantry/lib-linux/files';
export { capabilityNames, parseCapabilityMask } from '@gantry/lib-linux/processes';
export { capabilityName, defaultCapabilities, processCapabilities } from './capabilities.js';
export { type CgroupDriver, cgroupsPathBelow, scopePrefix, slicePath } from './cgroups-path.js';
export { maskedPaths, readonlyPaths } from './hidden-paths.js';
export { kernelFileSystems, sharedMemory } from './mounts.js';
export { readDevice } from './read-device.js';
