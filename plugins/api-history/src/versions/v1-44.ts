import { invalidArgument } from '@gantry/core/errors';
import { add, all, at, each, eachValue, ofObject, remove } from '../shapes.js';
import { step } from '../step.js';

const virtualSize = add(({ Size }) => ({ VirtualSize: Size }));

const oneNetwork = ofObject((endpoints) => {
  const names = Object.keys(endpoints).sort();
  if (names.length <= 1) return endpoints;
  throw invalidArgument(`Container cannot be created with multiple network endpoints: ${names.join(', ')}`);
});

const notForced = ofObject((options) => {
  if (options.ReadOnlyForceRecursive !== true) return options;
  throw invalidArgument('BindOptions.ReadOnlyForceRecursive needs API v1.44 or newer');
});

/** What clients before 1.44 see. */
export default step('1.44', {
  // Read-only binds leave the mounts below them writable.
  'POST /containers/create': {
    body: all(
      at('NetworkingConfig', at('EndpointsConfig', all(oneNetwork, eachValue(remove('MacAddress'))))),
      at('Healthcheck', remove('StartInterval')),
      at('HostConfig', at('Mounts', each(at('BindOptions', notForced)))),
    ),
    lacks: ['recursive-read-only', 'endpoint-mac-address', 'named-defaults'],
  },
  // The network of a container has both since.
  'GET /containers/:id/json': { answer: at('Config', add({ NetworkDisabled: false, MacAddress: '' })) },
  'GET /system/df': { answer: at('Images', each(virtualSize)) },
  'GET /images/json': { answer: each(virtualSize) },
  'GET /images/*name/json': { answer: virtualSize },
});
