import { renameSync, writeFileSync } from 'node:fs';
import { isMainThread } from 'node:worker_threads';
import { usedHeap } from './used-heap.js';

// Imported into the process of a daemon (NODE_OPTIONS), whose heap only the process itself can measure: on SIGUSR2 it writes
// the bytes in use into a file that is named after the process.
const { GANTRY_HEAP_REPORTS: directory } = process.env;
if (isMainThread && directory !== undefined) {
  process.on('SIGUSR2', () => {
    const file = `${directory}/${process.pid}`;
    writeFileSync(`${file}.new`, String(usedHeap()));
    renameSync(`${file}.new`, file);
  });
}
