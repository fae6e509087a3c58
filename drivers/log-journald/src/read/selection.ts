import type { LogContainer, LogQuery, LogRecord } from '@gantry/core/contracts';
import { attributesOf } from '@gantry/lib-log/options';
import { priorities } from '../write/entry.js';
import type { Entry } from './export-parser.js';

/** The fields that are read, beside those that name the entry. */
const fields = ['MESSAGE', 'PRIORITY', 'SYSLOG_TIMESTAMP', 'CONTAINER_PARTIAL_MESSAGE', 'CONTAINER_LOG_ORDINAL'];

/** What is sent takes no time, but clocks are set: entries that came so long before what is asked for are looked at. */
const slack = 60_000_000n;

/** Which entries of the journal a query is about. */
export class Selection {
  readonly #query: LogQuery;
  readonly #attributes: Readonly<Record<string, string>> | undefined;
  readonly #matches: readonly string[];

  constructor(container: LogContainer, epoch: string, query: LogQuery) {
    this.#query = query;
    this.#attributes = attributesOf(container);
    const streams = (['stdout', 'stderr'] as const).filter((stream) => query[stream]);
    this.#matches = [
      `CONTAINER_ID_FULL=${container.id}`,
      `CONTAINER_LOG_EPOCH=${epoch}`,
      ...streams.map((stream) => `PRIORITY=${priorities[stream]}`),
    ];
  }

  /** Arguments of journalctl for the container's entries of the streams that are asked for. */
  get arguments(): readonly string[] {
    return ['-q', '-a', '-o', 'export', `--output-fields=${fields.join(',')}`, ...this.#matches];
  }

  /** An argument that leaves out what came long before; not together with a cursor. */
  get begin(): readonly string[] {
    const { since } = this.#query;
    if (since === undefined) return [];
    const microseconds = since / 1000n - slack;
    const fraction = `${microseconds % 1_000_000n}`.padStart(6, '0');
    return microseconds <= 0n ? [] : [`--since=@${microseconds / 1_000_000n}.${fraction}`];
  }

  /** The record of an entry; undefined when it is out of the query's times. */
  record(entry: Entry): LogRecord | undefined {
    const { since, until } = this.#query;
    const time = timeOf(entry);
    if ((since !== undefined && time < since) || (until !== undefined && time > until)) return undefined;
    return {
      stream: entry.get('PRIORITY')?.toString() === `${priorities.stderr}` ? 'stderr' : 'stdout',
      time,
      line: entry.get('MESSAGE') ?? Buffer.alloc(0),
      partial: entry.get('CONTAINER_PARTIAL_MESSAGE')?.toString() === 'true',
      ...(this.#attributes !== undefined && { attributes: this.#attributes }),
    };
  }
}

export const cursorOf = (entry: Entry): string => entry.get('__CURSOR')?.toString() ?? '';
export const ordinalOf = (entry: Entry): number => Number(entry.get('CONTAINER_LOG_ORDINAL')?.toString() ?? 0);

/** When the line was written; failing that, when the journal had it. */
function timeOf(entry: Entry): bigint {
  const [, whole, fraction] = /^(.{19})\.(\d{9})Z$/.exec(entry.get('SYSLOG_TIMESTAMP')?.toString() ?? '') ?? [];
  if (whole === undefined) return BigInt(entry.get('__REALTIME_TIMESTAMP')?.toString() ?? 0) * 1000n;
  return BigInt(Date.parse(`${whole}Z`)) * 1_000_000n + BigInt(fraction ?? 0);
}
