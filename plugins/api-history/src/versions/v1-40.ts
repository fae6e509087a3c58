import { step } from '../step.js';

/** What clients before 1.40 see. */
export default step('1.40', {
  // Others may join the IPC namespace of a container unless it is private.
  'POST /containers/create': { lacks: ['private-ipc'] },
});
