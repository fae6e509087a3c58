export { ipam } from './ipam.js';
export { log } from './log.js';
export { onDisk, wipeDisk } from './memory-disk.js';
export { network } from './network.js';
export { runtime } from './runtime.js';
export { sandbox } from './sandbox.js';
export { state } from './state.js';
export { storage } from './storage.js';
export { volume } from './volume.js';
