import { BlockList, isIP, isIPv6 } from 'node:net';
import { invalidArgument } from '@gantry/core/errors';

type Environment = Readonly<Record<string, string | undefined>>;

/** The variables that name proxies; empty where unset. */
export function readEnvironment(environment: Environment = process.env) {
  const read = (name: string): string => environment[name] || environment[name.toLowerCase()] || '';
  return { httpProxy: read('HTTP_PROXY'), httpsProxy: read('HTTPS_PROXY'), noProxy: read('NO_PROXY') };
}

/**
 * The proxy for a URL; undefined for a direct connection. Read each time.
 * @throws EngineError `invalid-argument` naming a variable that holds no http or https URL.
 */
export function proxyFor(url: URL, environment: Environment = process.env): URL | undefined {
  const { httpProxy, httpsProxy, noProxy } = readEnvironment(environment);
  const [name, value] = url.protocol === 'https:' ? ['HTTPS_PROXY', httpsProxy] : ['HTTP_PROXY', httpProxy];
  if (value === '' || isDirect(url, noProxy)) return undefined;
  const text = /^[a-z][a-z0-9+.-]*:\/\//i.test(value) ? value : `http://${value}`;
  const proxy = URL.canParse(text) ? new URL(text) : undefined;
  if (proxy === undefined || !/^https?:$/.test(proxy.protocol)) {
    // The value may hold a password.
    throw invalidArgument(`the environment variable ${name} is not an http or https URL such as http://proxy:3128`);
  }
  return proxy;
}

const loopback = new BlockList();
loopback.addSubnet('127.0.0.0', 8, 'ipv4');
loopback.addAddress('::1', 'ipv6');

function isDirect(url: URL, noProxy: string): boolean {
  const host = url.hostname.replace(/^\[|\]$/g, '').toLowerCase();
  if (host === 'localhost' || (isIP(host) !== 0 && loopback.check(host, familyOf(host)))) return true;
  const port = url.port || (url.protocol === 'https:' ? '443' : '80');
  const entries = noProxy.split(',').map((entry) => entry.trim().toLowerCase());
  return entries.some((entry) => entry !== '' && matches(entry, host, port));
}

function matches(entry: string, host: string, port: string): boolean {
  if (entry === '*') return true;
  if (isIP(entry) !== 0) return entry === host;
  if (entry.includes('/')) return isIP(host) !== 0 && isInNetwork(host, entry);
  const [, name = '', wanted] = /^\[?(.*?)\]?(?::(\d+))?$/.exec(entry) ?? [];
  if (wanted !== undefined && wanted !== port) return false;
  if (isIP(name) !== 0 || isIP(host) !== 0) return name === host;
  const domain = name.replace(/^\*?\./, '');
  return host.endsWith(`.${domain}`) || (name === domain && host === domain);
}

function isInNetwork(host: string, network: string): boolean {
  const [address = '', bits] = network.split('/');
  const length = Number(bits);
  const isNetwork = isIP(address) !== 0 && Number.isInteger(length) && length <= (isIPv6(address) ? 128 : 32);
  if (!isNetwork || isIP(address) !== isIP(host)) return false;
  const list = new BlockList();
  list.addSubnet(address, length, familyOf(address));
  return list.check(host, familyOf(host));
}

const familyOf = (address: string): 'ipv4' | 'ipv6' => (isIPv6(address) ? 'ipv6' : 'ipv4');
