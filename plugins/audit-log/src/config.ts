import { type Static, Type } from '@sinclair/typebox';

export const configSchema = Type.Object({
  file: Type.Optional(Type.String({ pattern: '^/', description: 'the log; by default in the data root' })),
  journal: Type.Optional(
    Type.String({
      pattern: '^/',
      description: 'also send records to the journal at this socket, which usually is /run/systemd/journal/socket',
    }),
  ),
  maxBytes: Type.Integer({
    default: 64 * 2 ** 20,
    minimum: 4096,
    description: 'size of the log, after which the next one is started',
  }),
  maxFiles: Type.Integer({ default: 10, minimum: 1, description: 'logs that are kept, with the current one' }),
  reads: Type.Boolean({ default: false, description: 'also record requests that read: GET, HEAD and OPTIONS' }),
});

export type AuditConfig = Static<typeof configSchema>;
