import { invalidArgument } from '@gantry/core/errors';
import type { Endpoint } from '@gantry/core/http';
import type { HostedApiConfig } from './config.js';

interface HostOptions {
  readonly tls?: { readonly cert: string; readonly key: string };
  /** Allows plain-text TCP on addresses other than loopback. */
  readonly insecureTcp: boolean;
}

/**
 * Parses an address to listen on: `unix:///path` or `tcp://host:port`.
 * @throws EngineError `invalid-argument` naming the value.
 */
export function parseHost(host: string, { tls, insecureTcp }: HostOptions): Endpoint {
  if (host.startsWith('unix:///')) return { kind: 'unix', path: host.slice('unix://'.length) };
  if (!host.startsWith('tcp://') || !URL.canParse(host)) {
    throw invalidArgument(`hosts: "${host}" is neither tcp://host:port nor unix:///path`);
  }
  const { hostname, port } = new URL(host);
  const name = hostname.replace(/^\[|\]$/g, '');
  if (port === '') throw invalidArgument(`hosts: "${host}" has no port, such as tcp://127.0.0.1:8930`);
  if (tls !== undefined) return { kind: 'tcp', host: name, port: Number(port), tls };
  if (!insecureTcp && !isLoopback(name)) {
    throw invalidArgument(
      `hosts: tokens sent to ${host} could be read on their way; set "tls", or "insecureTcp" behind a proxy that has it`,
    );
  }
  return { kind: 'tcp', host: name, port: Number(port), insecure: true };
}

/** Injects the endpoints of the `hosts` setting. */
export type Endpoints = readonly Endpoint[];
export const Endpoints = Symbol('endpoints');

export const parseHosts = ({ hosts, insecureTcp, tls }: HostedApiConfig): Endpoints =>
  hosts.map((host) => parseHost(host, { insecureTcp, ...(tls && { tls }) }));

const isLoopback = (name: string): boolean => name === 'localhost' || name === '::1' || /^127(\.\d+){3}$/.test(name);
