import { Type } from '@sinclair/typebox';

const gibibyte = 2 ** 30;

export const configSchema = Type.Object({
  enabled: Type.Boolean({
    default: false,
    description: 'serve the import endpoints, which the interface has without since 2024-04-12',
  }),
  maintenance: Type.Boolean({ default: false, description: 'answer 503 to everything about imports' }),
  maxConcurrent: Type.Integer({ default: 2, minimum: 1, description: 'imports that run at a time' }),
  maxWaiting: Type.Integer({ default: 100, minimum: 1, description: 'imports that wait for their turn' }),
  maxBytes: Type.Integer({ default: 20 * gibibyte, minimum: 2 ** 20, description: 'of one import on the disk' }),
  minFreeBytes: Type.Integer({ default: gibibyte, minimum: 0, description: 'of the disk that imports leave free' }),
  largeFileBytes: Type.Integer({ default: 100 * 2 ** 20, minimum: 1, description: 'a larger file is large' }),
  stallSeconds: Type.Integer({ default: 300, minimum: 1, description: 'a source may be silent for so long' }),
  allowDestinations: Type.Array(Type.String({ minLength: 1 }), {
    default: [],
    description: 'addresses, networks such as 10.0.0.0/8, and names of hosts that are not of the Internet',
  }),
  certificateAuthorities: Type.Array(Type.String({ minLength: 1 }), {
    default: [],
    description: "PEM files with authorities that are trusted besides the host's",
  }),
  allowLocalFiles: Type.Boolean({ default: false, description: 'file: URLs of this host are sources' }),
  maxReaders: Type.Integer({ default: 20, minimum: 1, description: 'clones and fetches that are served at a time' }),
  webhooks: Type.Record(
    Type.String({ pattern: '^[a-z0-9][a-z0-9-]*$' }),
    Type.Object({
      url: Type.String({ pattern: '^https?://', description: 'is told of every step of every import' }),
      secretFile: Type.String({ description: 'holds the secret that deliveries are signed with' }),
    }),
    { default: {}, description: 'by name: who is sent RepositoryImportEvent' },
  ),
  webhookAttempts: Type.Integer({ default: 8, minimum: 1, description: 'before a delivery is given up' }),
  webhookRetrySeconds: Type.Number({
    default: 5,
    exclusiveMinimum: 0,
    description: 'until the second attempt; doubles with each',
  }),
});

export type SourceImportConfig = typeof configSchema.static;
