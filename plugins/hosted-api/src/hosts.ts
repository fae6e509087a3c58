import { type Endpoint, parseWebHost } from '@gantry/core/http';
import type { HostedApiConfig } from './config.js';

/** Injects the endpoints of the `hosts` setting. */
export type Endpoints = readonly Endpoint[];
export const Endpoints = Symbol('endpoints');

/** @throws EngineError `invalid-argument` naming a value that is no address, or one where tokens could be read. */
export const parseHosts = ({ hosts, insecureTcp, tls }: HostedApiConfig): Endpoints =>
  hosts.map((host) => parseWebHost(host, { setting: 'hosts', insecureTcp, ...(tls && { tls }) }));
