import { Type } from '@sinclair/typebox';

export const configSchema = Type.Object(
  {
    sdk: Type.Optional(
      Type.String({
        minLength: 1,
        description: 'absolute path of a module that sets OpenTelemetry up, such as one that registers an exporter',
      }),
    ),
  },
  { additionalProperties: false },
);
