import { invalidArgument } from '@gantry/core/errors';
import { all, at, each, eachValue, ofObject, remove } from '../shapes.js';
import { step } from '../step.js';

const noImage = ofObject((mount) => {
  if (mount.Type !== 'image') return mount;
  throw invalidArgument('Mount type "Image" needs API v1.48 or newer');
});

/** What clients before 1.48 see. */
export default step('1.48', {
  'GET /images/get': { query: (query) => query.set('platform', []) },
  'GET /images/*name/get': { query: (query) => query.set('platform', []) },
  'GET /images/*name/history': { query: (query) => query.set('platform', []) },
  'POST /images/load': { query: (query) => query.set('platform', []) },
  'GET /images/*name/json': { query: (query) => query.set('manifests', []) },
  'POST /networks/create': { body: remove('EnableIPv4') },
  'POST /containers/create': {
    body: all(
      at('NetworkingConfig', at('EndpointsConfig', eachValue(remove('GwPriority')))),
      at('HostConfig', at('Mounts', each(noImage))),
    ),
  },
});
