import { add } from '../shapes.js';
import { step } from '../step.js';

/** What clients before 1.42 see. */
export default step('1.42', {
  'GET /info': { answer: add({ ClusterStore: '', ClusterAdvertise: '' }), lacks: ['no-kernel-memory'] },
});
