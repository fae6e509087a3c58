import { content, named, type Operations } from '@gantry/core/http';
import { Type } from '@sinclair/typebox';

const Health = named('Health', Type.Object({ status: Type.String() }));

/** What the routes of metrics and health do. */
export const operations: Operations = {
  'GET /metrics': { summary: 'Measures the engine, in the format of Prometheus', answers: { 200: content.text } },
  'GET /health/live': { summary: 'Answers while the engine lives', answers: { 200: content.json(Health) } },
  'GET /health/ready': {
    summary: 'Says whether the engine can run containers',
    answers: { 200: content.json(Health), 503: content.json(Health) },
  },
};
