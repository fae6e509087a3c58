import { step } from '../step.js';

/** What clients before 1.51 see. */
export default step('1.51', {
  'GET /images/json': { lacks: ['image-container-count'] },
});
