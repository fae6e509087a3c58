import path from 'node:path';
import type { PackageDirectories } from '@gantry/core/driver';
import type { Endpoint } from '@gantry/core/http';
import type { HostedApiConfig } from './config.js';

/** Injects the socket of `gantry-hosted`, which root alone may open. */
export type OperatorEndpoint = Extract<Endpoint, { readonly kind: 'unix' }>;
export const OperatorEndpoint = Symbol('operator-endpoint');

export const operatorEndpoint = (config: HostedApiConfig, directories: PackageDirectories): OperatorEndpoint => ({
  kind: 'unix',
  path: config.operatorSocket ?? path.join(directories.state, 'operator.sock'),
  mode: 0o600,
});
