import { Type } from '@sinclair/typebox';

export const configSchema = Type.Object({
  cgroupParent: Type.Optional(
    Type.String({ description: "parent of the control groups of containers; the runtime driver's own by default" }),
  ),
  spoolFileBytes: Type.Integer({
    default: 32 * 2 ** 20,
    minimum: 2 ** 20,
    description: 'size of a file of output on its way to a log driver, after which the next is begun',
  }),
  spoolBacklogBytes: Type.Integer({
    default: 2 ** 30,
    minimum: 0,
    description: 'output of a container that may wait for its log driver; beyond, the oldest is lost; 0 is no limit',
  }),
});

export type ContainersConfig = typeof configSchema.static;
