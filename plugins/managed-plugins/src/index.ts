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
import { protocolPorts, SharedDirectories } from '@gantry/lib-plugin-protocol';
import { RegistryClient } from '@gantry/registry/service';
import { configSchema } from './config.js';
import { CreatePlugin } from './create-plugin.js';
import { DisablePlugin } from './disable-plugin.js';
import { EnablePlugin } from './enable-plugin.js';
import { PluginData } from './files/plugin-data.js';
import { PluginFiles } from './files/plugin-files.js';
import { PluginInstaller } from './files/plugin-installer.js';
import { PluginPackager } from './files/plugin-packager.js';
import { ManagedPluginsLifecycle } from './managed-plugins-lifecycle.js';
import { PullPlugin } from './pull-plugin.js';
import { PushPlugin } from './push-plugin.js';
import { RemoveOrphans } from './remove-orphans.js';
import { RemovePlugin } from './remove-plugin.js';
import { RestorePlugins } from './restore-plugins.js';
import { AuthoringRoutes } from './routes/authoring-routes.js';
import { InstallationRoutes } from './routes/installation-routes.js';
import { PluginRoutes } from './routes/plugin-routes.js';
import { SetPlugin } from './set-plugin.js';
import { PluginEvents } from './store/plugin-events.js';
import { PluginStore } from './store/plugin-store.js';
import { RunningPlugins } from './supervision/running-plugins.js';
import { UpgradePlugin } from './upgrade-plugin.js';

export default definePlugin({
  id: 'managed-plugins',
  requires: [
    EngineApi,
    ArchiveDrivers,
    StateDrivers,
    RuntimeDrivers,
    ExternalPlugins,
    RegistryClient,
    ...protocolPorts,
  ],
  joins: [VolumeDrivers, NetworkDrivers, IpamDrivers, LogDrivers],
  configSchema,
  setup({ container }) {
    container.register(
      PluginStore,
      PluginEvents,
      SharedDirectories,
      PluginFiles,
      PluginInstaller,
      PluginPackager,
      RunningPlugins,
    );
    container.register(
      CreatePlugin,
      PullPlugin,
      PushPlugin,
      EnablePlugin,
      DisablePlugin,
      RemovePlugin,
      SetPlugin,
      UpgradePlugin,
      RestorePlugins,
      RemoveOrphans,
    );
    container.registerHooks(PluginData, AuthoringRoutes, InstallationRoutes, PluginRoutes);
    return ManagedPluginsLifecycle;
  },
});
