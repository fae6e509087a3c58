import { type Static, Type } from '@sinclair/typebox';

export const configSchema = Type.Object({
  cgroupParent: Type.Optional(
    Type.String({ description: "parent of the control groups of plugins; the runtime driver's own by default" }),
  ),
  enableTimeoutSeconds: Type.Number({
    default: 30,
    minimum: 1,
    description: 'deadline for a plugin to start and answer the handshake',
  }),
  stopTimeoutSeconds: Type.Number({ default: 5, minimum: 0, description: 'between SIGTERM and SIGKILL' }),
  startPatienceSeconds: Type.Number({
    default: 5,
    minimum: 0,
    description: 'how long the start of the engine waits for enabled plugins',
  }),
  callTimeoutSeconds: Type.Number({ default: 15, minimum: 0.1, description: 'deadline of a call to a plugin' }),
});

export type ManagedPluginsConfig = Static<typeof configSchema>;
