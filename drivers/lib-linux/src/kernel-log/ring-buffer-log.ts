import { SystemCall } from '../system-calls/system-call.js';
import type { KernelLog, MemoryKill } from './kernel-log.js';

const klogctl = new SystemCall<[action: number, into: Uint8Array | null, bytes: number]>('klogctl', 'int', [
  'int',
  'void *',
  'int',
]);
const readAll = 3;
const bufferSize = 10;

/** One call for the whole buffer: /dev/kmsg takes one for each of its thousands of records. */
function memoryKills(): readonly MemoryKill[] {
  const bytes = klogctl.call('kernel log', bufferSize, null, 0);
  const text = Buffer.alloc(bytes);
  const read = klogctl.call('kernel log', readAll, text, bytes);
  return parseMemoryKills(text.toString('utf8', 0, read));
}

/**
 * The kills that the kernel's log describes. Lines that programs wrote have a priority of 8 or more. Names of programs are
 * the users': only the last of equal keys is the kernel's.
 */
export function parseMemoryKills(log: string): readonly MemoryKill[] {
  const lines = log.matchAll(
    /^<[0-7]>(?:\[[^\]]*\] ?)*oom-kill:constraint=.*,task_memcg=(\/.*),task=.*,pid=(\d+),uid=\d+$/gm,
  );
  return [...lines].map(([, cgroup = '', pid]) => ({ cgroup, pid: Number(pid) }));
}

/** The kernel's ring buffer. */
export const ringBufferLog: KernelLog = { memoryKills };
