import { type Static, Type } from '@sinclair/typebox';

export const configSchema = Type.Object(
  {
    program: Type.String({ default: 'etcd', description: "etcd's name, or its path" }),
    quotaBytes: Type.Integer({
      default: 2 * 1024 ** 3,
      minimum: 16 * 1024 ** 2,
      description: 'size of the file from which on no record is created',
    }),
    requestTimeoutSeconds: Type.Number({
      default: 10,
      exclusiveMinimum: 0,
      maximum: 3600,
      description: 'how long a request to etcd may take, the wait for its restart included, and the mirror to follow',
    }),
    electionTimeoutSeconds: Type.Number({
      default: 1,
      minimum: 0.5,
      maximum: 50,
      description: 'how long managers wait for the leader before they elect another one: the same on all of them',
    }),
  },
  { additionalProperties: false },
);

export type EtcdConfig = Static<typeof configSchema>;
