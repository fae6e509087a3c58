import { invalidArgument } from '@gantry/core/errors';

/** Where a log server listens. */
export type Address = HostAddress | { readonly scheme: 'unix' | 'unixgram'; readonly path: string };

export interface HostAddress {
  readonly scheme: string;
  readonly host: string;
  readonly port: number;
}

export interface AddressForm {
  /** Those that are allowed; `unix` and `unixgram` take a path, the others a host and a port. */
  readonly schemes: readonly string[];
  /** Without it the address must have one. */
  readonly port?: number;
  /** For an address without scheme; without it the address must have one. */
  readonly scheme?: string;
}

/**
 * `tcp://host:port`, `udp://[::1]:514`, `unix:///path`.
 * @throws EngineError `invalid-argument` naming the option and the value.
 */
export function parseAddress(option: string, text: string, form: AddressForm): Address {
  const wrong = (reason: string) => invalidArgument(`log opt ${option}: "${text}": ${reason}`);
  const [, given, rest = ''] = /^(?:([a-z][a-z+0-9]*):\/\/)?(.*)$/i.exec(text) ?? [];
  const scheme = given?.toLowerCase() ?? form.scheme;
  if (scheme === undefined) throw wrong(`should be in form proto://address, proto one of: ${form.schemes.join(', ')}`);
  if (!form.schemes.includes(scheme)) throw wrong(`unsupported protocol; there are: ${form.schemes.join(', ')}`);
  if (scheme === 'unix' || scheme === 'unixgram') {
    if (!rest.startsWith('/')) throw wrong('a socket needs an absolute path');
    return { scheme, path: rest };
  }
  const [, six, four = '', port] = /^(?:\[([0-9a-fA-F:.%]+)\]|([^:/[\]]*))(?::(\d{1,5}))?$/.exec(rest) ?? [];
  const host = six ?? four;
  if (host === '' && port === undefined) throw wrong('please provide the address as proto://host:port');
  const number = port === undefined ? form.port : Number(port);
  if (number === undefined) throw wrong('the port is missing');
  if (number < 1 || number > 65_535) throw wrong('invalid port');
  return { scheme, host: host === '' ? 'localhost' : host, port: number };
}
