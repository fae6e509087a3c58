import { RuntimeDrivers } from '@gantry/core/contracts';
import { defineDriver } from '@gantry/core/driver';
import { configSchema } from './config.js';
import { openRuntime } from './open-runtime.js';

export default defineDriver({ id: 'runc', provides: RuntimeDrivers, configSchema, create: openRuntime });
