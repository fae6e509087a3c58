import { at, eachValue, remove } from '../shapes.js';
import { step } from '../step.js';

/** What clients before 1.48 see. */
export default step('1.48', {
  'POST /networks/create': { body: remove('EnableIPv4') },
  'POST /containers/create': { body: at('NetworkingConfig', at('EndpointsConfig', eachValue(remove('GwPriority')))) },
});
