import { step } from '../step.js';

/** What clients before 1.45 see. */
export default step('1.45', {
  'GET /images/*name/json': { lacks: ['image-without-container'] },
});
