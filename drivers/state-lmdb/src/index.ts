import { StateDrivers } from '@gantry/core/contracts';
import { defineDriver } from '@gantry/core/driver';
import { configSchema } from './config.js';
import { createState } from './create-state.js';
import { beginThread } from './environment/writer-thread.js';

export default defineDriver({
  id: 'lmdb',
  provides: StateDrivers,
  configSchema,
  begin: beginThread,
  create: createState,
});
