import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

let collect: (() => void) | undefined;

/** Bytes that are in use on the heap of this process, and outside of it for objects there, after a collection of garbage. */
export function usedHeap(): number {
  if (collect === undefined) {
    setFlagsFromString('--expose-gc');
    collect = runInNewContext('gc') as () => void;
  }
  collect();
  const { external, heapUsed } = process.memoryUsage();
  return heapUsed + external;
}
