import { ContainerProcesses, ContainerService } from '@gantry/containers/service';
import { definePlugin } from '@gantry/core/plugin';
import { EngineApi } from '@gantry/engine-api/service';
import { Type } from '@sinclair/typebox';
import { ExecLifecycle } from './exec-lifecycle.js';
import { ExecRetention, ExecService } from './exec-service.js';
import { ExecRoutes } from './routes.js';

export default definePlugin({
  id: 'exec',
  requires: [EngineApi, ContainerService, ContainerProcesses],
  configSchema: Type.Object({}),
  setup({ container }) {
    container.registerValue(ExecRetention, 5 * 60_000);
    container.register(ExecService, ExecRoutes);
    return ExecLifecycle;
  },
});
