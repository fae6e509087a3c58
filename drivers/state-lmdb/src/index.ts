import { StateDrivers } from '@gantry/core/contracts';
import { defineDriver } from '@gantry/core/driver';
import { Files } from '@gantry/lib-linux/files';
import { configSchema } from './config.js';
import { createState } from './create-state.js';

export default defineDriver({
  id: 'lmdb',
  provides: StateDrivers,
  requires: [Files],
  configSchema,
  create: createState,
});
