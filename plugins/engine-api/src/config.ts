import { Type } from '@sinclair/typebox';

export const configSchema = Type.Object({
  hosts: Type.Array(Type.String(), {
    default: ['unix:///run/gantry.sock'],
    description: 'where to listen: unix:///path, tcp://host:port, fd:// (sockets from systemd)',
  }),
  group: Type.Optional(Type.String({ description: 'name or number of the group that may use the Unix sockets' })),
  mode: Type.String({ default: '660', pattern: '^[0-7]{3,4}$', description: 'permission bits of the Unix sockets' }),
  tls: Type.Optional(
    Type.Object(
      { ca: Type.String(), cert: Type.String(), key: Type.String() },
      { description: 'PEM files for tcp://' },
    ),
  ),
  insecureTcp: Type.Boolean({ default: false, description: 'listen on tcp:// without client certificates' }),
  maxBodyBytes: Type.Integer({ default: 16 * 2 ** 20, minimum: 1024, description: 'of JSON bodies' }),
  maxHeaderBytes: Type.Integer({ default: 2 ** 20, minimum: 8192, description: 'of the head of a request' }),
  headersTimeoutSeconds: Type.Number({
    default: 60,
    minimum: 1,
    description: 'for a client to send the head of a request',
  }),
});

export type EngineApiConfig = typeof configSchema.static;
