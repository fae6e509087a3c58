import type { LogMessage } from '@gantry/lib-log';

/** An event as the service takes it. */
export interface LogEvent {
  /** Milliseconds since the epoch. */
  readonly timestamp: number;
  readonly message: string;
}

/** An event that may get more lines. */
export interface OpenEvent extends LogEvent {
  /** Its last line goes on in the next message. */
  readonly isPartial: boolean;
}

/** Most bytes of an event, and of a request, and what an event counts beside its text. */
const eventBytes = 256 * 1024 - 26;
const requestBytes = 1_048_576;
const overhead = 26;
/** Events of a request lie in one day. */
const longestSpan = 24 * 60 * 60 * 1000;

const timestampOf = ({ time }: LogMessage): number => Number(time / 1_000_000n);

/** Each line an event; the service takes no empty ones. */
export const singleEvents = (messages: readonly LogMessage[]): LogEvent[] =>
  messages.flatMap((message) => {
    const text = message.line.toString();
    return text === '' ? [] : [{ timestamp: timestampOf(message), message: text }];
  });

/** Puts lines together until one comes that begins an event. The last stays open. */
export function gatheredEvents(
  messages: readonly LogMessage[],
  beginning: RegExp,
  before: OpenEvent | undefined,
): { readonly events: readonly LogEvent[]; readonly open: OpenEvent | undefined } {
  const events: LogEvent[] = [];
  let open = before;
  for (const message of messages) {
    const text = message.line.toString();
    const isBeginning = open === undefined || (!open.isPartial && beginning.test(text));
    if (open === undefined || isBeginning || Buffer.byteLength(open.message) + message.line.length >= eventBytes) {
      if (open !== undefined) events.push(open);
      open = { timestamp: timestampOf(message), message: text, isPartial: message.partial };
      continue;
    }
    open = { ...open, message: `${open.message}${open.isPartial ? '' : '\n'}${text}`, isPartial: message.partial };
  }
  return { events: events.filter(({ message }) => message !== ''), open };
}

/** Events as requests that the service takes: in order of time, and within its limits. */
export function* requestsOf(events: readonly LogEvent[], mostEvents: number): Generator<LogEvent[]> {
  const sorted = [...events].sort((one, other) => one.timestamp - other.timestamp);
  let request: LogEvent[] = [];
  let bytes = 0;
  for (const { timestamp, message } of sorted) {
    const size = Buffer.byteLength(message) + overhead;
    const first = request[0]?.timestamp ?? timestamp;
    if (request.length >= mostEvents || bytes + size > requestBytes || timestamp - first >= longestSpan) {
      yield request;
      request = [];
      bytes = 0;
    }
    request.push({ timestamp, message });
    bytes += size;
  }
  if (request.length > 0) yield request;
}
