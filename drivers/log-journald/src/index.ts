import { LogDrivers } from '@gantry/core/contracts';
import { defineDriver } from '@gantry/core/driver';
import { configSchema } from './config.js';
import { findJournal } from './find-journal.js';
import { Journal } from './journal.js';
import { JournaldLog } from './journald-log.js';

export default defineDriver({
  id: 'journald',
  provides: LogDrivers,
  configSchema,
  create({ config, container }) {
    container.registerValue(Journal, findJournal(config));
    return JournaldLog;
  },
});
