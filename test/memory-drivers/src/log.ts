import {
  type LogBatch,
  type LogContainer,
  type LogDriver,
  LogDrivers,
  type LogPage,
  type LogQuery,
  type LogRecord,
  type LogSink,
} from '@gantry/core/contracts';
import { defineDriver } from '@gantry/core/driver';
import { invalidArgument, notFound, unavailable } from '@gantry/core/errors';
import { Type } from '@sinclair/typebox';
import { onDisk } from './memory-disk.js';

const maxText = 16 * 1024;

/** What is kept of one container's output. */
interface Kept {
  readonly records: LogRecord[];
  /** Beginnings of lines, by stream. */
  readonly begun: Map<LogRecord['stream'], LogRecord>;
  resume: string | undefined;
  readonly readers: Set<() => void>;
}

/** By the container's directory. */
type Disk = Map<string, Kept>;

class MemoryLog implements LogDriver {
  readonly capabilities = { read: true, worker: false, discards: false };

  constructor(private readonly disk: Disk) {}

  validate(options: Readonly<Record<string, string>>): void {
    const [name] = Object.keys(options).filter((option) => !known.has(option));
    if (name !== undefined) throw invalidArgument(`unknown log opt '${name}' for memory log driver`);
  }

  async open(container: LogContainer): Promise<LogSink> {
    const kept = this.disk.get(container.directory) ?? {
      records: [],
      begun: new Map(),
      resume: undefined,
      readers: new Set(),
    };
    this.disk.set(container.directory, kept);
    return new MemorySink(kept, attributesOf(container));
  }

  read(container: LogContainer, query: LogQuery): AsyncIterable<LogPage> {
    return readKept(this.disk, container, query);
  }

  path(): string {
    return '';
  }

  async remove(container: LogContainer): Promise<void> {
    this.disk.delete(container.directory);
  }
}

class MemorySink implements LogSink {
  readonly dropped = 0;
  #isClosed = false;

  constructor(
    private readonly kept: Kept,
    private readonly attributes: Readonly<Record<string, string>> | undefined,
  ) {}

  async write(batch: LogBatch): Promise<void> {
    if (this.#isClosed) throw unavailable('the log is closed');
    for (const record of batch.records()) this.#take(record);
    this.kept.resume = batch.resume;
    for (const wake of this.kept.readers) wake();
  }

  async resumeAt(): Promise<string | undefined> {
    return this.kept.resume;
  }

  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    for (const record of this.kept.begun.values()) this.#keep(record);
    this.kept.begun.clear();
    for (const wake of this.kept.readers) wake();
  }

  /** Puts the parts of a line together, up to the size that a record may have. */
  #take(record: LogRecord): void {
    const { begun } = this.kept;
    const before = begun.get(record.stream);
    let line = Buffer.concat([before?.line ?? Buffer.alloc(0), record.line]);
    for (; line.length > maxText; line = line.subarray(maxText)) {
      this.#keep({ ...record, line: line.subarray(0, maxText), partial: true });
    }
    if (record.partial) begun.set(record.stream, { ...record, line });
    else {
      begun.delete(record.stream);
      this.#keep({ ...record, line });
    }
  }

  #keep(record: LogRecord): void {
    this.kept.records.push(this.attributes === undefined ? record : { ...record, attributes: this.attributes });
  }
}

async function* readKept(disk: Disk, container: LogContainer, query: LogQuery): AsyncGenerator<LogPage> {
  const kept = disk.get(container.directory);
  if (kept === undefined) throw notFound(`there is no log of container ${container.id}`);
  let hasEnded = false;
  let wake: () => void = () => undefined;
  const rouse = (): void => wake();
  const end = (): void => {
    hasEnded = true;
    rouse();
  };
  void query.ended?.then(end, end);
  query.signal?.addEventListener('abort', rouse, { once: true });
  kept.readers.add(rouse);
  try {
    let next = kept.records.length;
    const first = kept.records.filter((record) => isAskedFor(record, query));
    yield pageOf(query.tail === undefined ? first : first.slice(first.length - Math.min(first.length, query.tail)));
    while (query.follow && !query.signal?.aborted) {
      const isLast = hasEnded;
      const fresh = kept.records.slice(next);
      next += fresh.length;
      if (fresh.length > 0) yield pageOf(fresh.filter((record) => isAskedFor(record, query)));
      else if (isLast) return;
      else {
        await new Promise<void>((resolve) => {
          wake = resolve;
          if (kept.records.length > next || hasEnded !== isLast || query.signal?.aborted) resolve();
        });
      }
    }
  } finally {
    kept.readers.delete(rouse);
    query.signal?.removeEventListener('abort', rouse);
  }
}

const pageOf = (records: readonly LogRecord[]): LogPage => ({ records: () => records });

const isAskedFor = ({ stream, time }: LogRecord, query: LogQuery): boolean =>
  query[stream] &&
  (query.since === undefined || time >= query.since) &&
  (query.until === undefined || time <= query.until);

const known = new Set(['labels', 'env', 'max-size', 'max-file']);

function attributesOf({ labels, env, options }: LogContainer): Readonly<Record<string, string>> | undefined {
  const variables = env.map((entry) => [entry.split('=', 1)[0] as string, entry.slice(entry.indexOf('=') + 1)]);
  const pick = (from: Readonly<Record<string, string>>, names = '') =>
    Object.entries(from).filter(([name]) => names.split(',').includes(name));
  const found = [...pick(Object.fromEntries(variables), options.env), ...pick(labels, options.labels)];
  return found.length === 0 ? undefined : Object.fromEntries(found);
}

export const log = defineDriver({
  id: 'memory',
  provides: LogDrivers,
  configSchema: Type.Object({}, { additionalProperties: false }),
  create: ({ dirs }) => new MemoryLog(onDisk<Disk>(dirs.root, 'log', () => new Map())),
});
