import path from 'node:path';
import { ClusterInfo } from '@gantry/cluster/service';
import { ContainerHost, ContainerService } from '@gantry/containers/service';
import { LogDrivers, NetworkDrivers, RuntimeDrivers, StorageDrivers, VolumeDrivers } from '@gantry/core/contracts';
import { definePlugin } from '@gantry/core/plugin';
import { EngineApi } from '@gantry/engine-api/service';
import { EventReaders } from '@gantry/events/service';
import { ImageExchange, ImageService } from '@gantry/images/service';
import { VolumeService } from '@gantry/volumes/service';
import { configSchema } from './config.js';
import { EngineDrivers } from './engine-drivers.js';
import { EngineIdentity } from './engine-identity.js';
import { EngineObjects } from './engine-objects.js';
import { GetDiskUsage } from './get-disk-usage.js';
import { GetInfo } from './get-info.js';
import { GetVersion } from './get-version.js';
import { HostFacts, readHostFacts } from './host-facts.js';
import { PublishReload } from './publish-reload.js';
import { readEngineId } from './read-engine-id.js';
import { SystemLifecycle } from './system-lifecycle.js';
import { SystemRoutes } from './system-routes.js';
import { SystemSettings } from './system-settings.js';

export default definePlugin({
  id: 'system',
  requires: [
    EngineApi,
    ClusterInfo,
    EventReaders,
    ImageService,
    ImageExchange,
    ContainerService,
    ContainerHost,
    VolumeService,
    RuntimeDrivers,
    StorageDrivers,
    NetworkDrivers,
    VolumeDrivers,
    LogDrivers,
  ],
  configSchema,
  async setup({ container, dirs }) {
    const [host, id] = await Promise.all([readHostFacts(), readEngineId(dirs.root)]);
    // Every package has its directory two levels below the kernel's data root.
    const dataRoot = path.dirname(path.dirname(dirs.root));
    container.registerValue<HostFacts>(HostFacts, host);
    container.registerValue<EngineIdentity>(EngineIdentity, { id, dataRoot });
    container.register(EngineObjects, PublishReload, SystemSettings, EngineDrivers);
    container.register(GetVersion, GetInfo, GetDiskUsage, SystemRoutes);
    return SystemLifecycle;
  },
});
