import { content, named, type Operations, parameter } from '@gantry/core/http';
import { Type } from '@sinclair/typebox';
import { eventFilterKeys } from './event-matcher.js';

const Event = named(
  'EngineEvent',
  Type.Object({
    Type: Type.String(),
    Action: Type.String(),
    Actor: Type.Object({ ID: Type.String(), Attributes: Type.Record(Type.String(), Type.String()) }),
    scope: Type.Optional(Type.String()),
    time: Type.Integer(),
    timeNano: Type.Integer({ description: 'exceeds the precision of floating point numbers' }),
    status: Type.Optional(Type.String()),
    id: Type.Optional(Type.String()),
    from: Type.Optional(Type.String()),
  }),
);

/** What the route of events does. */
export const operations: Operations = {
  'GET /events': {
    summary: 'Sends what happens, and what happened',
    query: {
      since: parameter.time('with earlier events from then on'),
      until: parameter.time('until then; otherwise without end'),
      filters: parameter.filters(eventFilterKeys),
    },
    answers: { 200: content.lines(Event) },
  },
};
