import { StateDrivers, VolumeDrivers } from '@gantry/core/contracts';
import { definePlugin } from '@gantry/core/plugin';
import { Type } from '@sinclair/typebox';
import { backupCommand } from './backup-command.js';
import { StateCopies } from './contents/state-copies.js';
import { restoreCommand } from './restore-command.js';

export default definePlugin({
  id: 'backup',
  requires: [StateDrivers, VolumeDrivers],
  configSchema: Type.Object({}, { additionalProperties: false }),
  offlineCommands: { backup: backupCommand, restore: restoreCommand },
  setup: () => StateCopies,
});
