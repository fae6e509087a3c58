import { type ContainerRecord, ContainerService, isRunning } from '@gantry/containers/service';
import { inject, injectable } from '@gantry/core/driver';
import { ContainerSamplers } from './container-samplers.js';
import { type StatsRecord, toStatsRecord } from './stats-record.js';

interface StatsRequest {
  /** One record after the other until the container ends. */
  readonly stream: boolean;
  /** Without `stream`: a record of this moment, which no percentage can be computed from. */
  readonly oneShot: boolean;
  readonly signal: AbortSignal;
}

/** Statistics of one container, once or as a stream. */
@injectable()
export class ContainerStats {
  constructor(
    @inject(ContainerService.token) private readonly containers: ContainerService,
    @inject(ContainerSamplers) private readonly samplers: ContainerSamplers,
  ) {}

  /**
   * A container that does not run has one record, of zeros. Ends when the signal aborts.
   * @throws EngineError `not-found`.
   */
  read(reference: string, request: StatsRequest): AsyncIterable<StatsRecord> {
    return this.#records(this.containers.get(reference), request);
  }

  async *#records(record: ContainerRecord, { stream, oneShot, signal }: StatsRequest): AsyncGenerator<StatsRecord> {
    const { id } = record;
    if (!isRunning(record.state)) {
      yield toStatsRecord(record, undefined, undefined);
      return;
    }
    // A container may be renamed while it is watched.
    const named = () => this.containers.find(id) ?? record;
    if (!stream) {
      const reading = await (oneShot ? this.samplers.readAlone(id) : this.samplers.read(id, { signal }));
      yield toStatsRecord(named(), reading.sample, reading.previous);
      return;
    }
    const readings = this.samplers.watch(id);
    const leave = () => readings.cancel();
    signal.addEventListener('abort', leave, { once: true });
    try {
      for await (const reading of readings) {
        if (reading !== undefined) yield toStatsRecord(named(), reading.sample, reading.previous);
      }
    } finally {
      signal.removeEventListener('abort', leave);
      leave();
    }
  }
}
