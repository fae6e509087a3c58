import { ContainerService, ContainerSteps } from '@gantry/containers/service';
import { definePlugin } from '@gantry/core/plugin';
import { EngineApi } from '@gantry/engine-api/service';
import { ImageExchange } from '@gantry/images/service';
import { Type } from '@sinclair/typebox';
import { CommitContainer } from './commit-container.js';
import { CommitRoutes } from './routes.js';

export default definePlugin({
  id: 'commit',
  requires: [EngineApi, ContainerService, ContainerSteps, ImageExchange],
  configSchema: Type.Object({}),
  setup({ container }) {
    container.register(CommitContainer);
    return CommitRoutes;
  },
});
