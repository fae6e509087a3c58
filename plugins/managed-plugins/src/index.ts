import {
  ArchiveDrivers,
  IpamDrivers,
  LogDrivers,
  NetworkDrivers,
  RuntimeDrivers,
  StateDrivers,
  VolumeDrivers,
} from '@gantry/core/contracts';
import { definePlugin } from '@gantry/core/plugin';
import { EngineApi } from '@gantry/engine-api/service';
import { ExternalPlugins } from '@gantry/external-plugins/service';
import { RegistryClient } from '@gantry/registry/service';
import { configSchema } from './config.js';
import { openManagedPlugins } from './open-managed-plugins.js';

export default definePlugin({
  id: 'managed-plugins',
  requires: [EngineApi, ArchiveDrivers, StateDrivers, RuntimeDrivers, ExternalPlugins, RegistryClient],
  joins: [VolumeDrivers, NetworkDrivers, IpamDrivers, LogDrivers],
  configSchema,
  setup: openManagedPlugins,
});
