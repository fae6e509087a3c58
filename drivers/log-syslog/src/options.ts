import { invalidArgument } from '@gantry/core/errors';
import {
  type Address,
  attributeOptions,
  checkOptions,
  type LogOptions,
  parseAddress,
  parseBoolean,
  parseChoice,
} from '@gantry/lib-log/options';

const formats = ['', 'rfc3164', 'rfc5424', 'rfc5424micro'] as const;

/** In the order of their numbers. */
const facilities = [
  'kern',
  'user',
  'mail',
  'daemon',
  'auth',
  'syslog',
  'lpr',
  'news',
  'uucp',
  'cron',
  'authpriv',
  'ftp',
  ...['', '', '', ''],
  ...Array.from({ length: 8 }, (_, index) => `local${index}`),
];

export interface SyslogSettings {
  /** Undefined: the socket of this host. */
  readonly address: Address | undefined;
  readonly facility: number;
  /** Empty: as programs of this host write to its own socket, without a host name. */
  readonly format: (typeof formats)[number];
}

/** @throws EngineError `invalid-argument` naming the option and the value. */
export const validateOptions = (options: LogOptions): void => {
  checkOptions(options, 'syslog', [
    ...attributeOptions,
    'syslog-address',
    'syslog-facility',
    'syslog-format',
    'syslog-tls-ca-cert',
    'syslog-tls-cert',
    'syslog-tls-key',
    'syslog-tls-skip-verify',
  ]);
  settingsOf(options);
  const skip = options['syslog-tls-skip-verify'];
  if (skip) parseBoolean('syslog-tls-skip-verify', skip);
};

/** @throws EngineError `invalid-argument` naming the option and the value. */
export function settingsOf(options: LogOptions): SyslogSettings {
  const address = options['syslog-address'];
  return {
    address: address
      ? parseAddress('syslog-address', address, {
          schemes: ['udp', 'tcp', 'tcp+tls', 'unix', 'unixgram'],
          port: 514,
        })
      : undefined,
    facility: parseFacility(options['syslog-facility'] || 'daemon'),
    format: parseChoice('syslog-format', options['syslog-format'] ?? '', formats),
  };
}

function parseFacility(text: string): number {
  const number = /^\d+$/.test(text) ? Number(text) : facilities.indexOf(text);
  if (number < 0 || number > 23) throw invalidArgument(`log opt syslog-facility: "${text}": invalid syslog facility`);
  return number;
}
