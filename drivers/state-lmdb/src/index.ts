import { StateDrivers } from '@gantry/core/contracts';
import { defineDriver } from '@gantry/core/driver';
import { configSchema } from './config.js';
import { beginThread } from './environment/writer-thread.js';
import { openState } from './open-state.js';

export default defineDriver({
  id: 'lmdb',
  provides: StateDrivers,
  configSchema,
  begin: beginThread,
  create: openState,
});
