import { ContainerService, ContainerSteps } from '@gantry/containers/service';
import { definePlugin } from '@gantry/core/plugin';
import { EngineApi } from '@gantry/engine-api/service';
import { ImageExchange } from '@gantry/images/service';
import { Type } from '@sinclair/typebox';
import { Commits } from './commit.js';
import { commitRoutes } from './routes.js';

export default definePlugin({
  id: 'commit',
  requires: [EngineApi, ContainerService, ContainerSteps, ImageExchange],
  configSchema: Type.Object({}),
  setup({ lifetime, services }) {
    const commits = new Commits(
      services.service(ContainerService),
      services.service(ContainerSteps),
      services.service(ImageExchange),
    );
    lifetime.add(services.service(EngineApi).routes('commit', (router) => commitRoutes(router, commits)));
  },
});
