export { deviceNumbers } from '@gantry/linux/files';
export { capabilityNames, parseCapabilityMask } from '@gantry/linux/processes';
export { capabilityName, defaultCapabilities, processCapabilities } from './capabilities.js';
export { readDevice } from './devices.js';
export { maskedPaths, readonlyPaths } from './hidden-paths.js';
export { kernelFileSystems, sharedMemory } from './mounts.js';
