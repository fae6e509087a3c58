import { Type } from '@sinclair/typebox';

export const configSchema = Type.Object({
  hosts: Type.Array(Type.String(), {
    default: ['tcp://127.0.0.1:8930'],
    description: 'where to listen: tcp://host:port or unix:///path',
  }),
  tls: Type.Optional(
    Type.Object({ cert: Type.String(), key: Type.String() }, { description: 'PEM files; clients need no certificate' }),
  ),
  insecureTcp: Type.Boolean({ default: false, description: 'listen without tls on addresses that others reach' }),
  baseUrl: Type.Optional(
    Type.String({
      pattern: '^https?://[^/?#]+(/[^?#]*[^/?#])?$',
      description: 'what addresses in answers begin with; by default what the client called',
    }),
  ),
  pathPrefixes: Type.Array(Type.String({ pattern: '^/.*[^/]$' }), {
    default: ['/api/v3'],
    description: 'prefixes of clients that expect the API below one, taken off',
  }),
  operatorSocket: Type.Optional(
    Type.String({ description: 'for gantry-hosted; by default operator.sock in the run directory of this plugin' }),
  ),
  requestsPerHour: Type.Integer({ default: 5000, minimum: 1, description: 'of one user' }),
  anonymousRequestsPerHour: Type.Integer({
    default: 60,
    minimum: 1,
    description: 'of one address without a valid token',
  }),
  requestsPerMinute: Type.Integer({ default: 900, minimum: 1, description: 'of one user, the 304s too' }),
  pollIntervalSeconds: Type.Integer({
    default: 60,
    minimum: 1,
    description: 'asked of pollers while there is no load',
  }),
  maxPollIntervalSeconds: Type.Integer({ default: 900, minimum: 1, description: 'the most that load makes of it' }),
  comfortableRequestsPerSecond: Type.Number({
    default: 100,
    exclusiveMinimum: 0,
    description: 'of all users; beyond, the interval grows in proportion',
  }),
  maxConnections: Type.Integer({ default: 1000, minimum: 1, description: 'at a time; idle ones make room' }),
  maxBodyBytes: Type.Integer({ default: 5 * 2 ** 20, minimum: 1024, description: 'of one request' }),
});

export type HostedApiConfig = typeof configSchema.static;
