import { step } from '../step.js';

/** What clients before 1.28 see. */
export default step('1.28', {
  'GET /networks': { lacks: ['network-list-without-containers'] },
});
