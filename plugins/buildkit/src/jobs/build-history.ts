import { type Collection, type StateDriver, StateDrivers } from '@gantry/core/contracts';
import { type DriverSet, inject, injectable, Logger } from '@gantry/core/driver';
import { notFound } from '@gantry/core/errors';
import type { JobProgress } from '../progress/job-progress.js';
import type { Attributes, StatusResponse } from '../protocol/messages.js';
import type { BuildJob } from './build-job.js';
import { parseStoredBuild, recordOf, type StoredBuild, storedBuildOf } from './stored-build.js';

/** Most builds that are remembered, except pinned ones. */
const maxBuilds = 50;

export interface HistoryRecord {
  readonly ref: string;
  readonly exporters: readonly object[];
  /** A client that drives the build itself names the frontend only in its gateway. */
  readonly frontend: string;
  readonly attributes: Attributes;
  readonly progress: Pick<JobProgress, 'counts' | 'reported'>;
  readonly created: Date;
  readonly completed?: { readonly at: Date; readonly response: Attributes; readonly error: string | undefined };
  readonly isPinned: boolean;
}

export interface HistoryEvent {
  readonly type: 'started' | 'complete' | 'deleted';
  readonly record: HistoryRecord;
}

/** The builds of clients, for `buildx history`. Those that have ended are stored, behind the answer to the client. */
@injectable()
export class BuildHistory {
  readonly #stored: Collection<StoredBuild>;
  readonly #records = new Map<string, HistoryRecord>();
  readonly #listeners = new Set<(event: HistoryEvent) => void>();

  constructor(
    @inject(StateDrivers.token) states: DriverSet<StateDriver>,
    @inject(Logger) private readonly log: Logger,
  ) {
    this.#stored = states.get().collection({ name: 'build-history', version: 1, parse: parseStoredBuild });
    const stored = [...this.#stored.entries()].map(([, build]) => build).sort((a, b) => a.created - b.created);
    for (const build of stored) this.#records.set(build.ref, recordOf(build));
  }

  /** The oldest first. */
  get records(): readonly HistoryRecord[] {
    return [...this.#records.values()];
  }

  start({ request, progress }: BuildJob): void {
    const { Ref: ref, Frontend: frontend, FrontendAttrs: attributes, Exporters: exporters } = request;
    const record = { ref, exporters, frontend, attributes, progress, created: new Date(), isPinned: false };
    this.#records.set(ref, record);
    this.#publish({ type: 'started', record });
  }

  /** The client's build function names frontend and attributes. */
  describe({ request: { Ref } }: BuildJob, frontend: string, attributes: Attributes): void {
    const record = this.#records.get(Ref);
    if (record !== undefined) this.#records.set(Ref, { ...record, frontend, attributes });
  }

  complete({ request: { Ref } }: BuildJob, response: Attributes, error: string | undefined): void {
    const started = this.#records.get(Ref);
    if (started === undefined) return;
    const record = { ...started, completed: { at: new Date(), response, error } };
    this.#keep(record);
    this.#publish({ type: 'complete', record });
    const excess = this.records.filter(({ completed, isPinned }) => completed !== undefined && !isPinned);
    for (const old of excess.slice(0, Math.max(0, excess.length - maxBuilds))) this.remove(old.ref);
  }

  /** The whole progress of a build that has ended; undefined for any other. */
  progress(ref: string): readonly StatusResponse[] | undefined {
    const record = this.#records.get(ref);
    return record?.completed === undefined ? undefined : record.progress.reported;
  }

  pin(ref: string, isPinned: boolean): void {
    this.#keep({ ...this.#get(ref), isPinned });
  }

  /** @throws EngineError `not-found`. */
  remove(ref: string): void {
    const record = this.#get(ref);
    this.#records.delete(ref);
    this.#observe(this.#stored.delete(ref));
    this.#publish({ type: 'deleted', record });
  }

  /** @throws EngineError `not-found`. */
  check(ref: string): void {
    this.#get(ref);
  }

  /** @returns stops it. */
  listen(listener: (event: HistoryEvent) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  #keep(record: HistoryRecord): void {
    this.#records.set(record.ref, record);
    const stored = storedBuildOf(record);
    if (stored !== undefined) this.#observe(this.#stored.put(record.ref, stored));
  }

  #observe(write: Promise<void>): void {
    write.catch((err: unknown) => {
      this.log.warn({ event: 'buildkit.history-not-stored', err }, 'failed to store the history of builds');
    });
  }

  #get(ref: string): HistoryRecord {
    const record = this.#records.get(ref);
    if (record === undefined) throw notFound(`no record of build ${ref}`);
    return record;
  }

  #publish(event: HistoryEvent): void {
    for (const listener of this.#listeners) listener(event);
  }
}
