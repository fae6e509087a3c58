import { isAbort } from '../../../api/api-error';
import { send } from '../../../api/request';
import { Store } from '../../../store/store';
import { type Exposition, parseExposition, sumOf } from './exposition';

export interface Point {
  /** Seconds since 1970. */
  readonly time: number;
  /** Milliseconds. */
  readonly delayMedian: number;
  readonly delayHigh: number;
  /** Percent of one CPU. */
  readonly cpu: number;
  /** Bytes. */
  readonly resident: number;
  readonly heap: number;
  /** A second. */
  readonly requests: number;
  readonly commits: number;
}

const pause = 5_000;
const shownFor = 3_600;

/** What the daemon uses, as far as the page was open: it is measured when it is read, and no event says that it changed. */
class MetricsHistory {
  readonly points = new Store<readonly Point[]>([]);
  readonly latest = new Store<Exposition | undefined>(undefined);
  readonly error = new Store<unknown>(undefined);
  private before: { readonly time: number; readonly exposition: Exposition } | undefined;

  /** @returns ends the readings. */
  start(): () => void {
    const abort = new AbortController();
    void this.run(abort.signal);
    return () => abort.abort();
  }

  private async run(signal: AbortSignal): Promise<void> {
    // What is older than a pause would flatten the first rates.
    this.before = undefined;
    while (!signal.aborted) {
      try {
        if (!document.hidden) await this.read(signal);
        this.error.set(undefined);
      } catch (error) {
        if (isAbort(error) || signal.aborted) return;
        this.error.set(error);
      }
      await new Promise((resolve) => setTimeout(resolve, this.points.get().length === 0 ? 1_000 : pause));
    }
  }

  private async read(signal: AbortSignal): Promise<void> {
    const exposition = parseExposition(await (await send('/api/metrics', { signal })).text());
    const time = Date.now() / 1000;
    const before = this.before;
    this.before = { time, exposition };
    this.latest.set(exposition);
    if (before === undefined) return;
    const rate = (name: string): number =>
      Math.max(0, sumOf(exposition, name) - sumOf(before.exposition, name)) / (time - before.time);
    const delay = (percentile: string): number =>
      sumOf(exposition, 'gantry_event_loop_delay_seconds', ['percentile', percentile]) * 1000;
    const point: Point = {
      time,
      delayMedian: delay('50'),
      delayHigh: delay('99'),
      cpu: rate('gantry_process_cpu_seconds_total') * 100,
      resident: sumOf(exposition, 'gantry_process_resident_memory_bytes'),
      heap: sumOf(exposition, 'gantry_process_heap_used_bytes'),
      requests: rate('gantry_http_requests_total'),
      commits: rate('gantry_state_commits_total'),
    };
    this.points.set([...this.points.get().filter((old) => old.time > time - shownFor), point]);
  }
}

export const metricsHistory = new MetricsHistory();
