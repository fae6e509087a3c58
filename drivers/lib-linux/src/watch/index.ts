export { eventLoopWatcher } from './event-loop-watcher.js';
export type { FdEvents, FdWatch, ProcessWatch, Watcher, WatchOptions } from './watch.js';
