import { add, each } from '../shapes.js';
import { step } from '../step.js';

const virtualSize = add(({ Size }) => ({ VirtualSize: Size }));

/** What clients before 1.44 see. */
export default step('1.44', {
  'GET /images/json': { answer: each(virtualSize) },
  'GET /images/*name/json': { answer: virtualSize },
});
