import { invalidArgument } from '@gantry/core/errors';
import {
  type Address,
  attributeOptions,
  checkOptions,
  type LogOptions,
  parseAddress,
  parseBoolean,
  parseBytes,
  parseDuration,
  parseInteger,
} from '@gantry/lib-log/options';

const flags = ['fluentd-async', 'fluentd-async-connect', 'fluentd-request-ack', 'fluentd-sub-second-precision'];
const own = [
  ...flags,
  'fluentd-address',
  'fluentd-async-reconnect-interval',
  'fluentd-buffer-limit',
  'fluentd-max-retries',
  'fluentd-retry-wait',
];

export interface FluentdSettings {
  readonly address: Address;
  /** Bytes of records that are on their way at once. */
  readonly bufferLimit: number;
  /** Milliseconds between two attempts, at least. */
  readonly retryWait: number;
  /** Attempts before lines are given up; undefined: never. */
  readonly attempts: number | undefined;
  /** Times have nanoseconds. */
  readonly isPrecise: boolean;
  /** The server must say that it has the records. */
  readonly asksForAcknowledgement: boolean;
}

/** @throws EngineError `invalid-argument` naming the option and the value. */
export function validateOptions(options: LogOptions): void {
  checkOptions(options, 'fluentd', [...own, ...attributeOptions]);
  for (const name of flags) if (options[name]) parseBoolean(name, options[name]);
  if (options['fluentd-async'] !== undefined && options['fluentd-async-connect'] !== undefined) {
    throw invalidArgument('conflicting options: cannot specify both fluentd-async and fluentd-async-connect');
  }
  const interval = options['fluentd-async-reconnect-interval'];
  if (interval) parseDuration('fluentd-async-reconnect-interval', interval);
  settingsOf(options);
}

/** @throws EngineError `invalid-argument` naming the option and the value. */
export function settingsOf(options: LogOptions): FluentdSettings {
  const retries = options['fluentd-max-retries'];
  return {
    address: addressOf(options['fluentd-address'] || '127.0.0.1:24224'),
    bufferLimit: parseBytes('fluentd-buffer-limit', options['fluentd-buffer-limit'] || '1m'),
    retryWait: waitOf(options['fluentd-retry-wait'] || '1s'),
    attempts: retries ? parseInteger('fluentd-max-retries', retries, 0) + 1 : undefined,
    isPrecise: parseBoolean('fluentd-sub-second-precision', options['fluentd-sub-second-precision'] || 'false'),
    asksForAcknowledgement: parseBoolean('fluentd-request-ack', options['fluentd-request-ack'] || 'false'),
  };
}

function addressOf(text: string): Address {
  const form = { schemes: ['tcp', 'tls', 'unix'], scheme: 'tcp', port: 24_224 };
  const address = parseAddress('fluentd-address', text, form);
  if (!('path' in address) || address.path !== '/') return address;
  throw invalidArgument(`log opt fluentd-address: "${text}": path is empty`);
}

/** A duration, or a number of milliseconds. */
const waitOf = (text: string): number =>
  /^\d+$/.test(text) ? Number(text) : parseDuration('fluentd-retry-wait', text);
