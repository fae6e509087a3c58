import { SourceDrivers } from '@gantry/core/contracts';
import { defineDriver } from '@gantry/core/driver';
import { Launcher } from '@gantry/lib-linux/launcher';
import { Processes } from '@gantry/lib-linux/processes';
import { SourceSessions } from '@gantry/lib-source';
import { Type } from '@sinclair/typebox';
import { GitSource } from './git-source.js';

export default defineDriver({
  id: 'git',
  provides: SourceDrivers,
  requires: [Launcher, Processes],
  configSchema: Type.Object({}),
  create({ container }) {
    container.register(SourceSessions);
    return GitSource;
  },
});
