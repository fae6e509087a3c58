import { invalidArgument } from '@gantry/core/errors';
import {
  checkOptions,
  type LogOptions,
  parseBoolean,
  parseChoice,
  parseInteger,
  parsePattern,
} from '@gantry/lib-log/options';
import type { AwsLogsConfig } from './config.js';
import { dateTimePattern } from './date-time-pattern.js';

const own = [
  'awslogs-region',
  'awslogs-endpoint',
  'awslogs-group',
  'awslogs-create-group',
  'awslogs-stream',
  'awslogs-create-stream',
  'awslogs-datetime-format',
  'awslogs-multiline-pattern',
  'awslogs-force-flush-interval-seconds',
  'awslogs-max-buffered-events',
  'awslogs-credentials-endpoint',
  'awslogs-format',
];

export interface AwsSettings {
  readonly region: string;
  readonly endpoint: string;
  readonly group: string;
  readonly createsGroup: boolean;
  /** Undefined: by the tag, or the container's id. */
  readonly stream: string | undefined;
  readonly createsStream: boolean;
  /** What a line that begins an event looks like; undefined: each line is one. */
  readonly beginning: RegExp | undefined;
  /** Milliseconds that an event waits for more lines. */
  readonly flushAfter: number;
  /** Most events of a request. */
  readonly mostEvents: number;
  readonly credentialsPath: string | undefined;
  readonly logsFormat: string;
}

/** @throws EngineError `invalid-argument` naming the option and the value. */
export function validateOptions(options: LogOptions, config: AwsLogsConfig): void {
  checkOptions(options, 'awslogs', own);
  settingsOf(options, config);
}

/** @throws EngineError `invalid-argument` naming the option and the value. */
export function settingsOf(options: LogOptions, config: AwsLogsConfig): AwsSettings {
  const group = options['awslogs-group'];
  if (!group) throw invalidArgument('log opt awslogs-group: must specify a value for log opt awslogs-group');
  const region = options['awslogs-region'] || config.region || process.env.AWS_REGION || '';
  if (!/^[a-z0-9-]+$/.test(region)) {
    throw invalidArgument(`log opt awslogs-region: "${region}": must name a region such as eu-central-1`);
  }
  return {
    region,
    endpoint: endpointOf(options['awslogs-endpoint'], region),
    group,
    createsGroup: parseBoolean('awslogs-create-group', options['awslogs-create-group'] || 'false'),
    stream: options['awslogs-stream'] || undefined,
    createsStream: parseBoolean('awslogs-create-stream', options['awslogs-create-stream'] || 'true'),
    beginning: beginningOf(options),
    flushAfter: positive('awslogs-force-flush-interval-seconds', options, 5) * 1000,
    mostEvents: Math.min(positive('awslogs-max-buffered-events', options, 4096), 10_000),
    credentialsPath: credentialsPathOf(options['awslogs-credentials-endpoint']),
    logsFormat: parseChoice('awslogs-format', options['awslogs-format'] ?? '', ['', 'json/emf']),
  };
}

function beginningOf(options: LogOptions): RegExp | undefined {
  const { 'awslogs-datetime-format': format, 'awslogs-multiline-pattern': pattern } = options;
  if (format !== undefined && pattern !== undefined) {
    throw invalidArgument(
      "you cannot configure log opt 'awslogs-datetime-format' and 'awslogs-multiline-pattern' at the same time",
    );
  }
  if (format !== undefined) return dateTimePattern('awslogs-datetime-format', format);
  return pattern === undefined ? undefined : parsePattern('awslogs-multiline-pattern', pattern);
}

const positive = (name: string, options: LogOptions, otherwise: number): number =>
  parseInteger(name, options[name] || `${otherwise}`, 1);

function endpointOf(text: string | undefined, region: string): string {
  if (!text) return `https://logs.${region}.amazonaws.com${region.startsWith('cn-') ? '.cn' : ''}`;
  const url = /^https?:\/\//.test(text) ? text : `https://${text}`;
  if (!URL.canParse(url)) throw invalidArgument(`log opt awslogs-endpoint: "${text}" is not a URL`);
  return new URL(url).origin;
}

function credentialsPathOf(text: string | undefined): string | undefined {
  if (!text) return undefined;
  if (text.startsWith('/')) return text;
  throw invalidArgument(`log opt awslogs-credentials-endpoint: "${text}": must be a path that begins with /`);
}
