import { SourceDrivers } from '@gantry/core/contracts';
import { defineDriver } from '@gantry/core/driver';
import { Launcher } from '@gantry/lib-linux/launcher';
import { Processes } from '@gantry/lib-linux/processes';
import { SourceSessions } from '@gantry/lib-source';
import { Type } from '@sinclair/typebox';
import { SubversionSource } from './subversion-source.js';

export default defineDriver({
  id: 'subversion',
  provides: SourceDrivers,
  requires: [Launcher, Processes],
  configSchema: Type.Object({}),
  create({ container }) {
    container.register(SourceSessions);
    return SubversionSource;
  },
});
