import { readFile } from 'node:fs/promises';
import type { DnsSettings } from '../service.js';

/** The parsed content of a resolv.conf. */
interface ResolvConf {
  readonly nameservers: readonly string[];
  readonly search: readonly string[];
  readonly options: readonly string[];
}

/** Parses the lines that are used here and ignores the others. */
export function parseResolvConf(text: string): ResolvConf {
  const values = (keyword: string): string[] =>
    [...text.matchAll(new RegExp(`^[ \\t]*${keyword}[ \\t]+(.*)$`, 'gm'))].flatMap(
      ([, rest = '']) => rest.split(/[#;]/)[0]?.trim().split(/\s+/) ?? [],
    );
  return {
    nameservers: values('nameserver'),
    search: [...values('domain'), ...values('search')].slice(-6),
    options: values('options'),
  };
}

const isLoopback = (address: string): boolean => /^127\.|^::1$/.test(address);

/** The host's resolv.conf, reduced to what containers can use. */
interface HostResolvConf extends ResolvConf {
  /** Every name server of the host, including those on its loopback, which containers cannot reach. */
  readonly ownNameservers: readonly string[];
}

const hostFiles = { own: '/etc/resolv.conf', upstream: '/run/systemd/resolve/resolv.conf' };

/**
 * The host's resolver settings. A name server on the host's loopback is unreachable from a sandbox; where
 * systemd-resolved runs, its list of upstream servers is used instead, and where none is left, `fallback`.
 */
export async function readHostResolvConf(fallback: readonly string[], files = hostFiles): Promise<HostResolvConf> {
  const read = async (file: string): Promise<ResolvConf> =>
    parseResolvConf(await readFile(file, 'utf8').catch(() => ''));
  const own = await read(files.own);
  const reachable = own.nameservers.filter((address) => !isLoopback(address));
  const ownNameservers = own.nameservers.length > 0 ? own.nameservers : fallback;
  if (reachable.length > 0) return { ...own, ownNameservers, nameservers: reachable };
  const upstream = own.nameservers.length === 0 ? undefined : await read(files.upstream);
  const nameservers = upstream?.nameservers.filter((address) => !isLoopback(address)) ?? [];
  return { ...own, ownNameservers, nameservers: nameservers.length > 0 ? nameservers : fallback };
}

/**
 * Name servers that the embedded resolver forwards to, from the host's network: the container's, or the host's. A
 * loopback address in the container's settings means the container itself, which the host cannot reach.
 */
export const forwardersOf = ({ nameservers }: DnsSettings, host: HostResolvConf): readonly string[] =>
  nameservers.length > 0 ? nameservers.filter((address) => !isLoopback(address)) : host.ownNameservers;

/** The settings of a container: its own where it has any, the host's otherwise. */
export function mergeResolvConf(settings: DnsSettings, host: ResolvConf): ResolvConf {
  const pick = (own: readonly string[], other: readonly string[]): readonly string[] => (own.length > 0 ? own : other);
  return {
    nameservers: pick(settings.nameservers, host.nameservers),
    // A single dot disables the search list.
    search: pick(settings.search, host.search).filter((domain) => domain !== '.'),
    options: pick(settings.options, host.options),
  };
}

/** Formats the file. The embedded resolver is the only name server when there is one. */
export function formatResolvConf(conf: ResolvConf, resolver: boolean): string {
  const nameservers = resolver ? ['127.0.0.11'] : conf.nameservers;
  const options =
    resolver && !conf.options.some((option) => option.startsWith('ndots:'))
      ? [...conf.options, 'ndots:0']
      : conf.options;
  return [
    ...(conf.search.length > 0 ? [`search ${conf.search.join(' ')}`] : []),
    ...nameservers.map((address) => `nameserver ${address}`),
    ...(options.length > 0 ? [`options ${options.join(' ')}`] : []),
    '',
  ].join('\n');
}
