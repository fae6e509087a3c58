import { add } from '../shapes.js';
import { step } from '../step.js';

/** What clients before 1.32 see. */
export default step('1.32', {
  'POST /images/create': { query: (query) => query.set('platform', []) },
  'POST /build': { query: (query) => query.set('platform', []) },
  'GET /info': { answer: add({ InitPath: '', InitSha1: '' }) },
});
