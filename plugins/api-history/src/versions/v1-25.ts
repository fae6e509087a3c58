import { step } from '../step.js';

/** What clients before 1.25 see. */
export default step('1.25', {
  // They get the experimental record, and learn of privileges by the answer of a pull.
  'GET /plugins': { lacks: ['plugin-settings'] },
  'POST /plugins/pull': { lacks: ['plugin-consent'] },
  'POST /services/:id/update': { lacks: ['update-warnings'] },
  // They ask for it by CheckDuplicate.
  'POST /networks/create': { lacks: ['unique-network-names'] },
});
