import { mkdir, rm } from 'node:fs/promises';
import path from 'node:path';
import { StateDrivers } from '@gantry/core/contracts';
import { definePlugin } from '@gantry/core/plugin';
import { EngineApi } from '@gantry/engine-api/service';
import { ImageExchange } from '@gantry/images/service';
import { registryConfig } from './config.js';
import { Downloads } from './downloads/downloads.js';
import { EndpointRegistryClient } from './endpoint-registry-client.js';
import { ImageEvents } from './image-events.js';
import { InspectDistribution } from './inspect-distribution.js';
import { Login } from './login.js';
import { AdmitImage } from './pull/admit-image.js';
import { PullImage } from './pull/pull-image.js';
import { Puller } from './pull/puller.js';
import { CopyLayer } from './push/copy-layer.js';
import { LayerDigests } from './push/layer-digests.js';
import { PulledManifests } from './push/pulled-manifests.js';
import { PushLayer, UploadDirectory } from './push/push-layer.js';
import { Pusher } from './push/pusher.js';
import { UnchangedImage } from './push/unchanged-image.js';
import { registerTransport } from './register-transport.js';
import { RegistryLifecycle } from './registry-lifecycle.js';
import { RegistryRoutes } from './routes.js';
import { SearchRepositories } from './search-repositories.js';
import { ImagePolicy, RegistryClient } from './service.js';

export default definePlugin({
  id: 'registry',
  provides: [RegistryClient],
  requires: [EngineApi, ImageExchange, StateDrivers, ImagePolicy],
  configSchema: registryConfig,
  async setup({ container, dirs }) {
    // Uploads do not outlive their daemon.
    const uploads = path.join(dirs.root, 'outgoing');
    await rm(uploads, { recursive: true, force: true });
    await mkdir(uploads, { recursive: true, mode: 0o700 });
    container.registerValue(UploadDirectory, uploads);
    registerTransport(container);
    container.register(
      LayerDigests,
      PulledManifests,
      CopyLayer,
      UnchangedImage,
      InspectDistribution,
      Login,
      SearchRepositories,
      ImageEvents,
    );
    container.register(AdmitImage, Downloads, PullImage, Puller, PushLayer, Pusher, EndpointRegistryClient);
    container.provide(RegistryClient, EndpointRegistryClient);
    container.register(RegistryRoutes);
    return RegistryLifecycle;
  },
});
