import { Type } from '@sinclair/typebox';

export const configSchema = Type.Object({
  spoolFileBytes: Type.Integer({
    default: 32 * 2 ** 20,
    minimum: 2 ** 20,
    description: 'size of a spool file, the output on its way to a log driver, after which the next file is started',
  }),
  spoolBacklogBytes: Type.Integer({
    default: 2 ** 30,
    minimum: 0,
    description:
      'spooled output of a container that may wait for its log driver; beyond, the oldest is dropped; 0 is no limit',
  }),
});

export type ContainerLogsConfig = typeof configSchema.static;
