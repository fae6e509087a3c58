import { ContainerProcesses, ContainerService } from '@gantry/containers/service';
import { Clock, definePlugin } from '@gantry/core/plugin';
import { EngineApi } from '@gantry/engine-api/service';
import { Type } from '@sinclair/typebox';
import { CreateExec } from './create-exec.js';
import { ExecEvents } from './exec-events.js';
import { ExecLifecycle } from './exec-lifecycle.js';
import { ExecProcesses } from './exec-processes.js';
import { ExecStore } from './exec-store.js';
import { ResizeExec } from './resize-exec.js';
import { ExecRoutes } from './routes.js';
import { StartExec } from './start-exec.js';

export default definePlugin({
  id: 'exec',
  requires: [EngineApi, ContainerService, ContainerProcesses, Clock],
  configSchema: Type.Object({}),
  setup({ container }) {
    container.register(ExecStore, ExecEvents, ExecProcesses, CreateExec, StartExec, ResizeExec);
    container.registerHooks(ExecRoutes);
    return ExecLifecycle;
  },
});
