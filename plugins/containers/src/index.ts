import { ContainerLogs } from '@gantry/container-logs/service';
import {
  ArchiveDrivers,
  areRemapped,
  IdMappings,
  LogDrivers,
  RuntimeDrivers,
  StateDrivers,
  StorageDrivers,
} from '@gantry/core/contracts';
import { Clock, Config, definePlugin } from '@gantry/core/plugin';
import { EngineApi } from '@gantry/engine-api/service';
import { EventReaders } from '@gantry/events/service';
import { ImageService } from '@gantry/images/service';
import { AppArmor } from '@gantry/lib-linux/app-armor';
import { Files } from '@gantry/lib-linux/files';
import { Mounts } from '@gantry/lib-linux/mounts';
import { SELinux } from '@gantry/lib-linux/selinux';
import { EndpointService, NetworkService, SandboxService } from '@gantry/networks/service';
import { VolumeService } from '@gantry/volumes/service';
import { ContainerHostService } from './container-host-service.js';
import { type ContainersConfig, configSchema } from './containers-config.js';
import { ContainersLifecycle } from './containers-lifecycle.js';
import { ContainersService } from './containers-service.js';
import { ContainerControlService } from './control/container-control-service.js';
import { HostFacts, readHostFacts } from './host/host-facts.js';
import { ContainerProcessesService } from './processes/container-processes-service.js';
import { registerContainers } from './register-containers.js';
import { ContainerRootsService } from './roots/container-roots-service.js';
import {
  ContainerControl,
  ContainerHost,
  ContainerProcesses,
  ContainerRoots,
  ContainerService,
  ContainerSteps,
} from './service.js';
import { ContainerStepsService } from './steps/container-steps-service.js';

export default definePlugin({
  id: 'containers',
  provides: [ContainerService, ContainerControl, ContainerHost, ContainerProcesses, ContainerRoots, ContainerSteps],
  requires: [
    EngineApi,
    ArchiveDrivers,
    StateDrivers,
    StorageDrivers,
    RuntimeDrivers,
    LogDrivers,
    ContainerLogs,
    Clock,
    ImageService,
    VolumeService,
    NetworkService,
    SandboxService,
    EndpointService,
    AppArmor,
    Files,
    Mounts,
    SELinux,
  ],
  // Events are recorded from the start, and those of an earlier daemon can be read.
  after: [EventReaders],
  configSchema,
  setup({ container }) {
    container.registerAsync(
      HostFacts,
      [IdMappings, Config, SELinux.token],
      async (mappings: IdMappings, config: ContainersConfig, selinux: SELinux): Promise<HostFacts> => ({
        ...(await readHostFacts()),
        remapsIds: areRemapped(mappings),
        selinux: config.selinux ? await selinux.containerContexts() : undefined,
      }),
    );
    registerContainers(container);
    container.provide(ContainerService, ContainersService);
    container.registerClass(ContainerHostService, ContainerHostService);
    container.provide(ContainerHost, ContainerHostService);
    container.provide(ContainerControl, ContainerControlService);
    container.provide(ContainerProcesses, ContainerProcessesService);
    container.provide(ContainerRoots, ContainerRootsService);
    container.provide(ContainerSteps, ContainerStepsService);
    return ContainersLifecycle;
  },
});
