import { readFileSync } from 'node:fs';

/** What a process has used: processor time in seconds, and its resident memory in MiB. */
export interface ProcessUsage {
  readonly cpuSeconds: number;
  readonly memoryMebibytes: number;
}

const ticksPerSecond = 100;

export function usageOf(pid: number): ProcessUsage {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const [user, system] = [Number(fields[11]), Number(fields[12])];
  const [, resident = 0] = /^VmRSS:\s*(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  return { cpuSeconds: (user + system) / ticksPerSecond, memoryMebibytes: Math.round(Number(resident) / 1024) };
}
