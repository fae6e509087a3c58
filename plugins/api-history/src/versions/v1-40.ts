import { at, each, ofObject, remove } from '../shapes.js';
import { step } from '../step.js';

/** Zero left the limit as it was. */
const withoutZeroPids = ofObject(({ PidsLimit, ...others }) => (PidsLimit ? { ...others, PidsLimit } : others));

/** What clients before 1.40 see. */
export default step('1.40', {
  // Others may join the IPC namespace of a container unless it is private.
  'POST /containers/create': {
    body: at('HostConfig', at('Mounts', each(at('BindOptions', remove('NonRecursive'))))),
    lacks: ['private-ipc'],
  },
  'POST /containers/:id/update': { body: withoutZeroPids },
});
