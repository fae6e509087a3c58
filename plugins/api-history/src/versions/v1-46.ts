import { step } from '../step.js';

/** What clients before 1.46 see. */
export default step('1.46', {
  'POST /images/*name/push': { query: (query) => query.set('platform', []) },
});
