// Made from the OpenAPI document of the engine, by the test of the document with GANTRY_UPDATE=1: do not edit.
import type { BuildRoutes } from './api-types/build.js';
import type { BuildkitRoutes } from './api-types/buildkit.js';
import type { ClusterRoutes } from './api-types/cluster.js';
import type { CommitRoutes } from './api-types/commit.js';
import type { ContainerFilesRoutes } from './api-types/container-files.js';
import type { ContainerLogsRoutes } from './api-types/container-logs.js';
import type { ContainerStatsRoutes } from './api-types/container-stats.js';
import type { ContainersRoutes } from './api-types/containers.js';
import type { DoctorRoutes } from './api-types/doctor.js';
import type { EngineApiRoutes } from './api-types/engine-api.js';
import type { EventsRoutes } from './api-types/events.js';
import type { ExecRoutes } from './api-types/exec.js';
import type { ImagesRoutes } from './api-types/images.js';
import type { ManagedPluginsRoutes } from './api-types/managed-plugins.js';
import type { NetworksRoutes } from './api-types/networks.js';
import type { NodeAgentRoutes } from './api-types/node-agent.js';
import type { RegistryRoutes } from './api-types/registry.js';
import type { ServicesRoutes } from './api-types/services.js';
import type { SystemRoutes } from './api-types/system.js';
import type { VolumesRoutes } from './api-types/volumes.js';

export type * from './api-types/shared.js';
export type * from './api-types/build.js';
export type * from './api-types/buildkit.js';
export type * from './api-types/cluster.js';
export type * from './api-types/commit.js';
export type * from './api-types/container-files.js';
export type * from './api-types/container-logs.js';
export type * from './api-types/container-stats.js';
export type * from './api-types/containers.js';
export type * from './api-types/doctor.js';
export type * from './api-types/engine-api.js';
export type * from './api-types/events.js';
export type * from './api-types/exec.js';
export type * from './api-types/images.js';
export type * from './api-types/managed-plugins.js';
export type * from './api-types/networks.js';
export type * from './api-types/node-agent.js';
export type * from './api-types/registry.js';
export type * from './api-types/services.js';
export type * from './api-types/system.js';
export type * from './api-types/volumes.js';

/** What each route takes and answers. */
export interface Routes
  extends
    BuildRoutes,
    BuildkitRoutes,
    ClusterRoutes,
    CommitRoutes,
    ContainerFilesRoutes,
    ContainerLogsRoutes,
    ContainerStatsRoutes,
    ContainersRoutes,
    DoctorRoutes,
    EngineApiRoutes,
    EventsRoutes,
    ExecRoutes,
    ImagesRoutes,
    ManagedPluginsRoutes,
    NetworksRoutes,
    NodeAgentRoutes,
    RegistryRoutes,
    ServicesRoutes,
    SystemRoutes,
    VolumesRoutes {}
