import { add } from '../shapes.js';
import { step } from '../step.js';

/** What clients before 1.41 see. */
export default step('1.41', {
  'POST /containers/create': { query: (query) => query.set('platform', []) },
  'GET /containers/:id/stats': { query: (query) => query.set('one-shot', []) },
  'GET /info': { answer: add({ SystemStatus: null }) },
});
