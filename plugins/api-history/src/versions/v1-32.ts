import { add } from '../shapes.js';
import { step } from '../step.js';

/** What clients before 1.32 see. */
export default step('1.32', {
  'GET /info': { answer: add({ InitPath: '', InitSha1: '' }) },
});
