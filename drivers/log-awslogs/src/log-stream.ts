import { unavailable } from '@gantry/core/errors';
import { type Answer, type CloudWatch, ServiceError } from './cloud-watch.js';
import type { LogEvent } from './events.js';
import type { AwsSettings } from './options.js';

type StreamSettings = Pick<AwsSettings, 'group' | 'createsGroup' | 'createsStream'> & {
  readonly stream: string;
};

/** So often a request is put right and sent again. */
const mostAttempts = 5;

const isType = (error: unknown, ...types: string[]): error is ServiceError =>
  error instanceof ServiceError && types.includes(error.type);

/** A stream of a log group, made when it is not there. */
export class LogStream {
  #isReady: boolean;
  #token: string | undefined;

  constructor(
    private readonly service: CloudWatch,
    private readonly settings: StreamSettings,
  ) {
    this.#isReady = !settings.createsStream;
  }

  /** @returns how many of the events the service will never take. */
  async put(events: readonly LogEvent[], signal: AbortSignal): Promise<number> {
    const { group, stream } = this.settings;
    for (let attempt = 1; ; attempt++) {
      if (!this.#isReady) await this.#create(signal);
      const request = {
        logGroupName: group,
        logStreamName: stream,
        logEvents: events,
        ...(this.#token !== undefined && { sequenceToken: this.#token }),
      };
      try {
        const answer = await this.service.call('PutLogEvents', request, signal);
        this.#token = textOf(answer.nextSequenceToken);
        return rejectedOf(answer, events.length);
      } catch (error) {
        const isSettled = await this.#settle(error);
        if (isSettled) return 0;
        if (isType(error, 'InvalidParameterException')) return this.#halve(events, signal);
        if (attempt >= mostAttempts) throw refusal(error);
      }
    }
  }

  /** Puts right what can be. @returns whether the service has the events already. */
  async #settle(error: unknown): Promise<boolean> {
    if (isType(error, 'DataAlreadyAcceptedException', 'InvalidSequenceTokenException')) {
      this.#token = textOf(error.answer.expectedSequenceToken);
      return error.type === 'DataAlreadyAcceptedException';
    }
    if (isType(error, 'ResourceNotFoundException') && this.settings.createsStream) this.#isReady = false;
    else if (!isType(error, 'InvalidParameterException')) throw refusal(error);
    return false;
  }

  async #halve(events: readonly LogEvent[], signal: AbortSignal): Promise<number> {
    if (events.length <= 1) return events.length;
    const half = Math.ceil(events.length / 2);
    return (await this.put(events.slice(0, half), signal)) + (await this.put(events.slice(half), signal));
  }

  async #create(signal: AbortSignal): Promise<void> {
    const { group, stream, createsGroup } = this.settings;
    const create = (action: string, request: object) =>
      this.service.call(action, request, signal).catch((error: unknown) => {
        if (!isType(error, 'ResourceAlreadyExistsException')) throw error;
      });
    try {
      await create('CreateLogStream', { logGroupName: group, logStreamName: stream });
    } catch (error) {
      if (!createsGroup || !isType(error, 'ResourceNotFoundException')) throw refusal(error);
      await create('CreateLogGroup', { logGroupName: group });
      await create('CreateLogStream', { logGroupName: group, logStreamName: stream });
    }
    this.#token = undefined;
    this.#isReady = true;
  }
}

const textOf = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);

const refusal = (error: unknown): unknown =>
  error instanceof ServiceError ? unavailable(error.message, { cause: error }) : error;

/** Events that are too old or too new, by their place in the request. */
function rejectedOf({ rejectedLogEventsInfo: info }: Answer, count: number): number {
  if (typeof info !== 'object' || info === null) return 0;
  const { tooOldLogEventEndIndex, expiredLogEventEndIndex, tooNewLogEventStartIndex } = info as Record<string, unknown>;
  const old = Math.max(Number(tooOldLogEventEndIndex ?? 0), Number(expiredLogEventEndIndex ?? 0));
  return old + (tooNewLogEventStartIndex === undefined ? 0 : count - Number(tooNewLogEventStartIndex));
}
