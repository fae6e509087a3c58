import type { LogRequest } from '@gantry/container-logs/service';
import { isRecord } from '@gantry/core/driver';
import { internal } from '@gantry/core/errors';
import type { ListedTask } from '@gantry/services/service';

export const logRequestsPath = '/agent/log-requests';
export const logsPath = '/agent/logs';

/** What the leader asks a node for. */
export interface LogMessage {
  /** Names the request: the node sends the log behind it. */
  readonly id: string;
  readonly task: ListedTask;
  readonly request: LogOptions;
}

type LogOptions = Omit<LogRequest, 'see' | 'signal' | 'since' | 'until'> & {
  /** Nanoseconds since the epoch. */
  readonly since?: string;
  readonly until?: string;
};

export function toLogOptions({ see: _see, signal: _signal, since, until, ...options }: LogRequest): LogOptions {
  return {
    ...options,
    ...(since !== undefined && { since: String(since) }),
    ...(until !== undefined && { until: String(until) }),
  };
}

export function toLogRequest({ since, until, ...options }: LogOptions, signal: AbortSignal): LogRequest {
  return {
    ...options,
    signal,
    ...(since !== undefined && { since: BigInt(since) }),
    ...(until !== undefined && { until: BigInt(until) }),
  };
}

/** @throws EngineError `internal` for what is not such a message. */
export function parseLogMessage(message: unknown): LogMessage {
  if (!isRecord(message) || typeof message.id !== 'string' || !isRecord(message.task) || !isRecord(message.request)) {
    throw internal('a request for the log of a task cannot be read');
  }
  return message as unknown as LogMessage;
}
