import { readFile } from 'node:fs/promises';
import type { DnsSettings } from '../service.js';

/** What a resolv.conf says. */
export interface ResolvConf {
  readonly nameservers: readonly string[];
  readonly search: readonly string[];
  readonly options: readonly string[];
}

/** Reads the lines that matter; anything else is left out. */
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

/** The host's, as far as containers can use it. */
export interface HostResolvConf extends ResolvConf {
  /** Every name server of the host, also those on its loopback, which only the host can ask. */
  readonly ownNameservers: readonly string[];
}

const usual = { own: '/etc/resolv.conf', behind: '/run/systemd/resolve/resolv.conf' };

/**
 * The host's resolver settings: a name server on the host's loopback cannot be reached from a sandbox, so where
 * systemd-resolved hides the real ones, its own list of them is read.
 */
export async function readHostResolvConf(files = usual): Promise<HostResolvConf> {
  const read = async (file: string): Promise<ResolvConf> =>
    parseResolvConf(await readFile(file, 'utf8').catch(() => ''));
  const own = await read(files.own);
  const reachable = own.nameservers.filter((address) => !isLoopback(address));
  const host = { ...own, ownNameservers: own.nameservers };
  if (reachable.length > 0 || own.nameservers.length === 0) return { ...host, nameservers: reachable };
  const behind = await read(files.behind);
  return { ...host, nameservers: behind.nameservers.filter((address) => !isLoopback(address)) };
}

/**
 * Whom the embedded resolver asks, from the host: those the container names, or the host's own. A loopback address that
 * a container names is its own, which the host cannot ask.
 */
export const forwardersOf = ({ nameservers }: DnsSettings, host: HostResolvConf): readonly string[] =>
  nameservers.length > 0 ? nameservers.filter((address) => !isLoopback(address)) : host.ownNameservers;

/** What a container uses: its own settings where it has them, the host's otherwise. */
export function mergeResolvConf(settings: DnsSettings, host: ResolvConf): ResolvConf {
  const pick = (own: readonly string[], other: readonly string[]): readonly string[] => (own.length > 0 ? own : other);
  return {
    nameservers: pick(settings.nameservers, host.nameservers),
    // A single dot asks for no search list at all.
    search: pick(settings.search, host.search).filter((domain) => domain !== '.'),
    options: pick(settings.options, host.options),
  };
}

/** The text of the file. With the embedded resolver it is the only name server. */
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
