import type { Readable } from 'node:stream';

/** What a monitor reports to the process that started it. */
interface SyncMessage {
  /** A pid, an exit code, or a negative number for a failure. */
  readonly data: number;
  readonly message: string | undefined;
}

/**
 * The pipe a monitor reports on, one JSON object a line. Its standard error leads here too, until it has gone into the
 * background: those lines are kept in case it exits without a report.
 */
export class SyncPipe {
  readonly #messages: SyncMessage[] = [];
  readonly #waiting: ((message: SyncMessage | undefined) => void)[] = [];
  readonly #printed: string[] = [];
  #rest = '';
  #ended = false;

  /** Owns the stream from now on. */
  constructor(private readonly stream: Readable) {
    stream.setEncoding('utf8');
    stream.on('data', (text: string) => this.#take(text));
    stream.once('close', () => this.#end());
    stream.once('end', () => this.#end());
    stream.once('error', () => this.#end());
  }

  /** The next report; undefined when the monitor has exited without another, or after `close`. */
  next(): Promise<SyncMessage | undefined> {
    const message = this.#messages.shift();
    if (message !== undefined || this.#ended) return Promise.resolve(message);
    return new Promise((resolve) => this.#waiting.push(resolve));
  }

  /** What the monitor printed besides its reports. */
  get printed(): string {
    return this.#printed.join('\n');
  }

  close(): void {
    this.stream.destroy();
    this.#end();
  }

  #take(text: string): void {
    const lines = (this.#rest + text).split('\n');
    this.#rest = lines.pop() ?? '';
    for (const line of lines) this.#takeLine(line);
  }

  #takeLine(line: string): void {
    const message = parseSyncMessage(line);
    if (message === undefined) {
      if (line.trim() !== '') this.#printed.push(line.trim());
      return;
    }
    const waiting = this.#waiting.shift();
    if (waiting === undefined) this.#messages.push(message);
    else waiting(message);
  }

  #end(): void {
    if (this.#ended) return;
    if (this.#rest !== '') this.#takeLine(this.#rest);
    this.#ended = true;
    for (const waiting of this.#waiting.splice(0)) waiting(undefined);
  }
}

/** Undefined for a line that is no report. A message's control characters need not be escaped as JSON wants them. */
export function parseSyncMessage(line: string): SyncMessage | undefined {
  const [, number, rest = ''] = /^\{"data": ?(-?\d+)(.*)\}\s*$/s.exec(line) ?? [];
  if (number === undefined) return undefined;
  const [, quoted] = /^, ?"message": ?("(?:[^"\\]|\\.)*")$/s.exec(rest) ?? [];
  return { data: Number(number), message: quoted === undefined ? undefined : unquote(quoted) };
}

function unquote(quoted: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for
  const escaped = quoted.replace(/[\u0000-\u001f]/g, (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`);
  try {
    return JSON.parse(escaped) as string;
  } catch {
    return quoted.slice(1, -1);
  }
}
