import { Type } from '@sinclair/typebox';

export const configSchema = Type.Object({
  webhooks: Type.Record(
    Type.String({ pattern: '^[a-z0-9][a-z0-9-]*$' }),
    Type.Object({ secretFile: Type.String({ description: 'holds the secret that the sender signs with' }) }),
    { default: {}, description: 'by name: POST /webhooks/NAME takes what a code host sends' },
  ),
  replayDays: Type.Integer({
    default: 30,
    minimum: 1,
    description: 'so long deliveries are remembered, and older ones are refused',
  }),
  markAtOnce: Type.Integer({
    default: 10_000,
    minimum: 0,
    description: 'more threads than this are marked as read in the background, with the answer 202',
  }),
});

export type NotificationsConfig = typeof configSchema.static;
