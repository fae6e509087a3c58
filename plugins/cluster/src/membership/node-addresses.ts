import { readFileSync } from 'node:fs';
import { isIP } from 'node:net';
import { networkInterfaces } from 'node:os';
import { invalidArgument } from '@gantry/core/errors';
import { addressesOfHost } from '@gantry/lib-cluster-protocol';
import type { NodeAddresses } from './local-member-file.js';

const defaultPort = 2377;

export interface RequestedAddresses {
  readonly ListenAddr?: string | undefined;
  readonly AdvertiseAddr?: string | undefined;
  readonly DataPathAddr?: string | undefined;
}

/**
 * The addresses of a node: `address[:port]` or `interface[:port]` each. Without an address to advertise it is the one
 * that is listened on, or the only one of the interface with the default route.
 * @throws EngineError `invalid-argument` naming the field and the value.
 */
export function resolveAddresses({
  ListenAddr = '',
  AdvertiseAddr = '',
  DataPathAddr = '',
}: RequestedAddresses): NodeAddresses {
  const listen = parseAddress('ListenAddr', ListenAddr === '' ? '0.0.0.0' : ListenAddr, defaultPort);
  const advertise =
    AdvertiseAddr === ''
      ? { host: isUnspecified(listen.host) ? detectAddress() : listen.host, port: listen.port }
      : parseAddress('AdvertiseAddr', AdvertiseAddr, listen.port);
  if (isUnspecified(advertise.host)) {
    throw invalidArgument(
      'AdvertiseAddr must be a non-zero IP address or network interface (with optional port number)',
    );
  }
  const dataPath = DataPathAddr === '' ? advertise.host : parseDataPath(DataPathAddr);
  const followsHost = addressesOfHost().has(advertise.host) && { followsHost: true as const };
  return { listen: format(listen), advertise: format(advertise), dataPath, ...followsHost };
}

/** The host has lost the address that it advertises, and not because it was never its own. */
export const hasLostAddress = ({ advertise, followsHost }: NodeAddresses): boolean =>
  followsHost === true && !addressesOfHost().has(hostOf(advertise));

/** The addresses of a node that is reached at another one of the host. */
export function movedTo(host: string, { advertise, dataPath, listen, ...rest }: NodeAddresses): NodeAddresses {
  const old = hostOf(advertise);
  const moved = (address: string): string =>
    hostOf(address) === old ? format({ host, port: Number(address.slice(address.lastIndexOf(':') + 1)) }) : address;
  return { ...rest, listen: moved(listen), advertise: moved(advertise), dataPath: dataPath === old ? host : dataPath };
}

interface Address {
  readonly host: string;
  readonly port: number;
}

const format = ({ host, port }: Address): string => `${isIP(host) === 6 ? `[${host}]` : host}:${port}`;

/** `address:port` of a text that may have no port. */
export const withPort = (text: string): string =>
  isIP(text) === 6 ? `[${text}]:${defaultPort}` : /:\d+$/.test(text) ? text : `${text}:${defaultPort}`;

/** The address of an `address:port`. */
export const hostOf = (address: string): string => address.slice(0, address.lastIndexOf(':')).replace(/^\[|\]$/g, '');

const isUnspecified = (host: string): boolean => host === '0.0.0.0' || host === '::';

function parseAddress(field: string, text: string, fallbackPort: number): Address {
  const match = /^(\[[^\]]+\]|[^:]*)(?::(\d{1,5}))?$/.exec(text);
  const [, host = '', digits] = match ?? [];
  const port = digits === undefined ? fallbackPort : Number(digits);
  if (match === null || port > 65_535 || (digits !== undefined && port === 0)) {
    throw invalidArgument(`${field}: "${text}" is neither address:port nor interface:port`);
  }
  return { host: resolveHost(field, text, host === '' ? '0.0.0.0' : host.replace(/^\[|\]$/g, '')), port };
}

function parseDataPath(text: string): string {
  const host = resolveHost('DataPathAddr', text, text);
  if (isUnspecified(host)) throw invalidArgument(`DataPathAddr: "${text}" is not an address of this node`);
  return host;
}

/** An address as it is, and the only address of an interface. */
function resolveHost(field: string, text: string, host: string): string {
  if (isIP(host) !== 0) return host;
  const addresses = networkInterfaces()[host];
  if (addresses === undefined) {
    throw invalidArgument(`${field}: "${text}" names neither an IP address nor a network interface of this host`);
  }
  const four = addresses.filter(({ family }) => family === 'IPv4');
  const [first, ...others] = (four.length > 0 ? four : addresses).map(({ address }) => address);
  if (first === undefined || others.length > 0) {
    const list = addresses.map(({ address }) => address).join(', ');
    throw invalidArgument(`${field}: interface ${host} has more than one address (${list}): name one of them`);
  }
  return first;
}

/** The address of the interface that the default route leads through. */
function detectAddress(): string {
  const link = defaultRouteInterface();
  const addresses = (link === undefined ? [] : (networkInterfaces()[link] ?? [])).filter(
    ({ family }) => family === 'IPv4',
  );
  const [first, ...others] = addresses;
  if (first === undefined) {
    throw invalidArgument("could not find the system's IP address - specify one with --advertise-addr (AdvertiseAddr)");
  }
  if (others.length > 0) {
    const list = addresses.map(({ address }) => address).join(' and ');
    throw invalidArgument(
      'could not choose an IP address to advertise since this system has multiple addresses on interface ' +
        `${link} (${list}) - specify one with --advertise-addr (AdvertiseAddr)`,
    );
  }
  return first.address;
}

function defaultRouteInterface(): string | undefined {
  const routes = readFileSync('/proc/net/route', 'utf8').split('\n').slice(1);
  for (const route of routes) {
    const [link, destination, , , , , , mask] = route.split('\t');
    if (destination === '00000000' && mask === '00000000') return link;
  }
  return undefined;
}
