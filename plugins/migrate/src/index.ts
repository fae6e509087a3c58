import { ArchiveDrivers, StorageDrivers } from '@gantry/core/contracts';
import { definePlugin } from '@gantry/core/plugin';
import { Type } from '@sinclair/typebox';
import { LayerChanges } from './layer-changes.js';
import { migrateCommand } from './migrate-command.js';

export default definePlugin({
  id: 'migrate',
  requires: [ArchiveDrivers, StorageDrivers],
  configSchema: Type.Object({}, { additionalProperties: false }),
  offlineCommands: { migrate: migrateCommand },
  setup: () => LayerChanges,
});
