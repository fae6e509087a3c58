import { add, all, remove } from '../shapes.js';
import { step } from '../step.js';

/** What clients before 1.50 see. */
export default step('1.50', {
  'DELETE /images/*name': { query: (query) => query.set('platforms', []) },
  'GET /info': {
    answer: all(remove('DiscoveredDevices'), add({ BridgeNfIptables: false, BridgeNfIp6tables: false })),
  },
  'GET /images/*name/json': { lacks: ['image-config-only'] },
});
