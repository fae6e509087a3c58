import { ContainerService } from '@gantry/containers/service';
import { definePlugin } from '@gantry/core/plugin';
import { EngineApi } from '@gantry/engine-api/service';
import { Type } from '@sinclair/typebox';
import { ExecService } from './exec-service.js';
import { execRoutes } from './routes.js';

export default definePlugin({
  id: 'exec',
  requires: [EngineApi, ContainerService],
  configSchema: Type.Object({}),
  setup({ lifetime, services }) {
    const containers = services.service(ContainerService);
    const execs = new ExecService(containers);
    lifetime.add(containers.addExecs((containerId) => execs.idsOf(containerId)));
    lifetime.add(containers.onExit((containerId) => execs.containerEnded(containerId)));
    lifetime.add(services.service(EngineApi).routes('exec', (router) => execRoutes(router, execs)));
  },
});
