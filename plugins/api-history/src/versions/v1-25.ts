import { step } from '../step.js';

/** What clients before 1.25 see. */
export default step('1.25', {
  // They ask for it by CheckDuplicate.
  'POST /networks/create': { lacks: ['unique-network-names'] },
});
