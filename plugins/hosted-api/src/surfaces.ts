import { version } from '@gantry/core';
import type { Logger } from '@gantry/core/driver';
import { Surface } from '@gantry/core/http';
import { apiVersions } from './api-version.js';
import type { HostedApiConfig } from './config.js';
import { errorBody, errorStatus } from './error-body.js';

/** The surface that clients reach. */
export type HostedSurface = Surface;
export const HostedSurface = Symbol('hosted-surface');

/** The surface behind the operator's socket. */
export type OperatorSurface = Surface;
export const OperatorSurface = Symbol('operator-surface');

export const createHostedSurface = ({ maxBodyBytes }: HostedApiConfig, log: Logger): HostedSurface =>
  new Surface({
    errorBody,
    errorStatus,
    log,
    name: 'hosted',
    bodyLimit: maxBodyBytes,
    headers: {
      Server: `Gantry/${version}`,
      'X-Host-Media-Type': 'host.v3; format=json',
      'X-Host-Api-Version-Selected': apiVersions[0],
      'X-Content-Type-Options': 'nosniff',
      'Referrer-Policy': 'no-referrer',
      'Cache-Control': 'private, no-cache',
      Vary: 'Accept, Authorization',
    },
  });

export const createOperatorSurface = (log: Logger): OperatorSurface =>
  new Surface({ errorBody, errorStatus, log, name: 'hosted-operator' });
