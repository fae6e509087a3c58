import { Semaphore } from './semaphore.js';

/**
 * Bounds the operations that create and delete files under the data root, each of which makes up to three calls in
 * parallel. While a disk hangs, every call blocks a thread of Node's pool; the limit keeps threads free for readers.
 */
export const diskSemaphore = new Semaphore(8);
