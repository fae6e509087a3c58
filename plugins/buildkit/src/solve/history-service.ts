import { inject, injectable } from '@gantry/core/driver';
import type { ServerCall } from '../grpc/grpc-server.js';
import { BuildHistory, type HistoryEvent, type HistoryRecord } from '../jobs/build-history.js';
import { historyMatcher } from '../jobs/history-matcher.js';
import type { ConnectionFacts } from './connection-facts.js';
import { timestamp } from './timestamp.js';

interface HistoryRequest {
  readonly ActiveOnly: boolean;
  readonly Ref: string;
  /** Of the builds there are, none that follow. */
  readonly EarlyExit: boolean;
  readonly Filter: readonly string[];
  readonly Limit: number;
}

interface UpdateRequest {
  readonly Ref: string;
  readonly Pinned: boolean;
  readonly Delete: boolean;
  /** Make the record's trace, of which there is none here. */
  readonly Finalize: boolean;
}

const types = { started: 0, complete: 1, deleted: 2 } as const;

/** What `buildx history` asks for. */
@injectable()
export class HistoryService {
  constructor(@inject(BuildHistory) private readonly history: BuildHistory) {}

  async *listen(request: HistoryRequest, { signal }: ServerCall<ConnectionFacts>): AsyncGenerator<object> {
    const { ActiveOnly, Ref, EarlyExit, Filter, Limit } = request;
    const matches = historyMatcher(Filter, Date.now());
    const isWanted = (record: HistoryRecord): boolean =>
      (Ref === '' || record.ref === Ref) && !(ActiveOnly && record.completed !== undefined) && matches(record);
    const queue: HistoryEvent[] = [];
    let wake = (): void => undefined;
    const stop = this.history.listen((event) => {
      queue.push(event);
      wake();
    });
    const abort = (): void => wake();
    signal.addEventListener('abort', abort);
    try {
      const known = this.history.records.filter(isWanted);
      const shown = Limit > 0 ? known.slice(-Limit) : known;
      for (const record of shown) {
        yield eventOf({ type: record.completed === undefined ? 'started' : 'complete', record });
      }
      while (!EarlyExit && !signal.aborted) {
        const event = queue.shift();
        if (event !== undefined && isWanted(event.record)) yield eventOf(event);
        if (event !== undefined) continue;
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
    } finally {
      stop();
      signal.removeEventListener('abort', abort);
    }
  }

  async update({ Ref, Pinned, Delete, Finalize }: UpdateRequest): Promise<object> {
    if (Delete) this.history.remove(Ref);
    else if (Finalize) this.history.check(Ref);
    else this.history.pin(Ref, Pinned);
    return {};
  }
}

const eventOf = ({ type, record }: HistoryEvent): object => ({ type: types[type], record: messageOf(record) });

function messageOf(record: HistoryRecord): object {
  const { ref, exporters, frontend, attributes, progress, created, completed, isPinned } = record;
  const { steps, cachedSteps, completedSteps } = progress.counts;
  return {
    Ref: ref,
    Frontend: frontend,
    FrontendAttrs: attributes,
    Exporters: exporters,
    CreatedAt: timestamp(created),
    pinned: isPinned,
    numTotalSteps: steps,
    numCachedSteps: cachedSteps,
    numCompletedSteps: completedSteps,
    ...(completed !== undefined && {
      CompletedAt: timestamp(completed.at),
      ExporterResponse: completed.response,
      ...(completed.error !== undefined && { error: { code: 2, message: completed.error } }),
    }),
  };
}
