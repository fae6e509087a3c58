export { eventLoopWatcher } from './event-loop-watcher.js';
export { type FdEvents, type FdWatch, type ProcessWatch, Watcher, type WatchOptions } from './watch.js';
