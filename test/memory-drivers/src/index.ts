export { onDisk, wipeDisk } from './memory-disk.js';
export { state } from './state.js';
