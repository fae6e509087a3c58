import { findEtcd } from '@gantry/bench';
import { usageOf } from '@gantry/test-nodes';
import type { FleetProcess } from './fleet/fleet-process.js';
import type { YearManagers } from './managers/year-managers.js';
import { type StoreUsage, storeUsageOf } from './measure/store-usage.js';
import { type Sample, type Trend, trendOf } from './measure/trend.js';

const mebibyte = 2 ** 20;

/** Something that is measured again and again, of one process. */
interface Measured extends Sample {
  /** Its process: what is measured of another one begins anew. */
  readonly pid: number;
}

interface MemoryTrend extends Trend {
  /** Whether one process lived as long as the trend. */
  readonly isOneProcess: boolean;
}

/** What processes and stores take in the course of a year, in MiB by the day. */
export class YearSamples {
  readonly #series = new Map<string, Measured[]>();

  constructor(
    private readonly managers: YearManagers,
    private readonly fleet: FleetProcess,
  ) {}

  /** @param withHeap measures the heaps too, which collects their garbage. */
  async take(day: number, withHeap: boolean): Promise<void> {
    for (const [index, node] of this.managers.nodes.entries()) {
      const { pid } = node.daemon;
      this.#add(`manager ${index + 1} resident`, day, pid, usageOf(pid).memoryMebibytes);
      if (withHeap) this.#add(`manager ${index + 1} heap`, day, pid, (await this.managers.heapOf(node)) / mebibyte);
      try {
        const etcd = findEtcd(node.daemon.directory);
        this.#add(`etcd ${index + 1} resident`, day, etcd, usageOf(etcd).memoryMebibytes);
        this.#addStore(index, day, etcd, await storeUsageOf(node));
      } catch {
        // It was killed, or has exited, and is being started: there is a sample of it fewer.
      }
    }
    const { pid } = this.fleet;
    this.#add('nodes resident', day, pid, usageOf(pid).memoryMebibytes);
    if (withHeap) this.#add('nodes heap', day, pid, (await this.fleet.ask('heap')) / mebibyte);
  }

  get names(): readonly string[] {
    return [...this.#series.keys()];
  }

  /** From a day on; undefined while there are too few samples. */
  trend(name: string, fromDay: number): MemoryTrend | undefined {
    const samples = (this.#series.get(name) ?? []).filter(({ at }) => at >= fromDay);
    const trend = trendOf(samples);
    return trend && { ...trend, isOneProcess: samples.every(({ pid }) => pid === samples[0]?.pid) };
  }

  most(name: string, fromDay: number, toDay: number): number {
    const samples = (this.#series.get(name) ?? []).filter(({ at }) => at >= fromDay && at < toDay);
    return Math.max(...samples.map(({ value }) => value));
  }

  last(name: string): number {
    return this.#series.get(name)?.at(-1)?.value ?? 0;
  }

  toJSON(): object {
    return Object.fromEntries(this.#series);
  }

  #addStore(index: number, day: number, pid: number, usage: StoreUsage): void {
    this.#add(`store ${index + 1} file`, day, pid, usage.fileBytes / mebibyte);
    this.#add(`store ${index + 1} in use`, day, pid, usage.usedBytes / mebibyte);
    this.#add(`store ${index + 1} directory`, day, pid, usage.directoryBytes / mebibyte);
    this.#add(`store ${index + 1} keys`, day, pid, usage.keys);
    this.#add(`store ${index + 1} defragmentations`, day, pid, usage.defragmentations);
  }

  #add(name: string, at: number, pid: number, value: number): void {
    const series = this.#series.get(name) ?? [];
    series.push({ at, pid, value });
    this.#series.set(name, series);
  }
}
