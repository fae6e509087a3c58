import { LogDrivers } from '@gantry/core/contracts';
import { defineDriver } from '@gantry/core/driver';
import { Datagrams } from '@gantry/lib-linux/datagrams';
import { Launcher } from '@gantry/lib-linux/launcher';
import { configSchema } from './config.js';
import { findJournal } from './find-journal.js';
import { Journal } from './journal.js';
import { JournaldLog } from './journald-log.js';

export default defineDriver({
  id: 'journald',
  provides: LogDrivers,
  requires: [Datagrams, Launcher],
  configSchema,
  create({ config, container }) {
    container.registerValue(Journal, findJournal(config));
    return JournaldLog;
  },
});
