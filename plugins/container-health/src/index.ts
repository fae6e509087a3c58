import { availableParallelism } from 'node:os';
import { ContainerProcesses, ContainerService } from '@gantry/containers/service';
import { Clock, definePlugin, Semaphore } from '@gantry/core/plugin';
import { Type } from '@sinclair/typebox';
import { HealthMonitors } from './health-monitors.js';
import { HealthStore } from './health-store.js';
import { MonitorFactory } from './monitor-factory.js';
import { ProbeRunner } from './probe-runner.js';
import { ProbeStarts } from './probe-starts.js';

export default definePlugin({
  id: 'container-health',
  requires: [ContainerProcesses, ContainerService, Clock],
  configSchema: Type.Object({}),
  setup({ container }) {
    container.register(HealthStore, ProbeRunner, MonitorFactory);
    // Starting more than keeps the CPUs busy finishes none of them sooner and delays requests.
    container.registerValue(ProbeStarts, new Semaphore(2 * availableParallelism()));
    return HealthMonitors;
  },
});
