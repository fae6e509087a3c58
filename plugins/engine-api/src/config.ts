import { Type } from '@sinclair/typebox';

const modePattern = '^[0-7]{3,4}$';

const tls = Type.Object(
  {
    ca: Type.Optional(Type.String({ description: 'clients need a certificate signed by it' })),
    cert: Type.String(),
    key: Type.String(),
    minVersion: Type.Optional(Type.Union([Type.Literal('1.2'), Type.Literal('1.3')])),
  },
  { additionalProperties: false, description: 'PEM files for tcp://' },
);

export const configSchema = Type.Object({
  hosts: Type.Array(Type.String(), {
    default: ['unix:///run/gantry.sock'],
    description: 'where to listen: unix:///path, tcp://host:port, fd:// (sockets from systemd)',
  }),
  group: Type.Optional(Type.String({ description: 'name or number of the group that may use the Unix sockets' })),
  mode: Type.String({ default: '660', pattern: modePattern, description: 'permission bits of the Unix sockets' }),
  tls: Type.Optional(tls),
  insecureTcp: Type.Boolean({ default: false, description: 'listen on tcp:// without client certificates' }),
  listeners: Type.Array(
    Type.Object({
      host: Type.String({ description: 'as in hosts' }),
      allow: Type.Optional(
        Type.Array(Type.String(), { description: '"read", or a method and a path such as "GET /containers/*/json"' }),
      ),
      group: Type.Optional(Type.String()),
      mode: Type.Optional(Type.String({ pattern: modePattern })),
      tls: Type.Optional(tls),
      insecureTcp: Type.Optional(Type.Boolean()),
    }),
    { default: [], description: 'further places to listen at, with settings of their own and what may be asked there' },
  ),
  apiCorsHeader: Type.String({
    default: '',
    description: 'web pages that may use the API: * or origins such as https://x.example, with commas between',
  }),
  maxConnections: Type.Optional(
    Type.Integer({ minimum: 16, description: 'for each host; default half of the files that may be open' }),
  ),
  maxBodyBytes: Type.Integer({ default: 16 * 2 ** 20, minimum: 1024, description: 'of JSON bodies' }),
  maxBodyValues: Type.Integer({ default: 500_000, minimum: 1000, description: 'members and elements of JSON bodies' }),
  bodyTimeoutSeconds: Type.Number({ default: 60, minimum: 0, description: 'for a JSON body to arrive; 0 is no end' }),
  archiveIdleSeconds: Type.Number({
    default: 600,
    minimum: 0,
    description: 'between two parts of an archive while the engine waits for the next; 0 is no end',
  }),
  maxHeaderBytes: Type.Integer({ default: 2 ** 20, minimum: 8192, description: 'of the head of a request' }),
  drainTimeoutSeconds: Type.Number({
    default: 5,
    minimum: 0,
    description: 'for requests to finish when the engine stops, before they are aborted',
  }),
  diskTimeoutSeconds: Type.Integer({
    default: 60,
    minimum: 0,
    description: 'for a disk that hangs, before changes that wait for it fail; 0 is no end',
  }),
  diskReadTimeoutSeconds: Type.Integer({ default: 15, minimum: 1, description: 'the same for reads' }),
  headersTimeoutSeconds: Type.Number({
    default: 60,
    minimum: 1,
    description: 'for a client to send the head of a request',
  }),
});

export type EngineApiConfig = typeof configSchema.static;
