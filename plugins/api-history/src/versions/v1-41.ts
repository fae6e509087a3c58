import { add } from '../shapes.js';
import { step } from '../step.js';

/** What clients before 1.41 see. */
export default step('1.41', {
  'GET /info': { answer: add({ SystemStatus: null }) },
});
