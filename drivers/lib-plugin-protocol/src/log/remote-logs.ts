import { randomBytes } from 'node:crypto';
import type {
  LogCapabilities,
  LogContainer,
  LogDriver,
  LogPage,
  LogQuery,
  LogRecord,
  LogSink,
} from '@gantry/core/contracts';
import type { Files } from '@gantry/lib-linux/files';
import { capabilitiesOf } from '../client/capabilities-of.js';
import { asObject } from '../client/plugin-answer.js';
import type { PluginClient } from '../client/plugin-client.js';
import { decodeEntries } from './log-entry.js';
import { type FifoPlace, RemoteSink } from './remote-sink.js';
import { toLogInfo } from './to-log-info.js';

/** A plugin as a log driver. The plugin validates options itself, when a log is opened. */
export class RemoteLogs implements LogDriver {
  #canRead = false;
  readonly #sinks = new Set<RemoteSink>();

  /** @param placeOf chooses the paths of a FIFO. */
  constructor(
    private readonly client: PluginClient,
    private readonly placeOf: (name: string) => FifoPlace,
    private readonly files: Files,
  ) {}

  get capabilities(): LogCapabilities {
    return { read: this.#canRead, worker: false, discards: false };
  }

  /** The containers whose logs are open. */
  get uses(): readonly string[] {
    return [...this.#sinks].map(({ containerId }) => `log of ${containerId}`);
  }

  /** Queries the plugin's capabilities; by default it cannot read logs. */
  async loadCapabilities(): Promise<void> {
    const answer = await capabilitiesOf(this.client, 'LogDriver.Capabilities');
    this.#canRead = asObject(answer.Cap)?.ReadLogs === true;
  }

  validate(): void {}

  async open(container: LogContainer): Promise<LogSink> {
    const place = this.placeOf(randomBytes(16).toString('hex'));
    const sink: RemoteSink = new RemoteSink(this.client, this.files, container, place, () => this.#sinks.delete(sink));
    await sink.start();
    this.#sinks.add(sink);
    return sink;
  }

  async *read(container: LogContainer, query: LogQuery): AsyncGenerator<LogPage> {
    const { ended, follow, signal, since, tail, until } = query;
    const body = {
      Info: toLogInfo(container),
      Config: { Since: toTime(since), Until: toTime(until), Tail: tail ?? -1, Follow: follow },
    };
    // The latest entries are in the FIFO until the plugin has answered StopLogging.
    await Promise.all([...this.#sinks].map((sink) => sink.closing(container.id)));
    const stream = await this.client.stream('LogDriver.ReadLogs', body, signal === undefined ? {} : { signal });
    const destroy = () => void stream.destroy();
    signal?.addEventListener('abort', destroy, { once: true });
    // A plugin ends the stream itself after StopLogging; otherwise it is destroyed.
    void ended?.then(() => setTimeout(destroy, 2000).unref());
    let isOver = false;
    void ended?.then(() => {
      isOver = true;
    });
    try {
      for await (const records of decodeEntries(stream))
        yield pageOf(records.filter((record) => matches(record, query)));
    } catch (error) {
      if (!isOver && signal?.aborted !== true) throw error;
    } finally {
      signal?.removeEventListener('abort', destroy);
      stream.destroy();
    }
  }

  path(): string {
    return '';
  }

  async remove(): Promise<void> {}
}

const pageOf = (records: readonly LogRecord[]): LogPage => ({ records: () => records });

/** Applies the query once more, since some plugins ignore it. */
const matches = ({ stream, time }: LogRecord, { since, stderr, stdout, until }: LogQuery): boolean =>
  (stream === 'stdout' ? stdout : stderr) &&
  (since === undefined || time >= since) &&
  (until === undefined || time <= until);

/** RFC 3339 with nanoseconds; the protocol's zero for none. */
function toTime(nanos: bigint | undefined): string {
  if (nanos === undefined) return '0001-01-01T00:00:00Z';
  const fraction = (nanos % 1_000_000_000n).toString().padStart(9, '0');
  return `${new Date(Number(nanos / 1_000_000n)).toISOString().slice(0, 19)}.${fraction}Z`;
}
