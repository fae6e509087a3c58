import { isAbort } from '../../../api/api-error';
import { followJsonLines } from '../../../api/follow-stream';
import { Store } from '../../../store/store';
import type { StatsSample } from './stats-types';

export interface Point {
  /** Seconds since 1970. */
  readonly time: number;
  readonly cpu: number;
  readonly memory: number;
  readonly received: number;
  readonly sent: number;
  readonly readBytes: number;
  readonly written: number;
}

const shownFor = 3_600;
const streams = 2;
const remembered = 20;

/** What one container has used in the last hour, as far as the console was open. */
export class StatsHistory {
  readonly points = new Store<readonly Point[]>([]);
  readonly error = new Store<unknown>(undefined);
  private abort: AbortController | undefined;
  private before: { readonly time: number; readonly totals: readonly number[] } | undefined;

  constructor(private readonly id: string) {}

  start(): void {
    if (this.abort !== undefined) return;
    const abort = new AbortController();
    this.abort = abort;
    this.before = undefined;
    this.error.set(undefined);
    followJsonLines<StatsSample>(
      `/stream/containers/${this.id}/stats`,
      { query: { stream: true }, signal: abort.signal },
      (sample) => this.add(sample),
    )
      .catch((error: unknown) => {
        if (!isAbort(error)) this.error.set(error);
      })
      .finally(() => {
        if (this.abort === abort) this.abort = undefined;
      });
  }

  stop(): void {
    this.abort?.abort();
    this.abort = undefined;
  }

  private add(sample: StatsSample): void {
    const time = Date.parse(sample.read) / 1000;
    // A container that does not run answers with the year 1.
    if (!(time > 0)) return;
    const networks = Object.values(sample.networks ?? {});
    const disk = sample.blkio_stats?.io_service_bytes_recursive ?? [];
    const sumOf = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0);
    const operations = (name: string): number =>
      sumOf(disk.filter(({ op }) => op.toLowerCase() === name).map(({ value }) => value));
    const totals = [
      sumOf(networks.map(({ rx_bytes }) => rx_bytes)),
      sumOf(networks.map(({ tx_bytes }) => tx_bytes)),
      operations('read'),
      operations('write'),
    ];
    const before = this.before;
    this.before = { time, totals };
    if (before === undefined || time <= before.time) return;
    const rate = (at: number): number =>
      Math.max(0, ((totals[at] ?? 0) - (before.totals[at] ?? 0)) / (time - before.time));
    const point: Point = {
      time,
      cpu: cpuOf(sample),
      memory: (sample.memory_stats.usage ?? 0) - (sample.memory_stats.stats?.inactive_file ?? 0),
      received: rate(0),
      sent: rate(1),
      readBytes: rate(2),
      written: rate(3),
    };
    this.points.set([...this.points.get().filter((old) => old.time > time - shownFor), point]);
  }
}

/** Percent of one CPU. */
function cpuOf({ cpu_stats, precpu_stats }: StatsSample): number {
  const used = cpu_stats.cpu_usage.total_usage - precpu_stats.cpu_usage.total_usage;
  const passed = (cpu_stats.system_cpu_usage ?? 0) - (precpu_stats.system_cpu_usage ?? 0);
  return used > 0 && passed > 0 ? (used / passed) * (cpu_stats.online_cpus ?? 1) * 100 : 0;
}

const histories = new Map<string, StatsHistory>();

/** Collects on while other pages are shown, for the containers that were looked at last. */
export function collectStats(id: string): StatsHistory {
  const history = histories.get(id) ?? new StatsHistory(id);
  histories.delete(id);
  histories.set(id, history);
  const newest = [...histories].reverse();
  for (const [, old] of newest.slice(streams)) old.stop();
  for (const [forgotten] of newest.slice(remembered)) histories.delete(forgotten);
  history.start();
  return history;
}
