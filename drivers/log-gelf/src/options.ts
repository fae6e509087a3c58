import { invalidArgument } from '@gantry/core/errors';
import {
  attributeOptions,
  checkOptions,
  type HostAddress,
  type LogOptions,
  parseAddress,
  parseChoice,
  parseInteger,
} from '@gantry/lib-log/options';

const compressions = ['gzip', 'zlib', 'none'] as const;
const onlyUdp = ['gelf-compression-type', 'gelf-compression-level'];
const onlyTcp = ['gelf-tcp-max-reconnect', 'gelf-tcp-reconnect-delay'];

export interface GelfSettings {
  readonly address: HostAddress;
  readonly compression: (typeof compressions)[number];
  /** From -1, which is the usual one, to 9. */
  readonly level: number;
  /** TCP: attempts before lines are given up; undefined: never. */
  readonly attempts: number | undefined;
  /** TCP: milliseconds between attempts to connect, at least. */
  readonly reconnectDelay: number;
}

/** @throws EngineError `invalid-argument` naming the option and the value. */
export function validateOptions(options: LogOptions): void {
  checkOptions(options, 'gelf', ['gelf-address', ...onlyUdp, ...onlyTcp, ...attributeOptions]);
  settingsOf(options);
}

/** @throws EngineError `invalid-argument` naming the option and the value. */
export function settingsOf(options: LogOptions): GelfSettings {
  const text = options['gelf-address'];
  if (!text) throw invalidArgument('log opt gelf-address: gelf-address is a required parameter');
  const address = parseAddress('gelf-address', text, { schemes: ['udp', 'tcp'], port: 12_201 }) as HostAddress;
  for (const name of address.scheme === 'udp' ? onlyTcp : onlyUdp) {
    if (options[name] === undefined) continue;
    const kind = address.scheme === 'udp' ? 'TCP' : 'UDP';
    throw invalidArgument(`log opt ${name}: "${options[name]}": only for ${kind} addresses, and this is "${text}"`);
  }
  const attempts = options['gelf-tcp-max-reconnect'];
  return {
    address,
    compression: parseChoice('gelf-compression-type', options['gelf-compression-type'] ?? 'gzip', compressions),
    level: parseInteger('gelf-compression-level', options['gelf-compression-level'] ?? '1', -1, 9),
    attempts: attempts === undefined ? undefined : parseInteger('gelf-tcp-max-reconnect', attempts, 0) + 1,
    reconnectDelay: parseInteger('gelf-tcp-reconnect-delay', options['gelf-tcp-reconnect-delay'] ?? '0', 0) * 1000,
  };
}
