import { findEtcd } from '@gantry/bench';
import { usageOf } from '@gantry/test-nodes';
import type { FleetProcess } from './fleet/fleet-process.js';
import type { YearManagers } from './managers/year-managers.js';
import { Duties, type Duty } from './measure/duties.js';
import { type StoreUsage, storeUsageOf } from './measure/store-usage.js';
import { type Sample, type Trend, trendOf } from './measure/trend.js';

const mebibyte = 2 ** 20;

/** Something that is measured again and again, of one process. */
interface Measured extends Sample {
  /** Its process: what is measured of another one begins anew. */
  readonly pid: number;
  /** What it did at the time. */
  readonly as: Duty;
}

interface MemoryTrend extends Trend {
  /** Whether one process lived as long as the trend. */
  readonly isOneProcess: boolean;
  /** The trend is of the samples in which it was this, its most frequent duty. */
  readonly as: Duty;
}

/** What processes and stores take in the course of a year, in MiB by the day. */
export class YearSamples {
  readonly #series = new Map<string, Measured[]>();
  readonly duties = new Duties();

  constructor(
    private readonly managers: YearManagers,
    private readonly fleet: FleetProcess,
  ) {}

  /** @param withHeap measures the heaps too, which collects their garbage. */
  async take(day: number, withHeap: boolean): Promise<void> {
    const leader = await this.managers.leader();
    for (const [index, node] of this.managers.nodes.entries()) {
      const { pid } = node.daemon;
      const sample = { at: day, pid, as: this.duties.of(pid, node === leader, day) };
      this.#add(`manager ${index + 1} resident`, { ...sample, value: usageOf(pid).memoryMebibytes });
      if (withHeap) {
        this.#add(`manager ${index + 1} heap`, { ...sample, value: (await this.managers.heapOf(node)) / mebibyte });
      }
      try {
        const etcd = findEtcd(node.daemon.directory);
        const ofStore = { ...sample, pid: etcd };
        this.#add(`etcd ${index + 1} resident`, { ...ofStore, value: usageOf(etcd).memoryMebibytes });
        this.#addStore(index, ofStore, await storeUsageOf(node));
      } catch {
        // It was killed, or has exited, and is being started: there is a sample of it fewer.
      }
    }
    const { pid } = this.fleet;
    const ofNodes = { at: day, pid, as: 'nodes' } as const;
    this.#add('nodes resident', { ...ofNodes, value: usageOf(pid).memoryMebibytes });
    if (withHeap) this.#add('nodes heap', { ...ofNodes, value: (await this.fleet.ask('heap')) / mebibyte });
  }

  get names(): readonly string[] {
    return [...this.#series.keys()];
  }

  /** From a day on; undefined while there are too few samples. */
  trend(name: string, fromDay: number): MemoryTrend | undefined {
    const samples = (this.#series.get(name) ?? []).filter(({ as, at }) => at >= fromDay && as !== 'settling');
    const all = new Map<Duty, Measured[]>();
    for (const sample of samples) all.set(sample.as, [...(all.get(sample.as) ?? []), sample]);
    const [most] = [...all].sort(([, one], [, other]) => other.length - one.length);
    const trend = most && trendOf(most[1]);
    return trend && { ...trend, isOneProcess: samples.every(({ pid }) => pid === samples[0]?.pid), as: most[0] };
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

  #addStore(index: number, sample: Omit<Measured, 'value'>, usage: StoreUsage): void {
    const of = (what: string, value: number): void => this.#add(`store ${index + 1} ${what}`, { ...sample, value });
    of('file', usage.fileBytes / mebibyte);
    of('in use', usage.usedBytes / mebibyte);
    of('directory', usage.directoryBytes / mebibyte);
    of('keys', usage.keys);
    of('defragmentations', usage.defragmentations);
  }

  #add(name: string, sample: Measured): void {
    const series = this.#series.get(name) ?? [];
    series.push(sample);
    this.#series.set(name, series);
  }
}
