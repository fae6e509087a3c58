import { Type } from '@sinclair/typebox';

export const configSchema = Type.Object({
  host: Type.String({
    default: 'tcp://127.0.0.1:7430',
    description: 'where to listen: tcp://host:port or unix:///path; port 0 takes a free one',
  }),
  tls: Type.Optional(
    Type.Object(
      { cert: Type.String(), key: Type.String() },
      { additionalProperties: false, description: 'PEM files; browsers need no certificate' },
    ),
  ),
  insecureTcp: Type.Boolean({ default: false, description: 'listen without tls on addresses that others reach' }),
  names: Type.Array(Type.String(), {
    default: [],
    description: 'names by which browsers reach the console, beside those of the host itself',
  }),
  allow: Type.Optional(
    Type.Array(Type.String(), {
      minItems: 1,
      description: 'what the console may ask: "read", or a method and a path such as "GET /containers/*/json"',
    }),
  ),
  userHeader: Type.Optional(
    Type.String({
      pattern: '^[A-Za-z][A-Za-z0-9-]*$',
      description: 'header in which a proxy names the user it has signed in; needs a Unix socket as host',
    }),
  ),
  sessionHours: Type.Number({ default: 12, exclusiveMinimum: 0, description: 'how long a browser stays signed in' }),
});

export type ConsoleConfig = typeof configSchema.static;
