import { add } from '../shapes.js';
import { step } from '../step.js';

/** What clients before 1.35 see. */
export default step('1.35', {
  'GET /version': { answer: add({ Experimental: false }) },
});
