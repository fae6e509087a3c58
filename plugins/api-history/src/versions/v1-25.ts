import { at, each } from '../shapes.js';
import { step } from '../step.js';

/** Of services an update also lacks the warnings. */
const swarmRoutes = [
  ...['GET /swarm', 'POST /swarm/init', 'POST /swarm/join', 'POST /swarm/leave', 'POST /swarm/update'],
  ...['GET /swarm/unlockkey', 'POST /swarm/unlock'],
  ...['GET /nodes', 'GET /nodes/:id', 'DELETE /nodes/:id', 'POST /nodes/:id/update'],
  ...['GET /services', 'POST /services/create', 'GET /services/:id', 'DELETE /services/:id', 'GET /services/:id/logs'],
  ...['GET /tasks', 'GET /tasks/:id', 'GET /tasks/:id/logs'],
  ...['secrets', 'configs'].flatMap((noun) => [
    ...[`GET /${noun}`, `POST /${noun}/create`, `GET /${noun}/:id`, `DELETE /${noun}/:id`, `POST /${noun}/:id/update`],
  ]),
];

/** Security options had a name only. */
const nameOnly = (option: unknown): unknown => /^name=([^,]+)/.exec(String(option))?.[1] ?? option;

/** Outside of a swarm, and of a member that is to join another one. */
const statuses = { 'not-acceptable': 406 } as const;

/** What clients before 1.25 see. */
export default step('1.25', {
  'GET /info': { answer: at('SecurityOptions', each(nameOnly)) },
  // They get the experimental record, and learn of privileges by the answer of a pull.
  'GET /plugins': { lacks: ['plugin-settings'] },
  'POST /plugins/pull': { lacks: ['plugin-consent'] },
  ...Object.fromEntries(swarmRoutes.map((route) => [route, { statuses }])),
  'POST /services/:id/update': { lacks: ['update-warnings'], statuses },
  // They ask for it by CheckDuplicate.
  'POST /networks/create': { lacks: ['unique-network-names'] },
});
