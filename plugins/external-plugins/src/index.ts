import { IpamDrivers, LogDrivers, NetworkDrivers, VolumeDrivers } from '@gantry/core/contracts';
import { definePlugin } from '@gantry/core/plugin';
import { EngineApi } from '@gantry/engine-api/service';
import { configSchema } from './config.js';
import { openExternalPlugins } from './open-external-plugins.js';
import { ExternalPlugins } from './service.js';

export default definePlugin({
  id: 'external-plugins',
  provides: [ExternalPlugins],
  requires: [EngineApi],
  joins: [VolumeDrivers, NetworkDrivers, IpamDrivers, LogDrivers],
  configSchema,
  setup: openExternalPlugins,
});
