import { Type } from '@sinclair/typebox';

export const configSchema = Type.Object({
  cgroupParent: Type.Optional(
    Type.String({ description: "parent of the control groups of containers; the runtime driver's own by default" }),
  ),
});

export type ContainersConfig = typeof configSchema.static;
