import { Type } from '@sinclair/typebox';

export const configSchema = Type.Object({
  host: Type.Optional(
    Type.String({
      description: 'where to listen beside the API, for /metrics and /health only: tcp://host:port or unix:///path',
    }),
  ),
  insecureTcp: Type.Boolean({ default: false, description: 'listen on an address that others reach' }),
});

export type MetricsConfig = typeof configSchema.static;
