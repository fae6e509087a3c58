import { step } from '../step.js';

/** What clients before 1.30 see. */
export default step('1.30', {
  // They wait until it is not running, whatever they ask for, and get the head with the exit code.
  'POST /containers/:id/wait': { query: (query) => query.set('condition', []), lacks: ['early-wait-head'] },
  // The engine resolves the tags of their images.
  'POST /services/create': { lacks: ['image-digests'] },
  'POST /services/:id/update': { lacks: ['image-digests'] },
  'GET /events': { lacks: ['event-scope'] },
});
