import { readFileSync } from 'node:fs';
import { constants } from 'node:os';
import { isErrno, LinuxError } from '../errors/linux-error.js';
import { PR_SET_CHILD_SUBREAPER, PR_SET_DUMPABLE } from '../ffi/constants.js';
import { SystemCall } from '../system-calls/system-call.js';
import { parseCapabilityMask } from './capability-names.js';
import type { LimitedResource, Processes, ProcessStatus, ResourceLimit } from './processes.js';

const killCall = new SystemCall<[pid: number, signal: number]>('kill', 'int', ['int', 'int']);
const prctl = new SystemCall<[number, number, number, number, number]>('prctl', 'int', [
  'int',
  'ulong',
  'ulong',
  'ulong',
  'ulong',
]);
const SCHED_OTHER = 0;
const SCHED_BATCH = 3;
const SCHED_RESET_ON_FORK = 0x4000_0000;
const getScheduler = new SystemCall<[pid: number]>('sched_getscheduler', 'int', ['int']);
const setScheduler = new SystemCall<[pid: number, policy: number, priority: Uint8Array]>('sched_setscheduler', 'int', [
  'int',
  'int',
  'void *',
]);
const limitTypes = ['int', 'void *'];
const getrlimit = new SystemCall<[resource: number, limit: Uint8Array]>('getrlimit', 'int', limitTypes);
const setrlimit = new SystemCall<[resource: number, limit: Uint8Array]>('setrlimit', 'int', limitTypes);

function kill(pid: number, signal: number): boolean {
  const result = killCall.attempt(pid, signal);
  if (result === -constants.errno.ESRCH) return false;
  if (result < 0) throw new LinuxError(-result, 'kill', { path: `process ${pid}` });
  return true;
}

function isAlive(pid: number, startTime?: number): boolean {
  const found = status(pid);
  if (found === undefined || found.state === 'Z' || found.state === 'X') return false;
  return startTime === undefined || found.startTime === startTime;
}

function status(pid: number): ProcessStatus | undefined {
  try {
    return parseProcessStatus(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch (error) {
    if (isErrno(error, 'ENOENT', 'ESRCH')) return undefined;
    throw error;
  }
}

/** Reads the text of /proc/PID/stat. The command is in parentheses and may hold any character, these included. */
export function parseProcessStatus(text: string): ProcessStatus {
  const open = text.indexOf('(');
  const close = text.lastIndexOf(')');
  const fields = text.slice(close + 2).split(' ');
  const field = (index: number): number => Number(fields[index]);
  return {
    pid: Number(text.slice(0, open)),
    command: text.slice(open + 1, close),
    state: fields[0] ?? '?',
    parent: field(1),
    group: field(2),
    session: field(3),
    startTime: field(19),
  };
}

const resources = {
  CPU: 0,
  FSIZE: 1,
  DATA: 2,
  STACK: 3,
  CORE: 4,
  RSS: 5,
  NPROC: 6,
  NOFILE: 7,
  MEMLOCK: 8,
  AS: 9,
  LOCKS: 10,
  SIGPENDING: 11,
  MSGQUEUE: 12,
  NICE: 13,
  RTPRIO: 14,
  RTTIME: 15,
} as const satisfies Record<LimitedResource, number>;

const unlimited = 0xffff_ffff_ffff_ffffn;

function getLimit(resource: LimitedResource): ResourceLimit {
  const limit = Buffer.alloc(16);
  getrlimit.call(`RLIMIT_${resource}`, resources[resource], limit);
  const read = (offset: number): number => {
    const value = limit.readBigUInt64LE(offset);
    return value === unlimited ? Number.POSITIVE_INFINITY : Number(value);
  };
  return { soft: read(0), hard: read(8) };
}

function setLimit(resource: LimitedResource, { soft, hard }: ResourceLimit): void {
  const limit = Buffer.alloc(16);
  const write = (value: number, offset: number) =>
    limit.writeBigUInt64LE(value === Number.POSITIVE_INFINITY ? unlimited : BigInt(value), offset);
  write(soft, 0);
  write(hard, 8);
  setrlimit.call(`RLIMIT_${resource}`, resources[resource], limit);
}

function raiseOpenFiles(wanted = 1_048_576): ResourceLimit {
  const { soft, hard } = getLimit('NOFILE');
  for (const goal of [Math.max(hard, wanted), hard]) {
    if (soft >= goal) break;
    try {
      setLimit('NOFILE', { soft: goal, hard: goal });
      break;
    } catch (error) {
      if (!isErrno(error, 'EPERM')) throw error;
    }
  }
  return getLimit('NOFILE');
}

function capabilities(): ReadonlySet<string> {
  const [, mask = '0'] = /^CapEff:\s*([0-9a-f]+)$/m.exec(readFileSync('/proc/thread-self/status', 'utf8')) ?? [];
  return parseCapabilityMask(mask);
}

const setBatchScheduling = (pid: number): boolean =>
  getScheduler.attempt(pid) === SCHED_OTHER &&
  setScheduler.attempt(pid, SCHED_BATCH | SCHED_RESET_ON_FORK, Buffer.alloc(4)) >= 0;

export const kernelProcesses: Processes = {
  kill,
  isAlive,
  status,
  setBatchScheduling,
  becomeSubreaper: () => void prctl.call('PR_SET_CHILD_SUBREAPER', PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0),
  setDumpable: (dumpable) => void prctl.call('PR_SET_DUMPABLE', PR_SET_DUMPABLE, dumpable ? 1 : 0, 0, 0, 0),
  getLimit,
  setLimit,
  raiseOpenFiles,
  capabilities,
};
