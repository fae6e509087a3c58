import { type Static, Type } from '@sinclair/typebox';

export const configSchema = Type.Object({
  cgroupParent: Type.String({ default: '/gantry', description: 'parent of the control groups of plugins' }),
  enableTimeoutSeconds: Type.Number({ default: 30, minimum: 1, description: 'for an enabled plugin to answer' }),
  stopTimeoutSeconds: Type.Number({ default: 5, minimum: 0, description: 'between SIGTERM and SIGKILL' }),
  startPatienceSeconds: Type.Number({
    default: 5,
    minimum: 0,
    description: 'how long the start of the engine waits for enabled plugins to answer',
  }),
  callTimeoutSeconds: Type.Number({ default: 15, minimum: 0.1, description: 'for a plugin to answer a question' }),
});

export type ManagedPluginsConfig = Static<typeof configSchema>;
