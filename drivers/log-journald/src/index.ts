import { LogDrivers } from '@gantry/core/contracts';
import { defineDriver } from '@gantry/core/driver';
import { configSchema } from './config.js';
import { openJournal } from './open-journal.js';

export default defineDriver({
  id: 'journald',
  provides: LogDrivers,
  configSchema,
  create: ({ config }) => openJournal(config),
});
