import { step } from '../step.js';

/** What clients before 1.46 see. */
export default step('1.46', {
  'GET /events': { lacks: ['image-create-events'] },
  'POST /images/*name/push': { query: (query) => query.set('platform', []) },
});
