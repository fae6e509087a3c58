import { readFile } from 'node:fs/promises';
import { injectable } from '@gantry/core/driver';

/** CPU time of the host. */
export interface SystemCpu {
  /** Nanoseconds that all CPUs together have spent, idle time included. */
  readonly usage: number;
  readonly online: number;
}

const nanosecondsPerTick = 10_000_000;

/** user, nice, system, idle, iowait, irq and softirq; guest time is part of user. */
const countedFields = 7;

/** Parses the text of /proc/stat. */
export function parseSystemCpu(text: string): SystemCpu {
  const fields = /^cpu +(.*)$/m.exec(text)?.[1]?.split(' ').map(Number) ?? [];
  const ticks = fields.slice(0, countedFields).reduce((sum, field) => sum + field, 0);
  return { usage: ticks * nanosecondsPerTick, online: [...text.matchAll(/^cpu\d+ /gm)].length };
}

/** Reads the host's CPU time; concurrent calls share one read. */
@injectable()
export class SystemCpuReader {
  #reading: Promise<SystemCpu> | undefined;

  read(): Promise<SystemCpu> {
    this.#reading ??= this.#readFile();
    return this.#reading;
  }

  async #readFile(): Promise<SystemCpu> {
    try {
      return parseSystemCpu(await readFile('/proc/stat', 'utf8'));
    } finally {
      this.#reading = undefined;
    }
  }
}
