import { closeSync, openSync, readSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { closeDescriptor } from '../ffi/close-descriptor.js';
import { EFD_CLOEXEC, EFD_NONBLOCK } from '../ffi/constants.js';
import { SystemCall } from '../ffi/system-call.js';
import { eventLoopWatcher } from './event-loop-watcher.js';

const eventfd = new SystemCall<[count: number, flags: number]>('eventfd', 'int', ['uint', 'int']);

/**
 * Calls back each time the kernel kills a process of a version 1 memory cgroup for want of memory. The kernel also
 * signals when the group is removed. @returns ends it.
 */
export function watchMemoryKills(directory: string, listener: () => void): () => void {
  const counter = eventfd.call(undefined, 0, EFD_CLOEXEC | EFD_NONBLOCK);
  const bytes = Buffer.alloc(8);
  try {
    const control = openSync(join(directory, 'memory.oom_control'), 'r');
    try {
      writeFileSync(join(directory, 'cgroup.event_control'), `${counter} ${control}`);
    } finally {
      closeSync(control);
    }
    const watch = eventLoopWatcher.fd(counter, { readable: true }, () => {
      readSync(counter, bytes);
      listener();
    });
    let open = true;
    return () => {
      if (!open) return;
      open = false;
      watch.close();
      closeDescriptor(counter);
    };
  } catch (error) {
    closeDescriptor(counter);
    throw error;
  }
}
