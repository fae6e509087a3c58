import { readFile } from 'node:fs/promises';

/** The processors of the host. */
export interface SystemCpu {
  /** Nanoseconds that all processors together have spent, with whatever or with nothing. */
  readonly usage: number;
  readonly online: number;
}

const nanosecondsPerTick = 10_000_000;

/** Of user, nice, system, idle, iowait, irq and softirq; what guests used is in user already. */
const countedFields = 7;

/** Reads the text of /proc/stat. */
export function parseSystemCpu(text: string): SystemCpu {
  const fields = /^cpu +(.*)$/m.exec(text)?.[1]?.split(' ').map(Number) ?? [];
  const ticks = fields.slice(0, countedFields).reduce((sum, field) => sum + field, 0);
  return { usage: ticks * nanosecondsPerTick, online: [...text.matchAll(/^cpu\d+ /gm)].length };
}

/** Reads it from the host; who asks while it is being read gets the same. */
export function systemCpuReader(): () => Promise<SystemCpu> {
  let reading: Promise<SystemCpu> | undefined;
  const read = async (): Promise<SystemCpu> => {
    try {
      return parseSystemCpu(await readFile('/proc/stat', 'utf8'));
    } finally {
      reading = undefined;
    }
  };
  return () => {
    reading ??= read();
    return reading;
  };
}
