import { chown, readFile, writeFile } from 'node:fs/promises';
import { hostname as hostHostname } from 'node:os';
import path from 'node:path';
import type { OpenSandbox } from '@gantry/networks/service';
import type { ContainerRecord } from '../record.js';
import type { ResolvedLink } from './resolved-link.js';

interface NetworkFilesRequest {
  readonly record: ContainerRecord;
  readonly directory: string;
  /** Undefined: the host's own stack. */
  readonly sandbox: OpenSandbox | undefined;
  readonly links: readonly ResolvedLink[];
  /** Root of the container, which may change the files. */
  readonly owner: { readonly uid: number; readonly gid: number };
}

/** Host paths, mounted at /etc/hosts, /etc/hostname and /etc/resolv.conf. */
export interface NetworkFiles {
  readonly hosts: string;
  readonly hostname: string;
  readonly resolvConf: string;
}

const loopbackLines = [
  '127.0.0.1\tlocalhost',
  '::1\tlocalhost ip6-localhost ip6-loopback',
  'fe00::0\tip6-localnet',
  'ff00::0\tip6-mcastprefix',
  'ff02::1\tip6-allnodes',
  'ff02::2\tip6-allrouters',
];

/** The text of /etc/hosts. */
export function hostsText({
  record,
  sandbox,
  links,
}: Pick<NetworkFilesRequest, 'record' | 'sandbox' | 'links'>): string {
  return [
    ...loopbackLines,
    ...(record.hostConfig.ExtraHosts ?? []).map((entry) => extraHostLine(entry, sandbox)),
    ...links.flatMap(linkLine),
    ...ownLines(record, sandbox?.endpoints ?? []),
    '',
  ].join('\n');
}

/** A container's own addresses under its own names. */
export function ownLines({ config }: ContainerRecord, endpoints: OpenSandbox['endpoints']): readonly string[] {
  const { Hostname: hostname = '', Domainname: domain = '' } = config;
  const names = domain === '' ? hostname : `${hostname}.${domain} ${hostname}`;
  return endpoints
    .flatMap(({ ipv4Address, ipv6Address }) => [ipv4Address, ipv6Address])
    .filter((address) => address !== '')
    .map((address) => `${address}\t${names}`);
}

/**
 * `name:address`; the address may have colons of its own. `host-gateway` is where the container finds the host: its
 * network's gateway, or loopback on the host's own stack.
 */
function extraHostLine(entry: string, sandbox: NetworkFilesRequest['sandbox']): string {
  const at = entry.indexOf(':');
  const address = entry.slice(at + 1);
  const gateway = sandbox?.endpoints.map((endpoint) => endpoint.gateway).find((found) => found !== '');
  return `${address === 'host-gateway' ? (gateway ?? '127.0.0.1') : address}\t${entry.slice(0, at)}`;
}

/** Where a linked container is found, under its alias, its host name and its name. */
export function linkLine({ alias, container, endpoint }: NetworkFilesRequest['links'][number]): readonly string[] {
  if (endpoint === undefined || endpoint.ipv4Address === '') return [];
  const names = new Set([alias, container.config.Hostname ?? '', container.name].filter((name) => name !== ''));
  return [`${endpoint.ipv4Address}\t${[...names].join(' ')}`];
}

/**
 * Writes the three files. They are bind-mounted one by one, so a later change must keep the file and replace its text:
 * a new file under the same name would not be seen.
 */
export async function writeNetworkFiles(request: NetworkFilesRequest): Promise<NetworkFiles> {
  const { directory, record, sandbox } = request;
  const files: NetworkFiles = {
    hosts: path.join(directory, 'hosts'),
    hostname: path.join(directory, 'hostname'),
    resolvConf: path.join(directory, 'resolv.conf'),
  };
  const hostStack = sandbox === undefined || sandbox.path === undefined;
  const hostsOfHost = hostStack ? await readFile('/etc/hosts', 'utf8').catch(() => '') : '';
  const extra = hostStack
    ? (record.hostConfig.ExtraHosts ?? []).map((entry) => `${extraHostLine(entry, undefined)}\n`).join('')
    : '';
  await Promise.all([
    writeFile(files.hosts, hostStack ? `${hostsOfHost}${extra}` : hostsText(request), { mode: 0o644 }),
    writeFile(files.hostname, `${record.config.Hostname || hostHostname()}\n`, { mode: 0o644 }),
    writeFile(files.resolvConf, await resolvConfText(request, hostStack), { mode: 0o644 }),
  ]);
  const { uid, gid } = request.owner;
  if (uid !== 0 || gid !== 0) await Promise.all(Object.values(files).map((file) => chown(file, uid, gid)));
  return files;
}

/** On the host's own stack its own file holds, unless the container has settings of its own. */
async function resolvConfText({ record, sandbox }: NetworkFilesRequest, hostStack: boolean): Promise<string> {
  const { Dns = [], DnsOptions = [], DnsSearch = [] } = record.hostConfig;
  const ownSettings = Dns.length + DnsOptions.length + DnsSearch.length > 0;
  if (sandbox !== undefined && (!hostStack || ownSettings)) return sandbox.resolvConf;
  return readFile('/etc/resolv.conf', 'utf8').catch(() => '');
}
