export { BoundedQueue, type Lost, type QueueOptions } from '../streams/bounded-queue.js';
export { Demultiplexer } from '../streams/demultiplexer.js';
export { DetachScanner, defaultDetachKeys, parseDetachKeys, type Scanned } from '../streams/detach-keys.js';
export { drainQueue } from '../streams/drain-queue.js';
export { drained } from '../streams/drained.js';
export { FanOut, type FanOutOptions } from '../streams/fan-out.js';
export {
  type Chunk,
  frame,
  frameHeader,
  frameHeaderLength,
  frames,
  type StreamName,
  writeFrame,
} from '../streams/framer.js';
export { joinConnections } from '../streams/join-connections.js';
export { merge } from '../streams/merge.js';
export { writeAll } from '../streams/write-all.js';
