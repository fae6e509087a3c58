import { invalidArgument } from '@gantry/core/errors';
import {
  attributeOptions,
  checkOptions,
  type LogOptions,
  parseBoolean,
  parseChoice,
  parseInteger,
} from '@gantry/lib-log/options';

const formats = ['inline', 'json', 'raw'] as const;
const own = [
  'splunk-token',
  'splunk-url',
  'splunk-source',
  'splunk-sourcetype',
  'splunk-index',
  'splunk-capath',
  'splunk-caname',
  'splunk-insecureskipverify',
  'splunk-format',
  'splunk-verify-connection',
  'splunk-gzip',
  'splunk-gzip-level',
  'splunk-index-acknowledgment',
];

export interface SplunkSettings {
  readonly url: string;
  readonly token: string;
  readonly format: (typeof formats)[number];
  /** The server is asked whether it is there before anything is sent. */
  readonly verifies: boolean;
  /** The level; undefined: nothing is compressed. */
  readonly gzip: number | undefined;
  readonly acknowledges: boolean;
}

/** @throws EngineError `invalid-argument` naming the option and the value, but not the token's. */
export function validateOptions(options: LogOptions): void {
  checkOptions(options, 'splunk', [...own, ...attributeOptions]);
  const skip = options['splunk-insecureskipverify'];
  if (skip) parseBoolean('splunk-insecureskipverify', skip);
  settingsOf(options);
}

/** @throws EngineError `invalid-argument` naming the option and the value, but not the token's. */
export function settingsOf(options: LogOptions): SplunkSettings {
  const url = options['splunk-url'];
  const token = options['splunk-token'];
  if (!url) throw invalidArgument('log opt splunk-url: splunk-url is expected');
  if (!token) throw invalidArgument('log opt splunk-token: splunk-token is expected');
  if (/[^\x21-\x7e]/.test(token)) throw invalidArgument('log opt splunk-token: has characters that no token has');
  const compresses = parseBoolean('splunk-gzip', options['splunk-gzip'] || 'false');
  const level = parseInteger('splunk-gzip-level', options['splunk-gzip-level'] || '-1', -1, 9);
  return {
    url: originOf(url),
    token,
    format: parseChoice('splunk-format', options['splunk-format'] || 'inline', formats),
    verifies: parseBoolean('splunk-verify-connection', options['splunk-verify-connection'] || 'true'),
    gzip: compresses ? level : undefined,
    acknowledges: parseBoolean('splunk-index-acknowledgment', options['splunk-index-acknowledgment'] || 'false'),
  };
}

function originOf(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const isPlain = url !== undefined && /^\/?$/.test(url.pathname) && url.search === '' && url.hash === '';
  if (!isPlain || !/^https?:$/.test(url.protocol) || url.username !== '' || url.host === '') {
    throw invalidArgument(`log opt splunk-url: "${text}": expected format scheme://dns_name_or_ip:port`);
  }
  return url.origin;
}
