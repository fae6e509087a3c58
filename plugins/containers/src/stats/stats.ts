import type { Container } from '../container.js';
import { isRunning } from '../transitions.js';
import { toStatsRecord } from './stats-record.js';
import type { StatsSamplers } from './stats-samplers.js';

export interface StatsRequest {
  /** One record after the other until the container ends. */
  readonly stream: boolean;
  /** Without `stream`: a record of this moment, which no percentage can be counted from. */
  readonly oneShot: boolean;
  readonly signal: AbortSignal;
}

/** Spec: GET /containers/(id)/stats. One that does not run has one record, of zeros. Ends when the signal aborts. */
export async function* stats(
  samplers: StatsSamplers,
  container: Container,
  { stream, oneShot, signal }: StatsRequest,
): AsyncGenerator<object> {
  if (!isRunning(container.record.state)) {
    yield toStatsRecord(container.record, undefined, undefined);
    return;
  }
  if (!stream) {
    const reading = await (oneShot ? samplers.readAlone(container) : samplers.read(container, { signal }));
    yield toStatsRecord(container.record, reading.sample, reading.previous);
    return;
  }
  const readings = samplers.watch(container);
  const leave = () => readings.cancel();
  signal.addEventListener('abort', leave, { once: true });
  try {
    for await (const reading of readings) {
      if (reading !== undefined) yield toStatsRecord(container.record, reading.sample, reading.previous);
    }
  } finally {
    signal.removeEventListener('abort', leave);
    leave();
  }
}
