import { Type } from '@sinclair/typebox';

export const configSchema = Type.Object({
  webhooks: Type.Record(
    Type.String({ pattern: '^[a-z0-9][a-z0-9-]*$' }),
    Type.Object({ secretFile: Type.String({ description: 'a file with the secret that the sender signs with' }) }),
    { default: {}, description: 'webhooks of code hosts, by name: POST /webhooks/NAME' },
  ),
  replayDays: Type.Integer({
    default: 30,
    minimum: 1,
    description: 'days for which deliveries are recorded; older ones are refused',
  }),
  markAtOnce: Type.Integer({
    default: 10_000,
    minimum: 0,
    description: 'beyond this many threads are marked as read in the background, with the status 202',
  }),
});

export type NotificationsConfig = typeof configSchema.static;
