import { Type } from '@sinclair/typebox';

const gibibyte = 2 ** 30;

export const configSchema = Type.Object({
  enabled: Type.Boolean({
    default: false,
    description: 'serve the import endpoints, which were removed on 2024-04-12',
  }),
  maintenance: Type.Boolean({ default: false, description: 'answer 503 to everything about imports' }),
  maxConcurrent: Type.Integer({ default: 2, minimum: 1, description: 'concurrent imports' }),
  maxWaiting: Type.Integer({ default: 100, minimum: 1, description: 'queued imports' }),
  maxBytes: Type.Integer({
    default: 20 * gibibyte,
    minimum: 2 ** 20,
    description: 'disk space of one import during its conversion',
  }),
  minFreeBytes: Type.Integer({
    default: gibibyte,
    minimum: 0,
    description: 'free disk space below which imports fail',
  }),
  largeFileBytes: Type.Integer({ default: 100_000_000, minimum: 1, description: 'size above which a file is large' }),
  stallSeconds: Type.Integer({
    default: 300,
    minimum: 1,
    description: 'seconds without data after which a source is given up',
  }),
  allowDestinations: Type.Array(Type.String({ minLength: 1 }), {
    default: [],
    description: 'addresses, networks such as 10.0.0.0/8, and hosts of sources besides public addresses',
  }),
  certificateAuthorities: Type.Array(Type.String({ minLength: 1 }), {
    default: [],
    description: "PEM files with authorities that are trusted besides the host's",
  }),
  allowLocalFiles: Type.Boolean({ default: false, description: 'allow file: URLs of this host' }),
  maxReaders: Type.Integer({ default: 20, minimum: 1, description: 'concurrent clones and fetches' }),
  webhooks: Type.Record(
    Type.String({ pattern: '^[a-z0-9][a-z0-9-]*$' }),
    Type.Object({
      url: Type.String({ pattern: '^https?://', description: 'receives every status of every import' }),
      secretFile: Type.String({ description: 'a file with the secret that signs deliveries' }),
    }),
    { default: {}, description: 'receivers of RepositoryImportEvent, by name' },
  ),
  webhookAttempts: Type.Integer({ default: 8, minimum: 1, description: 'attempts before a delivery is dropped' }),
  webhookRetrySeconds: Type.Number({
    default: 5,
    exclusiveMinimum: 0,
    description: 'seconds until the second attempt; doubled with each',
  }),
});

export type SourceImportConfig = typeof configSchema.static;
