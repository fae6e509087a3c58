import { add, all, remove } from '../shapes.js';
import { step } from '../step.js';

/** What clients before 1.35 see. */
export default step('1.35', {
  'GET /version': { answer: all(remove('Platform', 'Components'), add({ Experimental: false })) },
});
