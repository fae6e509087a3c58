import { closeSync, openSync } from 'node:fs';
import { workerData } from 'node:worker_threads';
import { LinuxError } from '../errors/linux-error.js';
import { CLONE_NEWNS, O_CLOEXEC, O_PATH } from '../ffi/constants.js';
import { closeDescriptor } from '../system-calls/close-descriptor.js';
import { SystemCall } from '../system-calls/system-call.js';
import { separateThread } from './confine-thread.js';
import { kernelFiles } from './kernel-files.js';
import { isTmpfs, openTreeAt, placeTree } from './process-tmpfs.js';
import type { ShareTmpfsRequest } from './share-tmpfs.js';

/** The thread goes from one container's mounts to the other's, and ends there. */
const { from, to, path } = workerData as ShareTmpfsRequest;
const setns = new SystemCall<[fd: number, kind: number]>('setns', 'int', ['int', 'int']);
const EINVAL = 22;

separateThread();
const namespaceOf = (process: string): number => openSync(`/proc/${process}/ns/mnt`, O_CLOEXEC);
const [source, home, target] = [namespaceOf(String(from)), namespaceOf('thread-self'), namespaceOf(String(to))];
const opened: number[] = [];
try {
  setns.call(path, source, CLONE_NEWNS);
  const tree = openTreeAt(path);
  opened.push(tree);
  setns.call(path, home, CLONE_NEWNS);
  if (!isTmpfs(tree)) throw new LinuxError(EINVAL, 'open_tree', { path });
  setns.call(path, target, CLONE_NEWNS);
  const place = kernelFiles.openIn('/', path, { flags: O_PATH });
  opened.push(place);
  placeTree(tree, place);
} finally {
  for (const descriptor of opened) closeDescriptor(descriptor);
  for (const namespace of [source, home, target]) closeSync(namespace);
}
