import { type Static, Type } from '@sinclair/typebox';

const host = '^([A-Za-z0-9.-]+|\\[[0-9a-fA-F:]+\\])(:[0-9]+)?$';

export const registryConfig = Type.Object({
  defaultRegistry: Type.Optional(
    Type.String({ pattern: host, description: 'host[:port] of images whose name has no registry; none without it' }),
  ),
  defaultNamespace: Type.Optional(
    Type.String({ description: 'what the default registry keeps names of one part under, such as library' }),
  ),
  mirrors: Type.Record(Type.String({ pattern: host }), Type.Array(Type.String({ pattern: '^https?://' })), {
    default: {},
    description: 'for a registry, URLs that are asked first when pulling, without credentials',
  }),
  insecureRegistries: Type.Array(Type.String(), {
    default: [],
    description:
      'host[:port], addresses or networks (10.0.0.0/8) without a trusted certificate; loopback always is one',
  }),
  certificateDirectory: Type.String({
    default: '/etc/gantry/certs.d',
    description: 'has host[:port]/*.crt to trust for that registry, and *.cert with *.key to show it',
  }),
  certificateAuthorities: Type.Array(Type.String(), {
    default: [],
    description: 'PEM files to trust for every registry, besides the well-known authorities',
  }),
  maxConcurrentDownloads: Type.Integer({ default: 3, minimum: 1, description: 'layers downloading at once' }),
  maxConcurrentUploads: Type.Integer({ default: 5, minimum: 1, description: 'layers uploading at once' }),
  uploadChunkBytes: Type.Integer({
    default: 0,
    minimum: 0,
    description: 'size of the pieces a layer is uploaded in; 0 sends it whole',
  }),
  attempts: Type.Integer({ default: 5, minimum: 1, description: 'tries without progress until a transfer fails' }),
  retryDelayMilliseconds: Type.Integer({ default: 500, minimum: 0, description: 'before the second try; doubles' }),
  idleTimeoutSeconds: Type.Number({ default: 60, minimum: 0.1, description: 'how long a registry may say nothing' }),
  keepPartialBytes: Type.Integer({
    default: 4 * 2 ** 30,
    minimum: 0,
    description: 'of interrupted downloads, to be resumed',
  }),
  keepPartialHours: Type.Number({ default: 24, minimum: 0, description: 'after which they are removed' }),
});

export type RegistryConfig = Static<typeof registryConfig>;
