import { StateDrivers } from '@gantry/core/contracts';
import { defineDriver } from '@gantry/core/driver';
import { configSchema } from './config.js';
import { openState } from './open-state.js';

export default defineDriver({ id: 'lmdb', provides: StateDrivers, configSchema, create: openState });
