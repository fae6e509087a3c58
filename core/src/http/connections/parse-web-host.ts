import { invalidArgument } from '../../errors/engine-error.js';
import type { Endpoint, TlsFiles } from './endpoint.js';

export interface WebHostOptions {
  /** The setting that has the address, for errors. */
  readonly setting: string;
  readonly tls?: Pick<TlsFiles, 'cert' | 'key'>;
  /** Allows plain-text TCP on addresses other than loopback. */
  readonly insecureTcp: boolean;
}

/**
 * Parses where a surface with users of its own listens, who send tokens: `unix:///path` or `tcp://host:port`.
 * @throws EngineError `invalid-argument` naming the setting and its value.
 */
export function parseWebHost(
  host: string,
  { setting, tls, insecureTcp }: WebHostOptions,
): Exclude<Endpoint, { readonly kind: 'fd' }> {
  if (host.startsWith('unix:///')) return { kind: 'unix', path: host.slice('unix://'.length) };
  if (!host.startsWith('tcp://') || !URL.canParse(host)) {
    throw invalidArgument(`${setting}: "${host}" is neither tcp://host:port nor unix:///path`);
  }
  const { hostname, port } = new URL(host);
  const name = hostname.replace(/^\[|\]$/g, '');
  if (port === '') throw invalidArgument(`${setting}: "${host}" has no port, such as tcp://127.0.0.1:8930`);
  if (tls !== undefined) return { kind: 'tcp', host: name, port: Number(port), tls };
  if (!insecureTcp && !isLoopback(name)) {
    throw invalidArgument(
      `${setting}: tokens sent to ${host} could be read on their way; set "tls", or "insecureTcp" behind a proxy that has it`,
    );
  }
  return { kind: 'tcp', host: name, port: Number(port), insecure: true };
}

/** Whether a name or an address leads to this host alone. */
export const isLoopback = (name: string): boolean =>
  name === 'localhost' || name === '::1' || /^127(\.\d+){3}$/.test(name);
